# Names: values in one dict, gradients in another, and a tape of which name is made of which.
import math
values = {}
tape = []
def var(name, value):
    values[name] = value
    return name
def mul(out, a, b):
    values[out] = values[a] * values[b]
    tape.append((out, [(a, values[b]), (b, values[a])]))
    return out
def add(out, a, b):
    values[out] = values[a] + values[b]
    tape.append((out, [(a, 1.0), (b, 1.0)]))
    return out
def sin(out, a):
    values[out] = math.sin(values[a])
    tape.append((out, [(a, math.cos(values[a]))]))
    return out
var("x", 0.5)
var("y", 4.2)
mul("p", "x", "y")
sin("s", "x")
add("z", "p", "s")
grads = {name: 0.0 for name in values}
grads["z"] = 1.0
for out, parents in reversed(tape):
    for name, local in parents:
        grads[name] += grads[out] * local
print(grads["x"], grads["y"])
