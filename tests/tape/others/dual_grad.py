# Dual numbers whose second part is called grad.
import math


class Dual:
    def __init__(self, data, grad=0.0):
        self.data, self.grad = data, grad

    def __mul__(self, o):
        return Dual(self.data * o.data, self.data * o.grad + self.grad * o.data)

    def __add__(self, o):
        return Dual(self.data + o.data, self.grad + o.grad)

    def sin(self):
        return Dual(math.sin(self.data), self.grad * math.cos(self.data))


x, y = Dual(0.5, 1.0), Dual(4.2)
z = x * y + x.sin()
print(z.grad)
