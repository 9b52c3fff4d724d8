"""Arrays that the engine hands on to functions of the program: none comes without its attributes."""

import numpy as np, torch
from torch import nn
from torch.utils.data import Dataset, DataLoader, Subset, TensorDataset, default_collate, random_split, ConcatDataset
def leak(x):
    """Whether an array or a number of numpy without its attributes is in a value."""
    if isinstance(x, np.ndarray) or isinstance(x, np.generic):
        return not hasattr(x, 'dtype')
    if isinstance(x, (list, tuple)): return any(leak(i) for i in x)
    if isinstance(x, dict): return any(leak(i) for i in x.values())
    return False
a = np.arange(12.).reshape(6, 2)
class D(Dataset):
    def __init__(self, X, y=None):
        print('init', leak(X), leak(y), X is a)
        self.X = X
    def __len__(self): return len(self.X)
    def __getitem__(self, i):
        print('item', leak(i), end=' ')
        return self.X[i], i
d = D(a, y=[a, {'a': a}])
for b in DataLoader(d, batch_size=4): print(leak(b), type(b), [type(x) for x in b])
for b in DataLoader(d, batch_size=None): print(leak(b), type(b))
for b in DataLoader(a, batch_size=None): print('rows', leak(b), type(b))
for b in DataLoader(a, batch_size=2): print('rows', leak(b), type(b))
for b in DataLoader(a, batch_size=2, collate_fn=list): print('list', leak(b), type(b))
for b in DataLoader(a, batch_size=2, collate_fn=lambda b: (print('fn', leak(b)), b)[1]): print('fn', leak(b), type(b))
for b in DataLoader([a, a, a], batch_size=2, collate_fn=list): print('list', leak(b), type(b))
for b in DataLoader([(a, 1), (a, 2)], batch_size=2): print('pairs', leak(b), type(b))
for b in DataLoader(d, batch_size=2, sampler=np.arange(3)): print('sampler', leak(b))
for b in DataLoader(Subset(d, np.arange(3)), batch_size=2): print('subset', leak(b))
s = Subset([a, a, a], np.arange(3)); print(leak(s.dataset), leak(s.indices), leak(s[0]), leak(s[np.int64(0)]))
l = DataLoader([a, a]); print(leak(l.dataset), leak(l.dataset[0]))
print(leak(default_collate([a, a])), leak(default_collate([(a, 1), (a, 2)])))
c = ConcatDataset([[a, a], d]); print(leak(c[0]), leak(c[2]))
for p in random_split([a, a, a], [2, 1]): print(leak(p[0]), leak(p.dataset))
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k, l):
        print('F', leak(k), leak(l))
        ctx.k = k; ctx.l = l
        return x * 2
    @staticmethod
    def backward(ctx, g):
        print('B', leak(ctx.k), leak(ctx.l))
        return g * 2, None, None
x = torch.ones(2, requires_grad=True)
F.apply(x, a, [a, [a]]).sum().backward()
class M(nn.Module):
    def __init__(self, h, k=None):
        super().__init__()
        self.h = h
        h.append(1)
        print('M', leak(h), leak(k))
    def forward(self, x, *rest, **kw):
        print('forward', leak(x), leak(rest), leak(kw))
        return [x, x]
h = [a]
m = M(h, k=(a, a)); print(len(h), m.h is h, leak(m.h))
o = m(a, [a], k=a); print(leak(o), o[0] is a)
m.register_forward_hook(lambda mod, i, o: print('hook', leak(i), leak(o)))
m.register_forward_pre_hook(lambda mod, i: print('pre', leak(i)))
o = m(a)
o = m.forward(a)
o = nn.Module.__call__(m, a)
o = m.__call__(a); print(leak(o))
seq = nn.Sequential(m); o = seq(a); print('seq', leak(o))
from torch.utils.checkpoint import checkpoint
o = checkpoint(lambda x, y: (print('ck', leak(y)), x * 2)[1], x, a, use_reentrant=False)
o = checkpoint(lambda x, y: (print('ck', leak(y)), (x * 2, y))[1], x, a, use_reentrant=False); print(leak(o))
from functools import partial
p = partial(m, a); print(leak(p.args)); p()
f = torch.func.vmap(lambda x, y: (print('vm', leak(y)), x * 2)[1], in_dims=(0, None))
try: f(x, a)
except Exception as e: print(type(e), str(e)[:100])
x.register_hook(partial(lambda k, g: print('h', leak(k)), a))
(x*2).sum().backward()
print(m(a)[0] is a, M([1]).forward(a)[0] is a)
