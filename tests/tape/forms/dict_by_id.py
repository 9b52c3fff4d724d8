# Gradients in a dict, by id().
import math


class Number:
    def __init__(self, value, local=()):
        self.value = value
        self.local = local

    def __add__(self, other):
        return Number(self.value + other.value, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        return Number(self.value * other.value, ((self, other.value), (other, self.value)))


def sin(n):
    return Number(math.sin(n.value), ((n, math.cos(n.value)),))


def gradients(root):
    order, seen = [], set()

    def visit(n):
        if id(n) in seen:
            return
        seen.add(id(n))
        for parent, _ in n.local:
            visit(parent)
        order.append(n)

    visit(root)
    grads = {}
    grads[id(root)] = 1.0
    for n in reversed(order):
        for parent, weight in n.local:
            grads[id(parent)] = grads.get(id(parent), 0.0) + weight * grads[id(n)]
    return grads


x, y = Number(0.5), Number(4.2)
z = x * y + sin(x)
g = gradients(z)
print(g[id(x)], g[id(y)])
