# Dataset, DataLoader and batches
import torch
from torch.utils.data import Dataset, DataLoader

class Squares(Dataset):
    def __init__(self, n):
        self.x = torch.arange(n, dtype=torch.float32)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.x[i] ** 2

ds = Squares(7)
print(len(ds), ds[3])
loader = DataLoader(ds, batch_size=3, shuffle=False)
print(len(loader))
for batch, (x, y) in enumerate(loader):
    print(batch, x, y)
print(len(DataLoader(ds, batch_size=3, drop_last=True)))
x, y = next(iter(DataLoader(ds, batch_size=2)))
print(x.shape, y.dtype)
