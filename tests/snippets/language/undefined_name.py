# NameError: name 'undefined' is not defined
print(undefined.foo(1, 2))
