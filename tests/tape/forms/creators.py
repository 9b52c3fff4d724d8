# Functions with forward and backward, and who created what.
import math


class Mul:
    @staticmethod
    def forward(ctx, a, b):
        ctx["s"] = (a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx["s"]
        return g * b, g * a


class Add:
    @staticmethod
    def forward(ctx, a, b):
        return a + b

    @staticmethod
    def backward(ctx, g):
        return g, g


class Sin:
    @staticmethod
    def forward(ctx, a):
        ctx["s"] = a
        return math.sin(a)

    @staticmethod
    def backward(ctx, g):
        return (g * math.cos(ctx["s"]),)


class T:
    def __init__(self, v, creator=None):
        self.v, self.grad, self.creator = v, None, creator


def apply(F, *ts):
    ctx = {}
    return T(F.forward(ctx, *[t.v for t in ts]), (F, ctx, ts))


x, y = T(0.5), T(4.2)
z = apply(Add, apply(Mul, x, y), apply(Sin, x))


def backward(t):
    topo = []
    seen = set()

    def go(t):
        if id(t) in seen:
            return
        seen.add(id(t))
        if t.creator:
            for s in t.creator[2]:
                go(s)
        topo.append(t)

    go(t)
    t.grad = 1.0
    for t in reversed(topo):
        if t.creator:
            F, ctx, ts = t.creator
            for s, g in zip(ts, F.backward(ctx, t.grad)):
                s.grad = g if s.grad is None else s.grad + g


backward(z)
print(x.grad, y.grad)
