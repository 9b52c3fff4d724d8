# Datasets: map style, iterable, collate with padding, samplers, ConcatDataset, Subset, batches of dicts
import torch
from torch.utils.data import Dataset, DataLoader, IterableDataset, TensorDataset, ConcatDataset, Subset, WeightedRandomSampler, BatchSampler, SequentialSampler, RandomSampler, random_split
from torch.nn.utils.rnn import pad_sequence
class Seq(Dataset):
    def __init__(s, n): s.n = n
    def __len__(s): return s.n
    def __getitem__(s, i):
        if i >= s.n: raise IndexError(i)
        return torch.arange(i + 1, dtype=torch.float), i % 2
def collate(b): xs, ys = zip(*b); return pad_sequence(xs, batch_first=True, padding_value=-1), torch.tensor(ys), torch.tensor([len(x) for x in xs])
for x, y, l in DataLoader(Seq(5), batch_size=2, collate_fn=collate): print(x, y, l)
class D(Dataset):
    def __len__(s): return 3
    def __getitem__(s, i): return {"x": torch.tensor([i]), "name": f"n{i}", "v": i * 1.5}
print(next(iter(DataLoader(D(), batch_size=3))))
class It(IterableDataset):
    def __iter__(s): return iter(range(5))
print([b.tolist() for b in DataLoader(It(), batch_size=2)], [b.tolist() for b in DataLoader(It(), batch_size=2, drop_last=True)])
td = TensorDataset(torch.arange(6.), torch.arange(6)); print(td[2], len(ConcatDataset([td, td])), Subset(td, [1, 3])[1], len(DataLoader(td, batch_size=4)), list(BatchSampler(SequentialSampler(td), 4, False)))
torch.manual_seed(0); print(list(WeightedRandomSampler([.1, .9], 5)), list(RandomSampler(td)), [b[1].tolist() for b in DataLoader(td, batch_size=2, shuffle=True)], [len(s) for s in random_split(td, [.5, .3, .2])], list(RandomSampler(td, replacement=True, num_samples=3)))
for f in (lambda: DataLoader(td, batch_size=0), lambda: DataLoader(td, shuffle=True, sampler=SequentialSampler(td)), lambda: TensorDataset(torch.ones(2), torch.ones(3)), lambda: random_split(td, [1, 2]), lambda: next(iter(DataLoader(Seq(3), batch_size=3))), lambda: td[10], lambda: len(DataLoader(It())), lambda: DataLoader([1, 2], batch_size=2, drop_last=True, batch_sampler=[[0]])):
    try: print(f())
    except Exception as e: print(type(e).__name__, str(e)[:200])
