"""numpy's scalars repeat sequences as Python's integers do; arrays calculate with them."""

import operator
from collections import deque

import numpy as np


class Stack(list):
    pass


def shown(what):
    try:
        result = what()
    except TypeError as error:
        print(type(error).__name__, error)
    else:
        print(type(result).__name__, result)


np.random.seed(0)
n = np.random.choice(range(1, 6), p=[0.1, 0.2, 0.4, 0.2, 0.1])
signs = [0] * n + [1] * n
signs.insert(0, 3)
signs.append(2)
print(len(signs) == 2 * n + 2)

shown(lambda: np.int64(2) * [1, 2])
shown(lambda: (1,) * np.int32(2))
shown(lambda: np.uint8(3) * "ab")
shown(lambda: b"a" * np.int64(2))
shown(lambda: [[]] * np.prod([2, 2]))
shown(lambda: [None] * np.arange(3).max())
shown(lambda: [1] * np.int64(-1))
shown(lambda: deque([1]) * np.int64(2))
shown(lambda: Stack([1]) * np.int64(2))
shown(lambda: operator.mul([1], np.int64(2)))
shown(lambda: [0] * np.float64(2))
shown(lambda: np.float32(2) * (1, 2.5))
shown(lambda: np.bool_(True) * [1])
shown(lambda: "a" * np.float64(2))
shown(lambda: {1} * np.int64(2))

kept = row = [0]
row *= np.int64(3)
print(row, kept)

shown(lambda: [1, 2] * np.array(3))
shown(lambda: [1] * np.array([1, 2]))
shown(lambda: np.arange(3) + range(3))
shown(lambda: range(3) * np.int64(2))
shown(lambda: np.arange(3) == range(3))
