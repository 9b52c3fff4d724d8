# Annotations that are evaluated
def f(x: int, y: "later" = 2, *, z: list = None) -> float: return x
print(f.__annotations__, (lambda a: a).__annotations__)
class A:
    def m(self, v: int): pass
print(A().m.__annotations__)
def g(x: undefined): pass
