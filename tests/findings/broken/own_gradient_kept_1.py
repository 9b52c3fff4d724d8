# Two passes, and only the leaves are cleared
class Value:
    def __init__(self, data, parents=()):
        self.data, self.parents = data, parents
        self.grad = 0.0
        self.back = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))

        def back():
            self.grad += out.grad
            other.grad += out.grad

        out.back = back
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))

        def back():
            self.grad += other.data * out.grad  # finds h
            other.grad += self.data * out.grad

        out.back = back
        return out


def backward(root):
    order, seen = [], set()

    def visit(v):
        if v not in seen:
            seen.add(v)
            for p in v.parents:
                visit(p)
            order.append(v)

    visit(root)
    root.grad = 1.0
    for v in reversed(order):
        v.back()


x = Value(3.0)
y = Value(2.0)
h = x * y
z = h * y
backward(z)
x.grad = y.grad = 0.0
backward(z)
print(x.grad, y.grad)
