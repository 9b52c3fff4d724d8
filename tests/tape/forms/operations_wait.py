# Each operation is a generator: it yields its value, and is sent its gradient.
import math


class Number:
    def __init__(self, value):
        self.value, self.grad, self.running = value, 0.0, None


tape = []


def run(operation):
    out = Number(next(operation))
    out.running = operation
    tape.append(out)
    return out


def add(a, b):
    g = yield a.value + b.value
    a.grad += g
    b.grad += g
    yield


def mul(a, b):
    g = yield a.value * b.value
    a.grad += g * b.value
    b.grad += g * a.value
    yield


def sin(a):
    g = yield math.sin(a.value)
    a.grad += g * math.cos(a.value)
    yield


x, y = Number(0.5), Number(4.2)
z = run(add(run(mul(x, y)), run(sin(x))))
z.grad = 1.0
for out in reversed(tape):
    out.running.send(out.grad)
print(x.grad, y.grad)
