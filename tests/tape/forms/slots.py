# Slots.
import math


class N:
    __slots__ = ("v", "g", "parents", "weights")

    def __init__(self, v, parents=(), weights=()):
        self.v, self.g, self.parents, self.weights = v, 0.0, parents, weights

    def __add__(self, o):
        return N(self.v + o.v, (self, o), (1.0, 1.0))

    def __mul__(self, o):
        return N(self.v * o.v, (self, o), (o.v, self.v))

    def sin(self):
        return N(math.sin(self.v), (self,), (math.cos(self.v),))


def sort(n, seen, out):
    if n not in seen:
        seen.add(n)
        for p in n.parents:
            sort(p, seen, out)
        out.append(n)
    return out


x, y = N(0.5), N(4.2)
z = x * y + x.sin()
z.g = 1.0
for n in sort(z, set(), [])[::-1]:
    for p, w in zip(n.parents, n.weights):
        p.g += w * n.g
print(x.g, y.g)
