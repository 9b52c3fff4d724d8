# AttributeError: 'int' object has no attribute 'foo'
a = [1,2]
a[0].foo.bar
