# SyntaxError: '(' was never closed
print('x'
