# The pass written out at the top level, a node at a time.
class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.parents = parents
        self.grad = 0.0
        self.step = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))

        def step():
            self.grad += out.grad
            other.grad += out.grad

        out.step = step
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))

        def step():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out.step = step
        return out


a = Value(2.0)
b = Value(-3.0)
c = a * b
d = c + a
d.grad = 1.0
d.step()
c.step()
print(a.grad, b.grad)
