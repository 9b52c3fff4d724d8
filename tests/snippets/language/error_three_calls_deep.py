# AttributeError: 'int' object has no attribute 'foo'
def a(): b()
def b():
    x = 1
    c(x)
def c(x):
    return x.foo
a()
