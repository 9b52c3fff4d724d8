# A quotient whose denominator has the wrong sign
class V:
    def __init__(self, v):
        self.v = v
        self.g = 0.0
        self.of = []

    def __truediv__(self, o):
        out = V(self.v / o.v)
        out.of = [(self, 1 / o.v), (o, self.v / o.v**2)]
        return out


def go(v):
    v.g = 1.0
    for p, d in v.of:
        p.g += d * v.g  # finds b


a, b = V(6.0), V(2.0)
c = a / b
go(c)
print(a.g, b.g)
