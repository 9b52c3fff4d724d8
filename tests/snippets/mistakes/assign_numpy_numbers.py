# What a tensor's elements can be assigned: numpy's int64 and float64 are Python's numbers, its float32 and bool are not.
import numpy as np
import torch


def attempt(what):
    try:
        print(what())
    except Exception as error:
        print(type(error).__name__, error)


def assigned(index, value, like=None):
    x = torch.arange(6.0).reshape(2, 3) if like is None else like.clone()
    x[index] = value
    return x


measured = np.array([0.25, 0.5], dtype=np.float32)
losses = torch.zeros(2)
for i in range(2):
    try:
        losses[i] = measured[i]
    except TypeError as error:
        print(error)
        losses[i] = float(measured[i])
print(losses)
for value in (np.float64(2), np.int64(3), np.uint8(1), np.float16(2), np.bool_(True), np.complex64(1), measured):
    attempt(lambda: assigned(0, value))
    attempt(lambda: assigned((slice(None), 1), value, torch.zeros(2, 2, dtype=torch.long)))
    attempt(lambda: assigned(torch.tensor([1]), value))
attempt(lambda: assigned((5, True), np.float32(1)))

x = torch.arange(6.0).reshape(2, 3)
for dtype in (torch.int8, torch.int16, torch.int32, torch.uint8, torch.float32):
    attempt(lambda: x[torch.tensor([0, 1], dtype=dtype)])
    attempt(lambda: x[:, torch.tensor(1, dtype=dtype)])
    attempt(lambda: assigned(torch.tensor([0, 1], dtype=dtype), 9.0))
    attempt(lambda: assigned(torch.tensor([0, 1], dtype=dtype), torch.ones(3)))
attempt(lambda: x[torch.tensor([]), 5])
attempt(lambda: x[False, torch.tensor([0, 1], dtype=torch.int16), torch.tensor([[0, 1], [1, 0]])])
