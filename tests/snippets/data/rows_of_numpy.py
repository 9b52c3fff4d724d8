"""Rows of datasets as loaders find them: arrays and numbers of numpy, mappings, rows given several at once."""

import collections, numpy as np, torch
from collections import OrderedDict, namedtuple, defaultdict
from torch.utils.data import Dataset, DataLoader, IterableDataset, Subset, TensorDataset, default_collate, default_convert, Sampler, BatchSampler, SequentialSampler, random_split, StackDataset, ConcatDataset
def show(x):
    if isinstance(x, torch.Tensor): return f"T{tuple(x.shape)}{x.dtype}{x.tolist()}"
    if isinstance(x, dict): return f"{type(x).__name__}" + str({k: show(v) for k, v in x.items()})
    if isinstance(x, (list, tuple)): return f"{type(x).__name__}[" + ', '.join(show(v) for v in x) + ']'
    return f"{type(x).__name__} {x}"
def t(f):
    try: print(show(f()))
    except Exception as e: print(type(e).__name__, str(e)[:160])
P = namedtuple('P', 'a b')
rows = [1, 1.5, True, 1j, 's', b'b', None, (1, 2), [1, 2], {'a': 1}, {1, 2}, P(1, 2.), OrderedDict(a=1), defaultdict(int, a=1), collections.Counter(a=2),
  np.float32(1.5), np.float64(1.5), np.int64(3), np.int8(3), np.bool_(True), np.array([1, 2]), np.array([1., 2.], dtype=np.float32), np.array(3.), np.array(['a', 'b']), np.zeros((2, 2), dtype=bool),
  torch.tensor(1.), range(3), 'é', complex(1, 2), lambda: 1, object, {'x': np.array([1.]), 'y': [np.float32(2), 'a']}, (np.array([1]), torch.tensor([2]), 3), [], (), {}]
for r in rows:
    if callable(r): continue
    t(lambda: default_collate([r, r]))
    t(lambda: default_convert(r))
t(lambda: default_collate([]))
t(lambda: default_collate([[1, 2], [1]]))
t(lambda: default_collate([(1, 2), (1,)]))
t(lambda: default_collate([{'a': 1}, {'b': 1}]))
t(lambda: default_collate([torch.zeros(2), torch.zeros(3)]))
t(lambda: default_collate([np.zeros(2), np.zeros(3)]))
t(lambda: default_collate([1, 1.5]))
t(lambda: default_collate([1.5, 1]))
t(lambda: default_collate([1, 'a']))
t(lambda: default_collate(['a', 1]))
t(lambda: default_collate([np.float32(1), 2.0]))
t(lambda: default_collate([np.zeros(2), torch.zeros(2)]))
t(lambda: default_collate([torch.zeros(2), np.zeros(2)]))
t(lambda: default_collate((1, 2)))
class It(IterableDataset):
    def __init__(self, n): self.n = n
    def __iter__(self): return iter([np.array([i, i]) for i in range(self.n)])
for bs in (None, 1, 2):
    for drop in (False, True):
        t(lambda: list(DataLoader(It(3), batch_size=bs, drop_last=drop)))
class G(IterableDataset):
    def __iter__(self):
        for i in range(3): yield i, np.float32(i)
    def __len__(self): return 3
t(lambda: list(DataLoader(G(), batch_size=2)))
t(lambda: len(DataLoader(G(), batch_size=2)))
t(lambda: len(DataLoader(It(3), batch_size=2)))
t(lambda: list(DataLoader(G(), batch_size=2, shuffle=True)))
class D(Dataset):
    def __init__(self, X, y): self.X, self.y = X, y
    def __len__(self): return len(self.X)
    def __getitem__(self, i): return self.X[i], self.y[i]
X, y = np.arange(8, dtype=np.float32).reshape(4, 2), np.arange(4)
t(lambda: list(DataLoader(D(X, y), batch_size=3)))
t(lambda: D(X, y)[np.int64(1)])
class S(Sampler):
    def __init__(self, n): self.n = n
    def __iter__(self): return iter(np.arange(self.n)[::-1])
    def __len__(self): return self.n
