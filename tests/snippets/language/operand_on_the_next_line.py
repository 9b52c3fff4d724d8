# TypeError: unsupported operand type(s) for +: 'int' and 'str'
y = (1 +
  'a')
