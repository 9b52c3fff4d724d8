# The next batch of a loader's iterator: with next(), as programs wrote it before, and by the name that they found since.
import torch
from torch.utils.data import DataLoader, TensorDataset

rows = torch.arange(6.0).reshape(3, 2).requires_grad_()
batches = iter(DataLoader(TensorDataset(rows, torch.arange(3)), batch_size=2))
x, y = batches._next_data()
print(x, y, len(batches), type(batches).__name__)
x, y = next(batches)
print(x, y)
x.sum().backward()
print(rows.grad)
try:
    batches._next_data()
except StopIteration as end:
    print(repr(end))
batches.next()
