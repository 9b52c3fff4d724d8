# Breadth first, each node once
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
    root.grad = 1.0
    todo, seen = [root], set()
    while todo:
        v = todo.pop(0)
        if v in seen:
            continue
        seen.add(v)
        v.back()
        todo.extend(v.parents)


x = Value(3.0)
y = Value(2.0)
h = x * y
k = h * y
z = k * y + h
backward(z)
print(x.grad, y.grad)
