# A class for each operation.
import math


class Node:
    def __init__(self, *inputs):
        self.inputs = inputs
        self.adjoint = 0.0
        self.v = self.forward()

    def __add__(self, other):
        return Add(self, other)

    def __mul__(self, other):
        return Mul(self, other)


class Leaf(Node):
    def __init__(self, number):
        self.number = number
        super().__init__()

    def forward(self):
        return self.number

    def push(self):
        pass


class Add(Node):
    def forward(self):
        return self.inputs[0].v + self.inputs[1].v

    def push(self):
        for i in self.inputs:
            i.adjoint += self.adjoint


class Mul(Node):
    def forward(self):
        return self.inputs[0].v * self.inputs[1].v

    def push(self):
        a, b = self.inputs
        a.adjoint += b.v * self.adjoint
        b.adjoint += a.v * self.adjoint


class Sine(Node):
    def forward(self):
        return math.sin(self.inputs[0].v)

    def push(self):
        self.inputs[0].adjoint += math.cos(self.inputs[0].v) * self.adjoint


def order(root):
    done = []

    def walk(n):
        if n in done:
            return
        for i in n.inputs:
            walk(i)
        done.append(n)

    walk(root)
    return done


x, y = Leaf(0.5), Leaf(4.2)
z = x * y + Sine(x)
z.adjoint = 1.0
for node in reversed(order(z)):
    node.push()
print(x.adjoint, y.adjoint)
