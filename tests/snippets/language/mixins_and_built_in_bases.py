# Mixins, and classes derived from dict and ValueError
class Mixin:
    def hello(self): return "hello"
class D(Mixin, dict):
    pass
class E(Mixin, ValueError):
    pass
class L(Mixin, list):
    def __len__(self): return 7
print(D(a=1), E("x"), repr(E("x")), L([1]), len(L()), D().hello(), str(Mixin())[:18], hash(E("y")) is not None)
try: hash(D())
except TypeError as e: print(e)
