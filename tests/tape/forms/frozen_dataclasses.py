# Frozen nodes, and gradients in a dict of its own.
import math
from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Node:
    value: float
    parents: tuple = ()

    def __mul__(self, o):
        return Node(self.value * o.value, ((self, o.value), (o, self.value)))

    def __add__(self, o):
        return Node(self.value + o.value, ((self, 1.0), (o, 1.0)))

    def sin(self):
        return Node(math.sin(self.value), ((self, math.cos(self.value)),))


def gradients(z):
    grads = {z: 1.0}
    stack = [z]
    order = []
    seen = set()

    def visit(n):
        if n in seen:
            return
        seen.add(n)
        for p, _ in n.parents:
            visit(p)
        order.append(n)

    visit(z)
    for n in reversed(order):
        for p, w in n.parents:
            grads[p] = grads.get(p, 0.0) + grads[n] * w
    return grads


x, y = Node(0.5), Node(4.2)
z = x * y + x.sin()
g = gradients(z)
print(g[x], g[y])
