# The annotations of classes
class A: pass
class B(A):
    x: int = 1
class C(B): pass
print(A.__annotations__, B.__annotations__, C.__annotations__)
