# TypeError: 'int' object is not callable
x = 1
x()
