# SyntaxError: invalid syntax
def f(:
