# Each function returns its value and the function that goes back, as in Thinc.
import math


def mul(a, b):
    def back(d):
        return d * b, d * a

    return a * b, back


def add(a, b):
    def back(d):
        return d, d

    return a + b, back


def sin(a):
    return math.sin(a), lambda d: d * math.cos(a)


x = 0.5
y = 4.2
p, back_p = mul(x, y)
s, back_s = sin(x)
z, back_z = add(p, s)

dp, ds = back_z(1.0)
dx, dy = back_p(dp)
dx += back_s(ds)
print(dx, dy)
