"""Enumerations that are texts, numbers or flags as well, with values of their own making."""

from enum import Enum, Flag, IntEnum, IntFlag, StrEnum, auto, unique
import copy, torch
class M(str, Enum):
    A = auto()
    B = "b"
    @classmethod
    def make(cls, s): return cls(s.lower())
    def double(self): return self.value * 2
    @property
    def up(self): return self.upper()
class Planet(Enum):
    EARTH = (5.976e24, 6.37814e6)
    MARS = (6.421e23, 3.3972e6)
    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius
    def gravity(self): return 6.67300E-11 * self.mass / (self.radius ** 2)
class L(IntEnum):
    X = 1
    Y = 2
class Perm(Flag):
    R = auto(); W = auto(); X = auto()
    RW = R | W
class C(Enum):
    RED = 1
    ROUGE = 1
    BLUE = 2
TESTS = [
    lambda: M.A.value,
    lambda: M.make("B"),
    lambda: M.B.double(),
    lambda: M.B.up,
    lambda: Planet.EARTH.gravity(),
    lambda: Planet.MARS.value,
    lambda: Planet(( 6.421e23, 3.3972e6)),
    lambda: f"{L.X:03d}",
    lambda: f"{M.B:>5}",
    lambda: L.X / 2,
    lambda: -L.X,
    lambda: L.Y ** 2,
    lambda: 2 - L.X,
    lambda: L.X & 1,
    lambda: [10, 20, 30][L.Y],
    lambda: torch.ones(2, 3).sum(L.X),
    lambda: Perm.RW,
    lambda: list(Perm),
    lambda: list(Perm.RW),
    lambda: Perm.R in Perm.RW,
    lambda: Perm(3),
    lambda: Perm(8),
    lambda: ~Perm.R,
    lambda: Perm.RW & Perm.X,
    lambda: len(Perm.RW),
    lambda: bool(Perm.R & Perm.W),
    lambda: Perm.R | 1,
    lambda: C.ROUGE is C.RED,
    lambda: list(C),
    lambda: unique(C),
    lambda: copy.deepcopy(C.RED) is C.RED,
    lambda: copy.copy({"a": M.B}),
    lambda: C.RED == 1,
    lambda: C.RED < C.BLUE,
    lambda: hash(C.RED) == hash("RED"),
    lambda: C("x"),
    lambda: C.RED.foo,
    lambda: M.B.foo,
    lambda: sorted(M),
    lambda: {M.B: 1}["b"],
    lambda: M.B == M("b"),
    lambda: M.B != "b",
    lambda: type(M.B),
    lambda: isinstance(M.B, M),
    lambda: issubclass(M, str),
    lambda: Enum("Q", {"a": 5, "b": 6}).b.value,
    lambda: [q.value for q in Enum("Q", "a, b")],
    lambda: StrEnum("S", ["aa", "bb"]).aa,
    lambda: L["X"],
    lambda: L.X.name,
    lambda: max(L),
    lambda: sum(L),
    lambda: range(L.Y),
    lambda: M.B in ["b"],
    lambda: ["b"].index(M.B),
    lambda: M.B.encode(),
    lambda: int(L.X),
    lambda: float(L.X),
    lambda: str(L.X),
    lambda: repr(M.B),
    lambda: print(M.B, L.X, C.RED, Perm.RW),
    lambda: C.RED.value.bit_length(),
    lambda: Perm.R.name,
    lambda: (Perm.R | Perm.X).name,
    lambda: Perm(0).name,
]
for number, test in enumerate(TESTS):
    try:
        print(number, test())
    except Exception as e:
        print(number, type(e).__name__, e)
match M.B:
    case M.A: print("a")
    case M.B: print("b")
match L.Y:
    case 2: print("two")
