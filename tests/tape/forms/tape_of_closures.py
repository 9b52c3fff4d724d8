# A list of closures as the tape; objects know nothing of where they come from.
import math

tape = []


class Val:
    def __init__(self, x):
        self.x = x
        self.dx = 0.0

    def __mul__(self, other):
        out = Val(self.x * other.x)

        def back():
            self.dx += other.x * out.dx
            other.dx += self.x * out.dx

        tape.append(back)
        return out

    def __add__(self, other):
        out = Val(self.x + other.x)

        def back():
            self.dx += out.dx
            other.dx += out.dx

        tape.append(back)
        return out


def sin(v):
    out = Val(math.sin(v.x))

    def back():
        v.dx += math.cos(v.x) * out.dx

    tape.append(back)
    return out


x, y = Val(0.5), Val(4.2)
z = x * y + sin(x)
z.dx = 1.0
while tape:
    tape.pop()()
print(x.dx, y.dx)
