# Arrays that hold functions of the gradient, and recursion.
import numpy as np


class Tensor:
    def __init__(self, data, deps=()):
        self.data, self.grad, self.deps = np.asarray(data, float), np.zeros_like(np.asarray(data, float)), deps

    def __mul__(self, o):
        return Tensor(self.data * o.data, [(self, lambda g: g * o.data), (o, lambda g: g * self.data)])

    def __add__(self, o):
        return Tensor(self.data + o.data, [(self, lambda g: g), (o, lambda g: g)])

    def sin(self):
        return Tensor(np.sin(self.data), [(self, lambda g: g * np.cos(self.data))])

    def backward(self, g=None):
        g = np.ones_like(self.data) if g is None else g
        self.grad = self.grad + g
        for t, f in self.deps:
            t.backward(f(g))


x, y = Tensor(0.5), Tensor(4.2)
z = x * y + x.sin()
z.backward()
print(x.grad, y.grad)
