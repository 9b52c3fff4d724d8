# SyntaxError: invalid syntax
while True print(1)
