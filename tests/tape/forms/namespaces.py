# A namespace for each node, and a queue of what is to be sent on.
import math
from types import SimpleNamespace as Node


def leaf(v):
    return Node(v=v, g=0.0, waits=0, slopes=())


def made(v, *slopes):
    for source, _ in slopes:
        source.waits += 1
    return Node(v=v, g=0.0, waits=0, slopes=slopes)


def add(a, b):
    return made(a.v + b.v, (a, 1.0), (b, 1.0))


def mul(a, b):
    return made(a.v * b.v, (a, b.v), (b, a.v))


def sin(a):
    return made(math.sin(a.v), (a, math.cos(a.v)))


x, y = leaf(0.5), leaf(4.2)
z = add(mul(x, y), sin(x))
z.g = 1.0
queue = [z]
while queue:
    node = queue.pop(0)
    for source, slope in node.slopes:
        source.g += slope * node.g
        source.waits -= 1
        if not source.waits:
            queue.append(source)
print(x.g, y.g)
