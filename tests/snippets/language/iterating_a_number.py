# TypeError: 'int' object is not iterable
[x for x in 5]