t(lambda: list(DataLoader(D(X, y), batch_size=3, sampler=S(4))))
t(lambda: list(DataLoader(TensorDataset(torch.arange(4.)), batch_size=3, sampler=S(4))))
t(lambda: list(DataLoader([10, 20, 30, 40], batch_size=3, sampler=S(4))))
t(lambda: list(DataLoader(D(X, y), batch_sampler=BatchSampler(S(4), 3, False))))
t(lambda: list(DataLoader(D(X, y), batch_sampler=[[0, 1], [np.int64(3)]])))
t(lambda: list(DataLoader(D(X, y), sampler=[2, 0])))
class B(Dataset):
    def __len__(self): return 4
    def __getitems__(self, idx): return [torch.tensor(i) * 10 for i in idx]
t(lambda: list(DataLoader(B(), batch_size=3)))
t(lambda: list(DataLoader(D(X, y), batch_size=None)))
t(lambda: list(DataLoader(D(X, y), batch_size=None, sampler=BatchSampler(SequentialSampler(range(4)), 2, False))))
t(lambda: list(DataLoader(X, batch_size=2)))
t(lambda: list(DataLoader(list(zip(X, y)), batch_size=2)))
t(lambda: list(DataLoader(D(torch.from_numpy(X), y), batch_size=4, collate_fn=lambda b: [type(r[1]).__name__ for r in b])))
t(lambda: [show(r) for r in random_split(D(X, y), [0.5, 0.5], generator=torch.Generator().manual_seed(0))[0]])
t(lambda: StackDataset(torch.arange(3), [1, 2, 3])[np.int64(1)])
t(lambda: list(DataLoader(StackDataset(a=torch.arange(3), b=[1, 2, 3]), batch_size=2)))
t(lambda: ConcatDataset([X, X])[5])
t(lambda: Subset(D(X, y), np.array([1, 2]))[1])
t(lambda: list(DataLoader(Subset(D(X, y), np.array([1, 2])), batch_size=2)))
l = DataLoader(D(X, y), batch_size=2)
t(lambda: l.collate_fn is default_collate); t(lambda: DataLoader(X, batch_size=None).collate_fn is default_convert)
t(lambda: (l.batch_size, l.drop_last, l.num_workers, type(l.sampler).__name__, type(l.batch_sampler).__name__, l.dataset.X is X))
it = iter(l)
t(lambda: next(it)); t(lambda: next(it)); t(lambda: next(it))
t(lambda: DataLoader(D(X, y), batch_size=0)); t(lambda: DataLoader(D(X, y), batch_size=np.int64(2)).batch_size); t(lambda: DataLoader(D(X, y), batch_size=2.0)); t(lambda: DataLoader(D(X, y), 2, True, prefetch_factor=2))
t(lambda: list(DataLoader(D(X, y), batch_size=4, worker_init_fn=lambda w: 1, pin_memory=False, timeout=0)))
t(lambda: DataLoader(D(X, y), 2, persistent_workers=True))
class C(Dataset):
    def __len__(self): return 4
    def __getitem__(self, i): return i
    def __getitems__(self, idx): print('several', idx); return [100 + i for i in idx]
t(lambda: list(DataLoader(Subset(C(), [3, 1, 2]), batch_size=2)))
t(lambda: list(DataLoader(Subset(D(X, y), [3, 1, 2]), batch_size=2)))
t(lambda: Subset(C(), [3, 1, 2])[[0, 1]])
t(lambda: list(DataLoader(C(), batch_size=None)))
t(lambda: [type(b) for b in DataLoader([{'a': np.float32(1), 'b': [1, 2]}] * 2, batch_size=2)])
t(lambda: default_collate([[np.zeros(2), 1.], [np.ones(2), 2.]]))
t(lambda: default_collate([np.float32(1), np.float64(2)]))
t(lambda: default_collate([np.int32(1), np.int32(2)]))
t(lambda: default_collate([1.5, np.float32(2)]))
t(lambda: default_collate([1, np.int64(2)]))
t(lambda: default_collate([True, np.bool_(False)]))
t(lambda: C().__getitems__([1]))
t(lambda: hasattr(D(X, y), '__getitems__'))
t(lambda: hasattr(Subset(D(X, y), [1]), '__getitems__'))
t(lambda: Subset(D(X, y), [1, 2]).__getitems__([1]))
