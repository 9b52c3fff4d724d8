# A context with a list of nodes, each with its parents' indices and functions, as in Nim's Rosetta.
import math
from dataclasses import dataclass, field


@dataclass
class Context:
    nodes: list = field(default_factory=list)

    def variable(self, value):
        index = len(self.nodes)
        self.nodes.append(Payload([], []))
        return Variable(self, value, index)

    def push_unary(self, parent, back):
        self.nodes.append(Payload([parent], [back]))
        return len(self.nodes) - 1

    def push_binary(self, lhs, back_l, rhs, back_r):
        self.nodes.append(Payload([lhs, rhs], [back_l, back_r]))
        return len(self.nodes) - 1


@dataclass
class Payload:
    parents: list
    backs: list


@dataclass
class Variable:
    tape: Context
    value: float
    index: int

    def __mul__(self, rhs):
        a, b = self.value, rhs.value
        index = self.tape.push_binary(self.index, lambda g: g * b, rhs.index, lambda g: g * a)
        return Variable(self.tape, a * b, index)

    def __add__(self, rhs):
        index = self.tape.push_binary(self.index, lambda g: g, rhs.index, lambda g: g)
        return Variable(self.tape, self.value + rhs.value, index)

    def sin(self):
        a = self.value
        return Variable(self.tape, math.sin(a), self.tape.push_unary(self.index, lambda g: g * math.cos(a)))

    def backprop(self):
        grads = [0.0 for _ in self.tape.nodes]
        grads[self.index] = 1.0
        for index in range(self.index, -1, -1):
            node = self.tape.nodes[index]
            for parent, back in zip(node.parents, node.backs):
                grads[parent] += back(grads[index])
        return grads


ctx = Context()
x = ctx.variable(0.5)
y = ctx.variable(4.2)
z = x * y + x.sin()
grads = z.backprop()
print(grads[x.index], grads[y.index])
