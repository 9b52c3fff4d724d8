# Data classes, and an order that is found without recursion.
import math
from dataclasses import dataclass
from typing import Callable, Optional


@dataclass(eq=False)
class Scalar:
    val: float
    sources: tuple = ()
    rule: Optional[Callable] = None
    sensitivity: float = 0.0

    def __add__(self, other):
        return Scalar(self.val + other.val, (self, other), lambda g: (g, g))

    def __mul__(self, other):
        return Scalar(self.val * other.val, (self, other), lambda g: (g * other.val, g * self.val))


def sin(s):
    return Scalar(math.sin(s.val), (s,), lambda g: (g * math.cos(s.val),))


def backprop(end):
    waiting = {}
    stack = [end]
    while stack:
        node = stack.pop()
        for source in node.sources:
            waiting[id(source)] = waiting.get(id(source), 0) + 1
            if waiting[id(source)] == 1:
                stack.append(source)
    end.sensitivity = 1.0
    ready = [end]
    while ready:
        node = ready.pop()
        if node.rule is None:
            continue
        for source, g in zip(node.sources, node.rule(node.sensitivity)):
            source.sensitivity += g
            waiting[id(source)] -= 1
            if not waiting[id(source)]:
                ready.append(source)


x = Scalar(0.5)
y = Scalar(4.2)
z = x * y + sin(x)
backprop(z)
print(x.sensitivity, y.sensitivity)
