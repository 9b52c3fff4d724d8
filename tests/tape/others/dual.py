# Dual numbers: forward mode, which records nothing.
import math


class Dual:
    def __init__(self, v, d=0.0):
        self.v, self.d = v, d

    def __mul__(self, o):
        return Dual(self.v * o.v, self.v * o.d + self.d * o.v)

    def __add__(self, o):
        return Dual(self.v + o.v, self.d + o.d)

    def sin(self):
        return Dual(math.sin(self.v), self.d * math.cos(self.v))


x, y = Dual(0.5, 1.0), Dual(4.2)
z = x * y + x.sin()
print(z.d)
