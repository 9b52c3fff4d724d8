# Metaclasses: registries of layers, abstract classes, conflicts, and names that they change.
from abc import ABCMeta, abstractmethod
import torch
from torch import nn
class Registry(type):
    classes = {}
    def __new__(cls, name, bases, attrs):
        new = type.__new__(cls, name, bases, attrs)
        cls.classes[name] = new
        return new
class Layer(nn.Module, metaclass=Registry):
    def __init__(self, n):
        super().__init__(); self.fc = nn.Linear(n, 1); nn.init.ones_(self.fc.weight); nn.init.zeros_(self.fc.bias)
    def forward(self, x): return self.fc(x)
class Deep(Layer):
    def forward(self, x): return super().forward(x) * 2
print(Registry.classes, Registry.classes["Deep"](3)(torch.ones(3)).item(), Deep)
class AM(ABCMeta):
    def __new__(mcs, name, bases, ns):
        print("making", name, sorted(k for k in ns if not k.startswith("__")))
        return super().__new__(mcs, name, bases, ns)
class Shape(metaclass=AM):
    @abstractmethod
    def area(self): ...
class Sq(Shape):
    def area(self): return 4
try: Shape()
except TypeError as e: print(e)
print(Sq().area(), type(Sq), type(Sq).__name__, isinstance(Sq, AM), isinstance(AM, type), issubclass(AM, type), type(AM), type(Registry), Registry.__mro__, Registry.__bases__, Registry.__mro__[1] is type)
class M1(type): pass
class M2(type): pass
class A(metaclass=M1): pass
class B(metaclass=M2): pass
try:
    class C(A, B): pass
except TypeError as e: print(e)
class M3(M1, M2): pass
class C(A, B, metaclass=M3): pass
print(type(C), C.__mro__, C.__class__)
class Upper(type):
    def __new__(mcs, name, bases, ns, **kw):
        return super().__new__(mcs, name, bases, {k if k.startswith("__") else k.upper(): v for k, v in ns.items()})
    def __init__(cls, name, bases, ns, prefix=""):
        super().__init__(name, bases, ns); cls.prefix = prefix
class U(metaclass=Upper, prefix="p"):
    x = 1
    def hello(self): return "hi"
print(U.X, U().HELLO(), hasattr(U, "x"), U.prefix, U.__qualname__, U.__module__)
