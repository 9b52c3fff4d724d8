# The graph first, its values later.
import math


class Op:
    def __init__(self, f, df, *args):
        self.f, self.df, self.args = f, df, args
        self.out = None
        self.d = None


def const(v):
    return Op(lambda: v, None)


def mul(a, b):
    return Op(lambda p, q: p * q, (lambda p, q: q, lambda p, q: p), a, b)


def add(a, b):
    return Op(lambda p, q: p + q, (lambda p, q: 1.0, lambda p, q: 1.0), a, b)


def sin(a):
    return Op(math.sin, (math.cos,), a)


def schedule(op, seen):
    for a in op.args:
        schedule(a, seen)
    if op not in seen:
        seen.append(op)
    return seen


def run(op):
    ops = schedule(op, [])
    for o in ops:
        o.out = o.f(*[a.out for a in o.args])
        o.d = 0.0
    return ops


def gradients(op, ops):
    op.d = 1.0
    for o in reversed(ops):
        for i, a in enumerate(o.args):
            a.d = a.d + o.df[i](*[b.out for b in o.args]) * o.d


x, y = const(0.5), const(4.2)
z = add(mul(x, y), sin(x))
gradients(z, run(z))
print(x.d, y.d)
