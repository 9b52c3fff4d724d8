# Nothing is stored: methods hand on what arrives, and return the gradients of the leaves below.
import math


class Var:
    def __init__(self, name, value):
        self.name, self.value = name, value

    def gradients(self, seed):
        return [(self.name, seed)]


class Mul:
    def __init__(self, a, b):
        self.a, self.b = a, b
        self.value = a.value * b.value

    def gradients(self, seed):
        return self.a.gradients(seed * self.b.value) + self.b.gradients(seed * self.a.value)


class Add:
    def __init__(self, a, b):
        self.a, self.b = a, b
        self.value = a.value + b.value

    def gradients(self, seed):
        return self.a.gradients(seed) + self.b.gradients(seed)


class Sin:
    def __init__(self, a):
        self.a = a
        self.value = math.sin(a.value)

    def gradients(self, seed):
        return self.a.gradients(seed * math.cos(self.a.value))


x, y = Var("x", 0.5), Var("y", 4.2)
z = Add(Mul(x, y), Sin(x))
found = z.gradients(1.0)
print(sum(g for name, g in found if name == "x"), sum(g for name, g in found if name == "y"))
