# Functions that go back and return the gradients of all leaves, by name.
import math
def var(name, value):
    return value, lambda d: {name: d}
def merge(a, b):
    return {k: a.get(k, 0.0) + b.get(k, 0.0) for k in {**a, **b}}
def mul(a, b):
    return a[0] * b[0], lambda d: merge(a[1](d * b[0]), b[1](d * a[0]))
def add(a, b):
    return a[0] + b[0], lambda d: merge(a[1](d), b[1](d))
def sin(a):
    return math.sin(a[0]), lambda d: a[1](d * math.cos(a[0]))
x = var("x", 0.5)
y = var("y", 4.2)
z = add(mul(x, y), sin(x))
g = z[1](1.0)
print(g["x"], g["y"])
