# Entries with the names of what went in and out, and a dict of gradients by name.
import math
from typing import NamedTuple

count = 0
entries = []


class Entry(NamedTuple):
    inputs: list
    output: str
    propagate: object


def fresh():
    global count
    count += 1
    return f"v{count}"


class Variable:
    def __init__(self, value, name=None):
        self.value = value
        self.name = name or fresh()

    def __mul__(self, other):
        r = Variable(self.value * other.value)
        entries.append(Entry([self.name, other.name], r.name, lambda g: [g * other.value, g * self.value]))
        return r

    def __add__(self, other):
        r = Variable(self.value + other.value)
        entries.append(Entry([self.name, other.name], r.name, lambda g: [g, g]))
        return r


def sin(v):
    r = Variable(math.sin(v.value))
    entries.append(Entry([v.name], r.name, lambda g: [g * math.cos(v.value)]))
    return r


def grad(loss):
    d = {}
    d[loss.name] = 1.0
    for entry in reversed(entries):
        if entry.output not in d:
            continue
        for name, g in zip(entry.inputs, entry.propagate(d[entry.output])):
            d[name] = d[name] + g if name in d else g
    return d


x = Variable(0.5)
y = Variable(4.2)
z = x * y + sin(x)
d = grad(z)
print(d[x.name], d[y.name])
