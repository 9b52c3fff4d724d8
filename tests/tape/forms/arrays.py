# Arrays of numpy, and a creator for each.
import numpy as np


class Variable:
    def __init__(self, data, creator=None):
        self.data = np.asarray(data, dtype=float)
        self.creator = creator
        self.grad = None

    def backward(self):
        self.grad = np.ones_like(self.data)
        todo = [self.creator]
        while todo:
            f = todo.pop(0)
            if f is None:
                continue
            for x, g in zip(f.inputs, f.backward(f.output.grad)):
                x.grad = g if x.grad is None else x.grad + g
                todo.append(x.creator)


class Function:
    def __call__(self, *inputs):
        self.inputs = inputs
        self.output = Variable(self.forward(*[x.data for x in inputs]), self)
        return self.output


class Mul(Function):
    def forward(self, a, b):
        return a * b

    def backward(self, g):
        a, b = self.inputs
        return g * b.data, g * a.data


class Add(Function):
    def forward(self, a, b):
        return a + b

    def backward(self, g):
        return g, g


class Sin(Function):
    def forward(self, a):
        return np.sin(a)

    def backward(self, g):
        return (g * np.cos(self.inputs[0].data),)


x = Variable([0.5, 1.0])
y = Variable([4.2, -2.0])
z = Add()(Mul()(x, y), Sin()(x))
z.backward()
print(x.grad, y.grad)
