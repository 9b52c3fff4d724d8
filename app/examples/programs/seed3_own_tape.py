import math


class Tape:
    def __init__(self):
        self.nodes = []

    def variable(self, value):
        return Variable(self, value, self.push())

    def push(self, *parents):
        self.nodes.append(parents)
        return len(self.nodes) - 1


class Variable:
    def __init__(self, tape, value, index):
        self.tape, self.value, self.index = tape, value, index

    def __sub__(self, other):
        index = self.tape.push((self.index, lambda g: g), (other.index, lambda g: -g))
        return Variable(self.tape, self.value - other.value, index)

    def sin(self):
        index = self.tape.push((self.index, lambda g: g * math.cos(self.value)))
        return Variable(self.tape, math.sin(self.value), index)

    def cos(self):
        index = self.tape.push((self.index, lambda g: g * -math.sin(self.value)))
        return Variable(self.tape, math.cos(self.value), index)

    def backward(self):
        grads = [0.0] * len(self.tape.nodes)
        grads[self.index] = 1.0
        for i in reversed(range(len(grads))):
            for parent, backprop in self.tape.nodes[i]:
                grads[parent] += backprop(grads[i])
        return grads


tape = Tape()
x = tape.variable(0.5)
y = tape.variable(1.2)
z = (x - y).sin() - x.cos()
grads = z.backward()
print(grads[x.index], grads[y.index])
