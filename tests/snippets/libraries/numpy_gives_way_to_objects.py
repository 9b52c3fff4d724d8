# What numpy does with objects of a program's own classes: numbers reach them as Python's, arrays where they ask for them
import numpy as np


class Plain:
    def __init__(self, data):
        self.data = np.asarray(data, dtype=float)

    def __add__(self, other):
        return type(self)(self.data + getattr(other, "data", other))

    def __radd__(self, other):
        print("radd", type(other).__name__)
        return self + other

    def __rmatmul__(self, other):
        print("rmatmul", type(other).__name__)
        return type(self)(other @ self.data)

    def __pow__(self, n):
        return f"power {n!r}"

    def exp(self):
        return type(self)(np.exp(self.data))

    def __repr__(self):
        return f"{type(self).__name__}({self.data})"


class First(Plain):
    __array_priority__ = 200


class Alone(Plain):
    __array_ufunc__ = None


def attempt(f):
    try:
        print(f())
    except TypeError as error:
        print("TypeError:", error)


for kind in (Plain, First, Alone):
    v = kind([3.0, 4.0])
    for number in (np.float64(2.0), np.float32(2.0), np.int64(2), np.bool_(True), np.array(2.0)):
        attempt(lambda: number + v)
        attempt(lambda: number - v)
    attempt(lambda: v ** np.float64(2))
    attempt(lambda: np.exp(v))
    attempt(lambda: np.cos(v))
    attempt(lambda: np.add(v, 1))
    attempt(lambda: np.maximum(0, v))
for kind in (First, Alone):
    v = kind([3.0, 4.0])
    attempt(lambda: np.array([1.0, 2.0]) + v)
    attempt(lambda: np.array([[1.0, 2.0]]) @ v)
a = np.array([1.0, 2.0])
a += First([1.0, 1.0])
print(a, First.__array_priority__, Alone.__array_ufunc__, Alone([1]).__array_ufunc__)
a = np.array([1.0, 2.0])
try:
    a += Alone([1.0, 1.0])
except TypeError as error:
    print(error)
attempt(lambda: np.array([1.0, 2.0]) - Plain([1.0, 1.0]))
attempt(lambda: Plain([1.0]) / np.array([1.0, 2.0]))
