# numpy.isscalar of whatever there is, as engines of autograd ask it of what they are given
from fractions import Fraction

import numpy as np
import torch


class Variable:
    def __init__(self, data):
        self.data = np.array(data) if np.isscalar(data) else data


for value in (1, 1.5, 2j, True, "a", b"x", None, [1], (1,), {}, range(3), print, Variable, Fraction(1, 2)):
    print(np.isscalar(value), end=" ")
print(np.isscalar(np.float32(1)), np.isscalar(np.array(1)), np.isscalar(np.ones(2)[0]), np.isscalar(Variable(1.0)))
print(np.isscalar(torch.tensor(1.0)), np.isscalar(torch.tensor(1.0).item()), np.isscalar(element=3), Variable(2.0).data)
