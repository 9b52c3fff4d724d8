"""Deques, named tuples and derived lists as numpy takes them."""

import numpy as np, torch
from collections import deque, namedtuple
P = namedtuple('P', 'a b')
class L(list): pass
vals = {'deque': deque([1., 2.]), 'deque2': deque([np.float32(1), np.float32(3)]), 'arrs': deque([np.ones(2), np.zeros(2)]), 'named': P(1., 2.), 'L': L([1, 2]), 'size': torch.Size([2, 3]), 'nested': [deque([1, 2]), P(3, 4)], 'max': torch.max(torch.ones(2, 2), 0), 'lt': [torch.tensor(1.), torch.tensor(2.)], 'dt': deque([torch.tensor(1.)])}
for k, v in vals.items():
    for n, f in dict(mean=np.mean, array=np.array, sum=np.sum, asarray=np.asarray, exp=np.exp, std=np.std, max=np.max, stack=np.stack, concatenate=np.concatenate, argmax=np.argmax, arr2=lambda v: np.array(v, dtype=np.float32), tens=torch.tensor, plus=lambda v: np.ones(2) + v, eq=lambda v: np.ones(2) == v, random=lambda v: np.random.RandomState(0).choice(v), hist=lambda v: np.histogram(v)[0], dot=lambda v: np.dot(v, v), median=np.median, sort=np.sort, cumsum=np.cumsum, shape=np.shape, size=np.size, ndim=np.ndim, isfin=np.isfinite, convolve=lambda v: np.convolve(v, np.ones(1)), avg=np.average, perc=lambda v: np.percentile(v, 50), save=lambda v: np.round(v, 1), where=lambda v: np.where(v, 1, 0)).items():
        try: r = f(v); print(k, n, type(r).__name__, r)
        except Exception as e: print(k, n, type(e).__name__, str(e)[:90])
