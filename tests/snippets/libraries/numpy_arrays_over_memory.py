# `numpy.ndarray` called: an array over another array's memory, which a tensor shares, too.
import numpy as np
import torch

base = np.array([1, 2, 3, 4, 5, 6])
over = np.ndarray(shape=(2, 3), dtype=int, buffer=base)
t = torch.from_numpy(over)
print(over, t, isinstance(over, np.ndarray))
over[0, 0] = 9
t[1, 2] = -1
print(base, t)
print(np.ndarray((2, 2)).shape, np.ndarray(3, np.int32).dtype, np.ndarray((2,), float).dtype)
print(np.ndarray((2,), buffer=np.arange(4.0), offset=8), np.ndarray((2, 2), buffer=np.arange(4.0), order="F"))


def tried(what):
    try:
        print(what())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)


tried(lambda: np.ndarray((2, 2), buffer=np.ones(3)))
tried(lambda: np.ndarray((-1,)))
