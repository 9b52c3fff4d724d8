# SyntaxError: 'break' outside loop
def f():
    break
