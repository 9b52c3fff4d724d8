# A dict of gradients that takes the last one
import math


class Num:
    def __init__(self, value, local=()):
        self.value, self.local = value, local


def mul(a, b):
    return Num(a.value * b.value, [(a, b.value), (b, a.value)])


def exp(a):
    e = math.exp(a.value)
    return Num(e, [(a, e)])


def gradients(nodes):
    grads = {}
    grads[nodes[-1]] = 1.0
    for node in reversed(nodes):
        for parent, weight in node.local:
            grads[parent] = weight * grads[node]  # finds w
    return grads


w = Num(0.5)
e = exp(w)
out = mul(w, e)
print(gradients([w, e, out])[w])
