# SyntaxError: no binding for nonlocal 'q' found
def f():
    nonlocal q
