# NameError: name 'Undefined' is not defined
class A(Undefined): pass
