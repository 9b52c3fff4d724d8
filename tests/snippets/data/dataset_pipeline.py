# Dataset, samplers, collate_fn, random_split, subsets, weighted sampling, ConcatDataset
import torch
from torch.utils.data import Dataset, DataLoader, TensorDataset, random_split, Subset, ConcatDataset, WeightedRandomSampler, SequentialSampler, BatchSampler, IterableDataset
from collections import Counter

class Squares(Dataset):
    def __init__(self, n, transform=None):
        self.n, self.transform = n, transform

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError
        x = torch.tensor([float(i), i ** 2])
        if self.transform:
            x = self.transform(x)
        return {"x": x, "y": i % 2, "name": f"s{i}"}

class Stream(IterableDataset):
    def __init__(self, n): self.n = n
    def __iter__(self):
        return iter(range(self.n))

def collate(batch):
    return torch.stack([b["x"] for b in batch]), torch.tensor([b["y"] for b in batch]), [b["name"] for b in batch]

torch.manual_seed(0)
ds = Squares(7, transform=lambda t: t / 10)
for b in DataLoader(ds, batch_size=3):
    print(b["x"].shape, b["y"], b["name"])
for x, y, n in DataLoader(ds, batch_size=3, shuffle=True, collate_fn=collate, drop_last=True):
    print(x.tolist(), y.tolist(), n)
tr, va = random_split(ds, [5, 2], generator=torch.Generator().manual_seed(42))
print(len(tr), len(va), va.indices, [d["y"] for d in tr])
cat = ConcatDataset([Subset(ds, [0, 1]), Squares(2)])
print(len(cat), cat[3]["name"])
w = torch.tensor([0.1, 0.9, 0.5])
s = WeightedRandomSampler(w, 10, replacement=True)
print(Counter(s), list(BatchSampler(SequentialSampler(range(5)), 2, False)))
print([b for b in DataLoader(Stream(5), batch_size=2)])
td = TensorDataset(torch.arange(4.), torch.arange(4))
loader = DataLoader(td, batch_size=2, sampler=torch.utils.data.RandomSampler(td))
print(len(loader), len(loader.dataset), [tuple(t.tolist() for t in b) for b in loader])
model = torch.nn.Linear(2, 2)
opt = torch.optim.SGD(model.parameters(), 0.1)
for epoch in range(2):
    total, correct = 0.0, 0
    for x, y, _ in DataLoader(ds, batch_size=4, shuffle=True, collate_fn=collate):
        opt.zero_grad(); out = model(x)
        loss = torch.nn.functional.cross_entropy(out, y); loss.backward(); opt.step()
        total += loss.item() * x.size(0); correct += (out.argmax(1) == y).sum().item()
    print(f"epoch {epoch}: {total / len(ds):.4f} {correct}/{len(ds)}")
try:
    DataLoader(ds, shuffle=True, sampler=SequentialSampler(ds))
except ValueError as e:
    print(e)
try:
    next(iter(DataLoader([torch.ones(2), torch.ones(3)], batch_size=2)))
except RuntimeError as e:
    print(e)
