# Annotations that are not evaluated
from __future__ import annotations
from dataclasses import dataclass
def f(x: Undefined, *rest: int, key: list[Later] = None) -> Never:
    return x
class Node:
    left: Node
    count: Missing = 0
    def join(self, other: Node) -> Node:
        return self
print(f(1), f.__annotations__, Node.__annotations__, Node().join(None).count, Node.join.__annotations__)
@dataclass
class Point:
    x: float
    y: float = 0.0
print(Point(1))
