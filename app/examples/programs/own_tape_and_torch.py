import math
import torch


class Node:
    def __init__(self, value, *inputs):
        self.value, self.inputs = value, inputs
        self.grad = 0.0

    def __sub__(self, other):
        return Sub(self, other)


class Sub(Node):
    def __init__(self, a, b):
        super().__init__(a.value - b.value, a, b)

    def backward(self):
        a, b = self.inputs
        a.grad += self.grad
        b.grad -= self.grad


class Sin(Node):
    def __init__(self, a):
        super().__init__(math.sin(a.value), a)

    def backward(self):
        (a,) = self.inputs
        a.grad += math.cos(a.value) * self.grad


class Cos(Node):
    def __init__(self, a):
        super().__init__(math.cos(a.value), a)

    def backward(self):
        (a,) = self.inputs
        a.grad -= math.sin(a.value) * self.grad


x = Node(0.5)
s, c = Sin(x), Cos(x)
z = s - c
z.grad = 1.0
for node in (z, c, s):
    node.backward()

p = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
q = p.sin() - p.cos()
q.backward()
print(x.grad, p.grad.item())
