# Dataclasses and named tuples
from dataclasses import dataclass, field
from typing import List, Optional, Dict, Tuple, Any, Union, Callable
@dataclass
class Config:
    lr: float = 0.1
    steps: int = 3
    names: List[str] = field(default_factory=list)
    def total(self) -> float: return self.lr * self.steps
c = Config(steps=5); print(c, c.total(), c == Config(0.1, 5), Config(1, 2, ['a']))
@dataclass(order=True, frozen=True)
class V:
    x: int
    y: int = 0
print(V(1) < V(2), sorted([V(3), V(1, 5)]), hash(V(1)) == hash(V(1)))
try: V(1).x = 5
except AttributeError as e: print(type(e).__name__ != '', e)
try: V()
except TypeError as e: print(e)
def f(x: Optional[int] = None, *a: int, **k: Dict[str, Any]) -> Tuple[int, ...]: return x
print(f(3), f.__annotations__ is not None)
x: int = 5
y: 'str'
print(x)
