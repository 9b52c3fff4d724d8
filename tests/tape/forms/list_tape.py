# A tape of weights and indices.
import math


class Tape:
    def __init__(self):
        self.nodes = []

    def var(self, value):
        return Var(self, self.push((0.0, 0.0), None), value)

    def push(self, weights, deps):
        index = len(self.nodes)
        self.nodes.append((weights, deps or (index, index)))
        return index


class Var:
    def __init__(self, tape, index, value):
        self.tape, self.index, self.value = tape, index, value

    def __add__(self, other):
        return Var(self.tape, self.tape.push((1.0, 1.0), (self.index, other.index)), self.value + other.value)

    def __mul__(self, other):
        index = self.tape.push((other.value, self.value), (self.index, other.index))
        return Var(self.tape, index, self.value * other.value)

    def sin(self):
        return Var(self.tape, self.tape.push((math.cos(self.value), 0.0), (self.index, self.index)), math.sin(self.value))

    def grad(self):
        derivs = [0.0] * len(self.tape.nodes)
        derivs[self.index] = 1.0
        for i in reversed(range(len(derivs))):
            weights, deps = self.tape.nodes[i]
            if weights == (0.0, 0.0):
                continue
            for j in range(2):
                if weights[j]:
                    derivs[deps[j]] += weights[j] * derivs[i]
        return derivs


tape = Tape()
x = tape.var(0.5)
y = tape.var(4.2)
z = x * y + x.sin()
d = z.grad()
print(d[x.index], d[y.index])
