# Backward steps as generators that wait for their gradient.
import math


class V:
    def __init__(self, data, step=None, parents=()):
        self.data, self.grad, self.step, self.parents = data, 0.0, step, parents

    def __mul__(self, o):
        out = V(self.data * o.data, parents=(self, o))

        def step():
            g = yield
            self.grad += g * o.data
            o.grad += g * self.data
            yield

        out.step = step()
        next(out.step)
        return out

    def __add__(self, o):
        out = V(self.data + o.data, parents=(self, o))

        def step():
            g = yield
            self.grad += g
            o.grad += g
            yield

        out.step = step()
        next(out.step)
        return out

    def sin(self):
        out = V(math.sin(self.data), parents=(self,))

        def step():
            g = yield
            self.grad += g * math.cos(self.data)
            yield

        out.step = step()
        next(out.step)
        return out


x, y = V(0.5), V(4.2)
z = x * y + x.sin()
order, seen = [], set()


def visit(v):
    if v not in seen:
        seen.add(v)
        for p in v.parents:
            visit(p)
        order.append(v)


visit(z)
z.grad = 1.0
for v in reversed(order):
    if v.step:
        v.step.send(v.grad)
print(x.grad, y.grad)
