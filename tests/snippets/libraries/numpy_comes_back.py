"""No array or number of numpy comes back from the engine without its attributes."""

import numpy as np, torch
torch.manual_seed(0)
from torch import nn
from torch.utils.data import *
from collections import deque, namedtuple
a = np.arange(12.).reshape(6, 2)
P = namedtuple('P', 'a b')
def raw(x, depth=0):
    if isinstance(x, (np.ndarray, np.generic)): return not hasattr(x, 'dtype')
    if 'numpy' in str(type(x)) and not hasattr(x, 'dtype'): return True
    if depth > 4: return False
    if isinstance(x, dict): return any(raw(k, depth+1) or raw(v, depth+1) for k, v in x.items())
    if isinstance(x, (list, tuple, set, frozenset, deque)): return any(raw(v, depth+1) for v in x)
    return False
def t(name, f):
    try:
        r = f()
        if raw(r): print('RAW', name, type(r))
    except Exception as e: print(name, type(e).__name__, str(e)[:100])
for b in DataLoader(a, batch_size=2, collate_fn=list): t('loader list', lambda: b)
for b in DataLoader([a, a], batch_size=2, collate_fn=list): t('loader list2', lambda: b)
for b in DataLoader(a, batch_size=2, collate_fn=tuple): t('loader tuple', lambda: b)
for b in DataLoader(a, batch_size=2, collate_fn=np.array): t('loader np', lambda: b)
for b in DataLoader(a, batch_size=2, collate_fn=np.stack): t('loader np', lambda: b)
for b in DataLoader([{'a': a}], batch_size=None, collate_fn=dict): t('loader dict', lambda: b)
for b in iter(Subset(a, [0, 1])): t('subset', lambda: b)
for b in enumerate(DataLoader(a, batch_size=2, collate_fn=list)): t('enum', lambda: b)
t('list', lambda: list(DataLoader(a, batch_size=2, collate_fn=list)))
t('next', lambda: next(iter(DataLoader(a, batch_size=2, collate_fn=list))))
t('zip', lambda: list(zip(DataLoader(a, batch_size=2, collate_fn=list))))
[*q] = DataLoader(a, batch_size=2, collate_fn=list); t('star', lambda: q)
t('star2', lambda: [*DataLoader(a, batch_size=2, collate_fn=list)])
t('max', lambda: max(DataLoader(a[:, 0], batch_size=None, collate_fn=lambda v: v)))
t('deque', lambda: deque(DataLoader(a, batch_size=2, collate_fn=list)))
t('dict', lambda: dict(DataLoader([(1, a)], batch_size=None, collate_fn=list)))
t('map', lambda: list(map(lambda v: v, DataLoader(a, batch_size=2, collate_fn=list))))
t('mapid', lambda: list(map(list, DataLoader(a, batch_size=2, collate_fn=list))))
t('concat', lambda: [v for v in ConcatDataset([a, a])]); t('concat', lambda: ConcatDataset([a, a])[0])
t('stack', lambda: StackDataset(a, a)[0]); t('stack', lambda: StackDataset(x=a)[0]); t('stack', lambda: StackDataset(x=a).datasets)
t('chain', lambda: list(ChainDataset([a, [a]])))
t('sampler', lambda: list(SubsetRandomSampler(np.arange(3)))); t('sampler', lambda: list(BatchSampler(np.arange(3), 2, False))); t('sampler', lambda: list(SequentialSampler(a)))
t('wr', lambda: WeightedRandomSampler(np.ones(3), 3).weights)
t('split', lambda: [s[0] for s in random_split(a, [3, 3])]); t('split', lambda: random_split(a, [3, 3])[0].dataset)
w = torch.ones(3, requires_grad=True)
for o in (torch.optim.SGD([w], lr=np.float64(.1), momentum=np.float32(.9)), torch.optim.Adam([{'params': [w], 'lr': np.float64(1), 'x': a}], betas=(np.float64(.9), .99))):
    o.zero_grad(); (w * 2).sum().backward(); o.step()
    t('pg', lambda: o.param_groups); t('def', lambda: o.defaults); t('sd', lambda: o.state_dict()); t('st', lambda: o.state)
    t('pg2', lambda: [g for g in o.param_groups]); t('pg3', lambda: o.param_groups[0]['lr']); t('pg4', lambda: list(o.param_groups[0].values())); t('pg5', lambda: getattr(o, 'param_groups')[0]['lr'])
    t('vars', lambda: vars(o)); t('dict', lambda: o.__dict__)
    S = torch.optim.lr_scheduler
    for s in (S.StepLR(o, np.int64(2), np.float64(.1)), S.MultiStepLR(o, np.array([1, 2]), np.float64(.5)), S.ExponentialLR(o, np.float64(.9)), S.CosineAnnealingLR(o, np.int64(3)), S.LambdaLR(o, lambda e: np.float64(.5)), S.CyclicLR(o, np.float64(.1), np.float64(.2), cycle_momentum=False), S.OneCycleLR(o, np.float64(.1), total_steps=5), S.ReduceLROnPlateau(o, factor=np.float64(.5))):
        for k in dir(s):
            if not k.startswith('__') and not callable(getattr(s, k)): t('sched ' + type(s).__name__ + k, lambda: getattr(s, k))
        t('slr', lambda: s.get_last_lr() if hasattr(s, 'get_last_lr') else 0); t('ssd', lambda: s.state_dict())
