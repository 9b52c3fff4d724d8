# Workers of a loader: each has its own random numbers, its own copy of the dataset, and its place in the batches.
import random

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, TensorDataset, get_worker_info


class Noisy(Dataset):
    calls = 0

    def __len__(self):
        return 7

    def __getitem__(self, index):
        self.calls += 1
        info = get_worker_info()
        who = -1 if info is None else info.id
        return index, torch.rand(()), random.random(), np.random.rand(), who, self.calls


class Counting(IterableDataset):
    def __init__(self, start, end):
        self.start, self.end = start, end

    def __iter__(self):
        info = get_worker_info()
        if info is None:
            return iter(range(self.start, self.end))
        share = -(-(self.end - self.start) // info.num_workers)
        first = self.start + info.id * share
        return iter(range(first, min(first + share, self.end)))


class Twice(IterableDataset):
    def __iter__(self):
        yield from range(3)


random.seed(0)
np.random.seed(0)
torch.manual_seed(0)
for workers in (0, 2):
    data = Noisy()
    loader = DataLoader(data, batch_size=2, num_workers=workers, shuffle=True)
    for epoch in range(2):
        for batch in loader:
            print(workers, epoch, [column.tolist() for column in batch])
    print(data.calls, torch.rand(1).item())

loader = DataLoader(Noisy(), batch_size=3, num_workers=2, persistent_workers=True)
for epoch in range(2):
    print([batch[1].tolist() for batch in loader], torch.rand(1).item())

print([batch.tolist() for batch in DataLoader(Counting(3, 10), batch_size=2, num_workers=2)])
print([batch.tolist() for batch in DataLoader(Counting(3, 10), batch_size=2, num_workers=2, drop_last=True)])
print([row for row in DataLoader(Counting(3, 10), batch_size=None, num_workers=2)])
print([batch.tolist() for batch in DataLoader(Twice(), batch_size=2, num_workers=2)])


def seed_all(worker):
    random.seed(worker)
    info = get_worker_info()
    info.dataset.calls = 10 * worker + info.num_workers + len(type(info).__name__)


loader = DataLoader(Noisy(), batch_size=3, num_workers=2, worker_init_fn=seed_all, generator=torch.Generator().manual_seed(5))
for batch in loader:
    print([column.tolist() for column in batch])

weights = torch.ones(2, requires_grad=True)
rows = TensorDataset(torch.arange(8.0).reshape(4, 2))
for (x,) in DataLoader(rows, batch_size=2, num_workers=2, shuffle=True):
    loss = (x @ weights).sum()
    loss.backward()
print(weights.grad, get_worker_info())
