# Tuples with names, and recursion that adds to a dict.
import math
from collections import namedtuple, defaultdict

N = namedtuple("N", "id value back")
count = iter(range(100))


def const(v):
    return N(next(count), v, ())


def mul(a, b):
    return N(next(count), a.value * b.value, ((a, b.value), (b, a.value)))


def add(a, b):
    return N(next(count), a.value + b.value, ((a, 1.0), (b, 1.0)))


def sin(a):
    return N(next(count), math.sin(a.value), ((a, math.cos(a.value)),))


x, y = const(0.5), const(4.2)
z = add(mul(x, y), sin(x))
adj = defaultdict(float)
adj[z.id] = 1.0


def walk(n, g):
    for p, d in n.back:
        adj[p.id] += g * d
        walk(p, g * d)


walk(z, 1.0)
print(adj[x.id], adj[y.id])
