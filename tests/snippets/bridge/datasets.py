# Dataset and DataLoader
import torch
from torch.utils.data import Dataset, DataLoader, TensorDataset
class D(Dataset):
    def __init__(self): self.x = torch.arange(6.).view(3, 2)
    def __len__(self): return len(self.x)
    def __getitem__(self, i): return self.x[i], i
d = D(); print(len(d), d[1])
for xb, yb in DataLoader(d, batch_size=2): print(xb, yb)
for (b,) in DataLoader(TensorDataset(torch.ones(3)), batch_size=2): print(b)
