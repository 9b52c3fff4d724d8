# Python operators on tensors: reflected, in-place, comparison chains, matmul, divmod, bool and int conversions
import torch
import operator
import math
x = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
i = torch.tensor([5, 3, 2])
for name, f in {
    "2 + x": lambda: 2 + x, "2 - x": lambda: 2 - x, "2 * x": lambda: 2 * x, "2 / x": lambda: 2 / x, "2 ** x": lambda: 2 ** x, "x ** 2": lambda: x ** 2,
    "-x": lambda: -x, "+x": lambda: +x, "abs(x)": lambda: abs(x), "x @ x": lambda: x @ x, "x % 2": lambda: x % 2, "5 % i": lambda: 5 % i, "x // 2": lambda: x // 2,
    "i // 2": lambda: i // 2, "7 // i": lambda: 7 // i, "i / 2": lambda: i / 2, "i ** 2": lambda: i ** 2, "~i": lambda: ~i, "i & 1": lambda: i & 1, "i | 8": lambda: i | 8, "i ^ i": lambda: i ^ i,
    "i << 1": lambda: i << 1, "i >> 1": lambda: i >> 1, "x > 0": lambda: x > 0, "0 < x": lambda: 0 < x, "x == x": lambda: x == x, "x != 1": lambda: x != 1, "~(x > 0)": lambda: ~(x > 0),
    "(x>0)&(x<2)": lambda: (x > 0) & (x < 2), "True + x": lambda: True + x, "x + 1j": lambda: x + 1j, "x.T @ x": lambda: x.T @ x, "round": lambda: round(x.detach()[0] * 1.26, 1) if False else torch.round(x),
    "math.ceil": lambda: math.ceil(x[0]), "pow": lambda: pow(x, 2), "divmod": lambda: divmod(7, 3), "sum": lambda: sum(x), "max": lambda: max(x), "sorted": lambda: sorted(i.tolist()), "len": lambda: len(x),
    "list": lambda: list(i), "float": lambda: float(x[0]), "int": lambda: int(x[2]), "bool": lambda: bool(x[0]), "index": lambda: [10, 20, 30][i[2]], "in": lambda: 3.0 in x, "iter": lambda: [v.item() for v in x],
    "hash": lambda: hash(x) == hash(x), "reversed": lambda: list(reversed(i.tolist())), "any": lambda: any(x > 2), "unpack": lambda: (lambda a, *b: (a, len(b)))(*x), "dict": lambda: {x: 1}[x], "operator": lambda: operator.add(x, 1),
    "mul str": lambda: x * "a", "add None": lambda: x + None, "add list": lambda: x + [1, 2, 3], "bool many": lambda: bool(x), "int many": lambda: int(x), "float neg shift": lambda: x << 1, "not": lambda: not x[0], "and": lambda: x[0] and x[1],
    "range": lambda: list(range(i[2])), "mod neg": lambda: torch.tensor([-5]) % 3, "fmod": lambda: torch.fmod(torch.tensor([-5]), 3), "int div neg": lambda: torch.tensor([-5]) // 2, "x | 1": lambda: x | 1, "0-d float": lambda: torch.tensor(2.5) * 2, "chain": lambda: 0 < x[0] < 2,
}.items():
    try:
        r = f()
        print(f"{name:<16} {r}")
    except Exception as e:
        print(f"{name:<16} {type(e).__name__}: {e}")
y = x * 1
z = y
y += 1
y *= 2
y -= x
y /= 3
y **= 2
print(y is z, y, y._version)
y.sum().backward()
print(x.grad)
i += 1
i //= 2
i %= 3
print(i)
try:
    i /= 2
except RuntimeError as e:
    print(e)
try:
    i += 1.5
except RuntimeError as e:
    print(e)
