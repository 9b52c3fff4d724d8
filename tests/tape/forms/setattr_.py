# A stack of lambdas, which can store only by setattr.
import math

STACK = []


class Var:
    __slots__ = ("v", "dv")

    def __init__(self, v):
        self.v, self.dv = v, 0.0


def add(a, b):
    c = Var(a.v + b.v)
    STACK.append(lambda: (setattr(a, "dv", a.dv + c.dv), setattr(b, "dv", b.dv + c.dv)))
    return c


def mul(a, b):
    c = Var(a.v * b.v)
    STACK.append(lambda: (setattr(a, "dv", a.dv + b.v * c.dv), setattr(b, "dv", b.dv + a.v * c.dv)))
    return c


def sin(a):
    c = Var(math.sin(a.v))
    STACK.append(lambda: setattr(a, "dv", a.dv + math.cos(a.v) * c.dv))
    return c


x, y = Var(0.5), Var(4.2)
z = add(mul(x, y), sin(x))
z.dv = 1.0
while STACK:
    STACK.pop()()
print(x.dv, y.dv)