ms = [nn.Linear(np.int64(2), np.int64(3)), nn.Conv2d(np.int64(1), 2, (np.int64(3), np.int64(3)), padding=(np.int64(1), 1)), nn.Dropout(np.float64(.5)), nn.BatchNorm1d(np.int64(2), eps=np.float64(1e-5), momentum=np.float32(.1)), nn.LayerNorm(np.array([2, 3])), nn.LayerNorm([np.int64(2)]), nn.Embedding(np.int64(2), 3, padding_idx=np.int64(0)), nn.LeakyReLU(np.float64(.1)), nn.Upsample(np.array([2, 2])), nn.Upsample(scale_factor=(np.float64(2), 2.)), nn.Flatten(np.int64(1)), nn.Unflatten(1, (1, 2)), nn.AdaptiveAvgPool2d((np.int64(1), None)), nn.MaxPool2d(np.int64(2)), nn.LSTM(2, 3), nn.MultiheadAttention(np.int64(4), np.int64(2)), nn.CrossEntropyLoss(label_smoothing=np.float64(.1)), nn.Softmax(np.int64(1)), nn.ParameterList([a]), nn.ParameterDict({'a': a}), nn.Sequential(), nn.GaussianNLLLoss(eps=np.float64(1)), nn.ConstantPad2d((np.int64(1),) * 4, np.float64(2)), nn.Hardtanh(np.float64(0), np.float64(1)), nn.Transformer(d_model=np.int64(4), nhead=np.int64(2), num_encoder_layers=np.int64(1), num_decoder_layers=1, dim_feedforward=np.int64(4))]
for m in ms:
    for k in dir(m):
        if not k.startswith('__') and not callable(getattr(m, k)): t('mod ' + type(m).__name__ + ' ' + k, lambda: getattr(m, k))
    t('repr', lambda: repr(m)); t('vars', lambda: vars(m)); t('kids', lambda: list(m.named_children()))
    t('state', lambda: m.state_dict())
pl = ms[18]; t('pl', lambda: pl[0]); t('pl', lambda: [p for p in pl]); t('pd', lambda: ms[19]['a']); t('pd', lambda: list(ms[19].items()))
import torch.distributions as D
for d in (D.Normal(np.float64(0), np.float64(1)), D.Uniform(np.float64(0), np.float64(1)), D.Bernoulli(np.float64(.5))):
    for k in dir(d):
        if not k.startswith('__') and k not in ('enumerate_support', 'support'):
            try: v = getattr(d, k)
            except Exception: continue
            if not callable(v): t('dist ' + type(d).__name__ + k, lambda: v)
t('b', lambda: torch.broadcast_shapes(np.array([2, 1]), (1, 3))); t('sz', lambda: torch.Size(np.array([1, 2]))); t('sz', lambda: torch.Size([np.int64(1)])[0])
t('ns', lambda: torch.utils.checkpoint.checkpoint(lambda *k: k, w, a, use_reentrant=False)); t('ck', lambda: torch.utils.checkpoint.checkpoint(tuple, [a, a], use_reentrant=False))
t('vm', lambda: torch.func.vmap(lambda v: (v, a))(w)); 
t('hv', lambda: torch.autograd.functional.vjp(lambda v: v, w)); t('fc', lambda: torch.func.functional_call(nn.Identity(), {}, (a,))); t('fc', lambda: torch.func.functional_call(nn.Identity(), {}, ([a],)))
t('id', lambda: nn.Identity()([a])); t('id', lambda: nn.Identity()({'a': [a]})); t('id', lambda: nn.Identity()(P(a, 1))); t('id', lambda: nn.Identity()({'a': (a,)})); t('idd', lambda: nn.Identity()(deque([a]))); t('ids', lambda: nn.Sequential(nn.Identity())([a]))
t('jac', lambda: torch.func.jacrev(lambda v: (v, a), has_aux=True)(w)); t('gav', lambda: torch.func.grad(lambda v: (v.sum(), [a]), has_aux=True)(w)); t('vjp', lambda: torch.func.vjp(lambda v: (v, a), w, has_aux=True)[2])
x = nn.Identity(); x.a = [a]; t('attr', lambda: x.a); t('attr', lambda: x.__dict__['a'])
import functools
t('partial', lambda: functools.partial(nn.Linear, a).args); t('partial', lambda: functools.partial(nn.Identity(), [a])()); 
t('pickle', lambda: torch.save({'a': a}, 'f.pt')); t('pickle', lambda: torch.load('f.pt', weights_only=False))
import copy
t('deep', lambda: copy.deepcopy([a, {'a': a}])); pl.append(a); pl.extend([a]); pl[0] = a; t('pl', lambda: [pl[0], pl[-1], pl[1:]]); t('pl', lambda: list(pl)); t('pl', lambda: pl.pop())
pd = ms[19]; pd['b'] = a; pd.update({'c': a}); t('pd', lambda: [pd['b'], pd['c'], pd.get('b'), pd.pop('b'), list(pd.values())])
t('tree', lambda: torch.utils._pytree.tree_map(lambda v: v, [a]))
t('from', lambda: torch.from_numpy(a).numpy()); t('np', lambda: w.detach().numpy()); t('arr', lambda: w.detach().__array__())
t('tolist', lambda: torch.from_numpy(a).tolist()); t('item', lambda: torch.from_numpy(a)[0, 0].item())
print('end')
