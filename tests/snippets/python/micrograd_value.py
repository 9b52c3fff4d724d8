# A Value class with operator overloading, checked against torch
import math
import torch

class Value:
    def __init__(self, data, _children=(), _op=''):
        self.data, self.grad, self._op = data, 0.0, _op
        self._backward, self._prev = lambda: None, set(_children)

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+')
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    __radd__, __rmul__ = __add__, __mul__

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t, (self,), 'tanh')
        def _backward():
            self.grad += (1 - t ** 2) * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo, visited = [], set()
        def build(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build(child)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for node in reversed(topo):
            node._backward()

    def __repr__(self):
        return f"Value(data={self.data:.4f}, grad={self.grad:.4f})"

a, b = Value(2.0), Value(-3.0)
c = (2 * a * b + a * a * 0.5 + 1).tanh() * 3
c.backward()
print(a, b, c, sep="\n")
x, y = torch.tensor(2.0, requires_grad=True), torch.tensor(-3.0, requires_grad=True)
z = torch.tanh(2 * x * y + x * x * 0.5 + 1) * 3
z.backward()
print(f"{x.grad:.4f} {y.grad:.4f} {z:.4f}")
