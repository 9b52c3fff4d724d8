# Functions and methods as values
import types
class A:
    def __init__(self, v): self.v = v
    def get(self): return self.v
def double(self, k=2): return self.v * k
a = A(3)
a.get = types.MethodType(double, a)
print(a.get(), a.get(k=5), A(4).get(), isinstance(a.get, types.MethodType))
for bad in (lambda: types.MethodType(double, None),):
    try: bad()
    except TypeError as e: print(type(e).__name__)
