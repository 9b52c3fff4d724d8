# Gradients by name, of which the last one is left
import math
values = {}
tape = []
def mul(out, a, b):
    values[out] = values[a] * values[b]
    tape.append((out, [(a, values[b]), (b, values[a])]))
def add(out, a, b):
    values[out] = values[a] + values[b]
    tape.append((out, [(a, 1.0), (b, 1.0)]))
def sin(out, a):
    values[out] = math.sin(values[a])
    tape.append((out, [(a, math.cos(values[a]))]))
values["x"] = 0.5
values["y"] = 4.2
mul("p", "x", "y")
sin("s", "x")
add("z", "p", "s")
grads = dict.fromkeys(values, 0.0)
grads["z"] = 1.0
for out, parents in reversed(tape):
    for name, local in parents:
        grads[name] = grads[out] * local  # finds x
print(grads["x"], grads["y"])
