# AttributeError: 'str' object has no attribute 'foo'
s = 'abc'
s.foo()
