# numpy's numbers that are none of Python's kinds go into functions as floats, and arrays of tensors take a dtype
import warnings

import numpy as np
import torch

t = torch.tensor([1, 2, 3])
mask = torch.tensor([True, False, True])
yes = np.bool_(True)

print(torch.add(t, yes), t + yes, t.mul(yes), torch.sub(t, yes), torch.pow(t, yes))
print(torch.full((2,), yes), torch.arange(0, 3, yes), torch.where(mask, yes, 0.5))
print(torch.add(t, np.int8(2)), torch.mul(t, np.float16(1.5)), torch.add(t, np.complex128(1j)))

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(torch.add(t, np.complex64(2 + 1j)), torch.full((2,), np.complex64(3)))
    print(mask + np.array(True), np.array(t), np.array([t, t]))
    try:
        np.array(t, copy=False)
    except ValueError as error:
        print(error)
for warning in caught:
    print(warning.category.__name__, str(warning.message)[:90])

print(repr(t.__array__(np.float64)), repr(t.__array__("float32")), repr(t.__array__()), repr(t.numpy().astype(None)))
print(torch.tensor([1.0, np.float32(2.0)]), torch.tensor([np.array([1.0]), np.array([2.0])]))
try:
    torch.tensor([np.array(1.0), np.array(2.0)])
except TypeError as error:
    print(error)
