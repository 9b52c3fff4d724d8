# AttributeError: 'int' object has no attribute 'x'
def f(): return 1
f().x = 5
