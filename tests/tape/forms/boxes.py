# Boxes around numbers, nodes beside them, as in autograd.
import math


class Node:
    def __init__(self, vjps, parents):
        self.vjps, self.parents = vjps, parents


class Box:
    def __init__(self, number, node):
        self.number, self.node = number, node

    def __add__(self, other):
        return add(self, other)

    def __mul__(self, other):
        return mul(self, other)


def primitive(f, *derivatives):
    def wrapped(*boxes):
        numbers = [b.number for b in boxes]
        node = Node([lambda g, d=d: g * d(*numbers) for d in derivatives], [b.node for b in boxes])
        return Box(f(*numbers), node)

    return wrapped


add = primitive(lambda a, b: a + b, lambda a, b: 1.0, lambda a, b: 1.0)
mul = primitive(lambda a, b: a * b, lambda a, b: b, lambda a, b: a)
sin = primitive(math.sin, math.cos)


def toposort(end):
    counts, stack = {}, [end]
    while stack:
        node = stack.pop()
        if node in counts:
            counts[node] += 1
        else:
            counts[node] = 1
            stack.extend(node.parents)
    ready = [end]
    while ready:
        node = ready.pop()
        yield node
        for parent in node.parents:
            if counts[parent] == 1:
                ready.append(parent)
            else:
                counts[parent] -= 1


def backward_pass(end):
    outgrads = {end: 1.0}
    for node in toposort(end):
        g = outgrads[node]
        for parent, vjp in zip(node.parents, node.vjps):
            if parent in outgrads:
                outgrads[parent] = outgrads[parent] + vjp(g)
            else:
                outgrads[parent] = vjp(g)
    return outgrads


x, y = Box(0.5, Node([], [])), Box(4.2, Node([], []))
z = x * y + sin(x)
outgrads = backward_pass(z.node)
print(outgrads[x.node], outgrads[y.node])
