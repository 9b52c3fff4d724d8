# Enums, match statements, named tuples, typed dicts and slots in a small config system
from enum import Enum, IntEnum, auto
from typing import NamedTuple, Protocol, TypeVar, Generic, Literal, Any
from abc import ABC, abstractmethod
from collections import defaultdict, deque
import torch
from torch import nn

class Act(Enum):
    RELU = "relu"
    TANH = "tanh"
    NONE = None

    def build(self):
        match self:
            case Act.RELU:
                return nn.ReLU()
            case Act.TANH:
                return nn.Tanh()
            case _:
                return nn.Identity()

class Level(IntEnum):
    LOW = auto()
    HIGH = auto()

class Layer(NamedTuple):
    n_in: int
    n_out: int
    act: Act = Act.RELU

class Loss(ABC):
    registry: dict = {}

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        Loss.registry[cls.__name__.lower()] = cls

    @abstractmethod
    def compute(self, a, b): ...

    def __call__(self, a, b):
        return self.compute(a, b)

class MSE(Loss):
    __slots__ = ()
    def compute(self, a, b):
        return ((a - b) ** 2).mean()

class MAE(Loss):
    def compute(self, a, b):
        return (a - b).abs().mean()

torch.manual_seed(0)
layers = [Layer(2, 3), Layer(3, 1, Act.NONE)]
net = nn.Sequential(*[m for l in layers for m in (nn.Linear(l.n_in, l.n_out), l.act.build())])
print(net)
print(layers[0], layers[0]._replace(n_out=7), layers[1].act, Act("tanh"), Act["RELU"].value, list(Act), Act.RELU.name)
print(Level.HIGH > Level.LOW, Level.HIGH + 1, Level(1), repr(Level.HIGH), sorted(Loss.registry))
x, y = torch.randn(4, 2), torch.randn(4, 1)
for name, cls in Loss.registry.items():
    net.zero_grad()
    l = cls()(net(x), y)
    l.backward()
    print(name, round(l.item(), 4), net[0].weight.grad.norm())
try:
    Loss()
except TypeError as e:
    print(e)
def kind(v):
    match v:
        case torch.Tensor():
            return "tensor"
        case {"lr": lr, **rest}:
            return f"config lr={lr} rest={rest}"
        case [first, *others]:
            return f"list {first} +{len(others)}"
        case int() | float() as n if n > 0:
            return f"positive {n}"
        case str(s):
            return f"text {s}"
        case None:
            return "none"
    return "other"
print([kind(v) for v in (x, {"lr": 0.1, "wd": 0}, [1, 2, 3], 5, -1, "a", None)])
hist = defaultdict(lambda: deque(maxlen=2))
for i in range(5):
    hist["loss"].append(i)
print(hist["loss"], dict(hist).keys())
try:
    Act("gelu")
except ValueError as e:
    print(e)
