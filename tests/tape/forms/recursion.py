# Every path by itself, without an order.
import math


class Var:
    def __init__(self, value):
        self.value = value
        self.children = []
        self.derivative = 0.0

    def __add__(self, other):
        out = Var(self.value + other.value)
        out.children = [(self, 1.0), (other, 1.0)]
        return out

    def __mul__(self, other):
        out = Var(self.value * other.value)
        out.children = [(self, other.value), (other, self.value)]
        return out

    def backward(self, seed=1.0):
        self.derivative += seed
        for child, weight in self.children:
            child.backward(seed * weight)


def sin(v):
    out = Var(math.sin(v.value))
    out.children = [(v, math.cos(v.value))]
    return out


x = Var(0.5)
y = Var(4.2)
z = x * y + sin(x)
z.backward()
print(x.derivative, y.derivative)
