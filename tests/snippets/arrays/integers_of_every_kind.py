"""What stands for an integer: scalars and arrays of numpy, tensors, objects with `__index__`."""

import itertools
import json
import math

import numpy as np
import torch


class Index:
    def __index__(self):
        return 3


def shown(name, what):
    try:
        result = what()
    except (TypeError, ValueError, NotImplementedError, RuntimeError) as error:
        print(name, type(error).__name__, str(error)[:150])
    else:
        print(name, type(result).__name__, result)


KINDS = [
    ("scalar", np.int64(3)),
    ("float", np.float64(3)),
    ("array", np.array(3)),
    ("tensor", torch.tensor(3)),
    ("vector", torch.tensor([3])),
    ("pair", torch.ones(2)),
    ("index", Index()),
]
for name, n in KINDS:
    shown(name + " repeats", lambda: [0] * n)
    shown(name + " pads", lambda: "a".ljust(n) + "|")
    shown(name + " tabs", lambda: "a\tb".expandtabs(n))
    shown(name + " bytes", lambda: bytes(n))
    shown(name + " factorial", lambda: math.factorial(n))
    shown(name + " perm", lambda: math.perm(n))
    shown(name + " comb", lambda: math.comb(5, n))
    shown(name + " gcd", lambda: math.gcd(n, 6))
    shown(name + " rounds", lambda: round(12345, -n) if name not in ("index", "float") else 0)
    shown(name + " index", lambda: [1, 2, 3, 4, 5][n])
    shown(name + " slice", lambda: [1, 2, 3, 4, 5][:n] if name != "pair" else 0)

print(1 << torch.tensor(3), True << torch.tensor(3), 16 >> torch.tensor([1, 2]))
shown("shift", lambda: 1 << torch.tensor(3.0))
shown("shift", lambda: "a" << torch.tensor(3))
shown("shift", lambda: np.int64(1) << torch.tensor(3))
print(divmod(np.arange(4), 2), divmod(7.5, np.arange(1, 3)), divmod(7, np.int64(2)), divmod([7, 8], np.int64(2)))

for value in ((1, 2), "ab", b"ab", range(3)):
    shown("index", lambda: value[np.float64(1)])
shown("slice", lambda: "ab"[np.float32(1) :])
shown("texts", lambda: "ab" * np.array(3))

a = np.arange(10)
print(np.diff(a, n=2), np.diff(a, np.int64(3)), np.diff(a, 100), np.diff(np.ones((3, 4)), n=3, axis=0))
print(len(np.array_split(a, np.int64(3))), len(np.array_split(a, 12)), np.split(a, [2, 5])[1])
print(np.repeat([1, 2], np.int64(2)), np.polyfit([1, 2, 3], [1, 4, 9], np.int64(1)).round(3))
print(np.round(1.2345, np.int64(2)), a.round(np.int64(-1)), np.linalg.matrix_power(np.eye(2) * 2, n=3))
print(np.histogram([1, 2, 3], bins=np.int64(2)))
print(np.random.permutation(np.int64(3)).shape)
print(list(itertools.combinations([1, 2, 3], np.int64(2))), list(itertools.permutations([1, 2], 5)))
shown("permutations", lambda: itertools.permutations([1, 2], np.int64(2)))
shown("tee", lambda: len(itertools.tee([1], 2000)))
shown("tee", lambda: itertools.tee([1], -1))
print(json.dumps({"a": [1, 2]}, indent=np.int64(1)))
print(torch.combinations(torch.arange(2), 5).shape)
