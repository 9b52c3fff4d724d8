import math


class Value:
    def __init__(self, data, parents=()):
        self.data, self.parents = data, parents
        self.grad = 0.0
        self.backprop = lambda: None

    def __sub__(self, other):
        out = Value(self.data - other.data, (self, other))

        def backprop():
            self.grad += out.grad
            other.grad -= out.grad

        out.backprop = backprop
        return out

    def sin(self):
        out = Value(math.sin(self.data), (self,))

        def backprop():
            self.grad += math.cos(self.data) * out.grad

        out.backprop = backprop
        return out

    def cos(self):
        out = Value(math.cos(self.data), (self,))

        def backprop():
            self.grad += -math.sin(self.data) * out.grad

        out.backprop = backprop
        return out


x = Value(0.5)
s, c = x.sin(), x.cos()
z = s - c
z.grad = 1.0
for v in (z, s, c):
    v.backprop()
print(x.grad)
