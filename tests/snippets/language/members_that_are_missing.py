# What enumerations refuse and miss, and the keys of typed dicts.
from typing import *
class TD(TypedDict, total=False): a: int; b: str
class T2(TD): c: float
class T3(TypedDict): x: int; y: NotRequired[str]
print(TD.__total__, sorted(TD.__required_keys__), sorted(TD.__optional_keys__), sorted(T2.__required_keys__), sorted(T2.__optional_keys__), T2.__total__, sorted(T3.__required_keys__), sorted(T3.__optional_keys__), sorted(T2.__annotations__))
T = TypeVar("T"); K = TypeVar("K")
class Stack(Generic[T]): pass
class M(Dict[K, T]): pass
class N(Stack[int]): pass
print(Stack.__parameters__, M.__parameters__, N.__parameters__)
from enum import *
class MV(Enum):
    A=1; B=2
    @classmethod
    def _missing_(cls, v):
        if isinstance(v, str):
            for m in cls:
                if m.name.lower() == v: return m
        return None
print(MV("a"), MV("b"))
try: MV("z")
except ValueError as e: print(e)
class Bad(Enum):
    A = 1
    @classmethod
    def _missing_(cls, v): return 5
try: Bad(3)
except TypeError as e: print(e)
class Color(Enum): RED = 1
try:
    class Sub(Color): Z=3
except TypeError as e: print(e)
class W(Enum):
    _ignore_ = ["t"]
    t = 5
    A = 1
print(list(W))
try: Color.RED.value = 3
except AttributeError as e: print(e)
try: Color.RED.name = 3
except AttributeError as e: print(e)
try: Color.RED = 2
except AttributeError as e: print(e)
try: del Color.RED
except AttributeError as e: print(e)
class Base(Enum):
    def hi(self): return self.name + "!"
class D(Base): X = 1
print(D.X.hi())
class G(Enum):
    def __call__(self, x): return x * self.value
    DOUBLE = 2
print(G.DOUBLE(4))
class H(Enum):
    A = 1
    B = 2
    @property
    def pretty(self): return self.name.title()
    @staticmethod
    def s(): return "s"
print(H.A.pretty, H.s(), H.A < H.B if hasattr(H.A, "__lt__") and False else "-")
try: H.A < H.B
except TypeError as e: print(e)
print(Color.RED.__class__.__name__, isinstance(Color.RED, Color), Color.__doc__, H.__members__.keys(), "A" in H.__members__)
import pickle, copy; print(copy.deepcopy(Color.RED) is Color.RED)
class P(Enum):
    M = (1, 2)
    def __new__(cls, a, b):
        o = object.__new__(cls); o._value_ = a; o.extra = b; return o
print(P.M.value, P.M.extra, P(1))
