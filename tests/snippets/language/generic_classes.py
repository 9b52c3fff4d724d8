# Classes of the program's own that are generic: what they are made of in brackets means nothing when they run
from typing import Generic, TypeVar, Protocol
import torch
T = TypeVar("T")
K = TypeVar("K")
class Box(Generic[T]):
    def __init__(self, v: T): self.v = v
class Kid(Box[int]): pass
class Layer(torch.nn.Module, Generic[K]):
    def __init__(self, v: "Box[K]"):
        super().__init__(); self.v = v
class Shaped(Protocol[T]):
    def f(self) -> T: ...
print(Box[int](3).v, Box(2).v, Kid(4).v, isinstance(Kid(1), Box), Layer[int](Box[str]("a")).v.v)
def f(x: Box[int]) -> "Box[str]": return x
print(f(Box(1)).v)
