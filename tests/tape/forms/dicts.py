# A dict for each node, with what it came from and the slope along each edge.
import math


def leaf(v):
    return {"v": v, "g": 0.0, "from": []}


def made(v, *edges):
    return {"v": v, "g": 0.0, "from": list(edges)}


def add(a, b):
    return made(a["v"] + b["v"], (a, 1.0), (b, 1.0))


def mul(a, b):
    return made(a["v"] * b["v"], (a, b["v"]), (b, a["v"]))


def sin(a):
    return made(math.sin(a["v"]), (a, math.cos(a["v"])))


def backward(root):
    order, seen = [], set()

    def visit(node):
        if id(node) not in seen:
            seen.add(id(node))
            for source, _ in node["from"]:
                visit(source)
            order.append(node)

    visit(root)
    root["g"] = 1.0
    for node in reversed(order):
        for source, slope in node["from"]:
            source["g"] += slope * node["g"]


x, y = leaf(0.5), leaf(4.2)
z = add(mul(x, y), sin(x))
backward(z)
print(x["g"], y["g"])
