# A list for each node, in which sin forgets the + of +=
import math


def leaf(v):
    return [v, 0.0, lambda: None]


def add(a, b):
    out = [a[0] + b[0], 0.0, None]

    def send():
        a[1] += out[1]
        b[1] += out[1]

    out[2] = send
    return out


def mul(a, b):
    out = [a[0] * b[0], 0.0, None]

    def send():
        a[1] += b[0] * out[1]
        b[1] += a[0] * out[1]

    out[2] = send
    return out


def sin(a):
    out = [math.sin(a[0]), 0.0, None]

    def send():
        a[1] = math.cos(a[0]) * out[1]  # finds x

    out[2] = send
    return out


x, y = leaf(0.5), leaf(4.2)
p = mul(x, y)
s = sin(x)
z = add(p, s)
z[1] = 1.0
for node in (z, p, s):
    node[2]()
print(x[1], y[1])
