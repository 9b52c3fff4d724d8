# A graph of names, and a function for each kind of operation.
import math
graph = {}
env = {"x": 0.5, "y": 4.2}
def op(name, kind, *args):
    vals = [env[a] for a in args]
    env[name] = {"mul": lambda a, b: a * b, "add": lambda a, b: a + b, "sin": math.sin}[kind](*vals)
    graph[name] = (kind, args)
op("p", "mul", "x", "y")
op("s", "sin", "x")
op("z", "add", "p", "s")
def backward(root):
    g = {root: 1.0}
    for name in reversed(list(graph)):
        kind, args = graph[name]
        d = g[name]
        if kind == "mul":
            a, b = args
            g[a] = g.get(a, 0.0) + d * env[b]
            g[b] = g.get(b, 0.0) + d * env[a]
        elif kind == "add":
            for a in args:
                g[a] = g.get(a, 0.0) + d
        else:
            (a,) = args
            g[a] = g.get(a, 0.0) + d * math.cos(env[a])
    return g
g = backward("z")
print(g["x"], g["y"])
