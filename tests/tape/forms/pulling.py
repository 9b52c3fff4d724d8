# Objects with a function that what arrives is handed to.
import math
class Num:
    def __init__(self, v, pull=None):
        self.v = v
        self.d = 0.0
        self.pull = pull or self._collect
    def _collect(self, d):
        self.d += d
def mul(a, b):
    def pull(d):
        a.pull(d * b.v)
        b.pull(d * a.v)
    return Num(a.v * b.v, pull)
def add(a, b):
    def pull(d):
        a.pull(d)
        b.pull(d)
    return Num(a.v + b.v, pull)
def sin(a):
    return Num(math.sin(a.v), lambda d: a.pull(d * math.cos(a.v)))
x, y = Num(0.5), Num(4.2)
z = add(mul(x, y), sin(x))
z.pull(1.0)
print(x.d, y.d)
