# A Wengert list: tuples, and numbers beside them.
import math

tape = []
vals = []


def push(op, value, *args):
    tape.append((op, args))
    vals.append(value)
    return len(vals) - 1


def leaf(value):
    return push("leaf", value)


def mul(a, b):
    return push("mul", vals[a] * vals[b], a, b)


def add(a, b):
    return push("add", vals[a] + vals[b], a, b)


def sin(a):
    return push("sin", math.sin(vals[a]), a)


def backward(root):
    bar = [0.0] * len(vals)
    bar[root] = 1.0
    for i in range(root, -1, -1):
        op, args = tape[i]
        if op == "mul":
            a, b = args
            bar[a] += vals[b] * bar[i]
            bar[b] += vals[a] * bar[i]
        elif op == "add":
            for a in args:
                bar[a] += bar[i]
        elif op == "sin":
            bar[args[0]] += math.cos(vals[args[0]]) * bar[i]
    return bar


x = leaf(0.5)
y = leaf(4.2)
z = add(mul(x, y), sin(x))
bar = backward(z)
print(bar[x], bar[y])
