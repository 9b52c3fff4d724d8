# Functions that go back and return nothing: those of the leaves collect.
import math
grads = {"x": 0.0, "y": 0.0}
def leaf(name, value):
    def back(d):
        grads[name] += d
    return value, back
def mul(a, b):
    (av, ab), (bv, bb) = a, b
    def back(d):
        ab(d * bv)
        bb(d * av)
    return av * bv, back
def add(a, b):
    (av, ab), (bv, bb) = a, b
    def back(d):
        ab(d)
        bb(d)
    return av + bv, back
def sin(a):
    av, ab = a
    def back(d):
        ab(d * math.cos(av))
    return math.sin(av), back
x = leaf("x", 0.5)
y = leaf("y", 4.2)
z = add(mul(x, y), sin(x))
value, back = z
back(1.0)
print(grads["x"], grads["y"])
