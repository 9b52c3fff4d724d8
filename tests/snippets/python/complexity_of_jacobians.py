# Counting backward calls, timing helpers with the clock, generators of batches, sparse patterns of Jacobians
import time
from contextlib import contextmanager
from itertools import islice, count, takewhile, accumulate, groupby, pairwise
import torch

@contextmanager
def timer(label, sink):
    t = time.perf_counter()
    try:
        yield
    finally:
        sink[label] = time.perf_counter() - t

class Counter(torch.autograd.Function):
    backward_calls = 0
    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)
    @staticmethod
    def backward(ctx, g):
        Counter.backward_calls += 1
        return g

def f(x):
    x = Counter.apply(x)
    return torch.stack([x[i] * x[(i + 1) % 4] for i in range(4)])

times = {}
x = torch.arange(1.0, 5.0, requires_grad=True)
with timer("rows", times):
    y = f(x)
    J = torch.stack([torch.autograd.grad(y, x, e, retain_graph=True)[0] for e in torch.eye(4)])
print(J, Counter.backward_calls)
print((J != 0).int().tolist(), times["rows"] >= 0, list(times))
colours = torch.tensor([[1., 0, 1, 0], [0, 1, 0, 1]])
Counter.backward_calls = 0
comp = torch.stack([torch.autograd.grad(y, x, c, retain_graph=True)[0] for c in colours])
print(comp, Counter.backward_calls)
def batches(seq, n):
    it = iter(seq)
    while chunk := list(islice(it, n)):
        yield chunk
print(list(batches(range(7), 3)), list(pairwise([1, 2, 3])), list(accumulate([1, 2, 3])), [(k, list(g)) for k, g in groupby("aab")])
print(list(takewhile(lambda v: v < 20, (v * v for v in count()))))
total = sum(torch.autograd.grad((y_i ** 2).sum(), x, retain_graph=True)[0] for y_i in y)
print(total, torch.autograd.grad((y ** 2).sum(), x)[0])
lens = {k: len(list(v)) for k, v in groupby(sorted("banana"))}
print(lens, max(lens, key=lens.get), any(v > 2 for v in lens.values()), all(lens.values()))
fib = lambda n, m={0: 0, 1: 1}: m[n] if n in m else m.setdefault(n, fib(n - 1) + fib(n - 2))
print(fib(30))
a, *rest, z = range(5)
(p, q), r = (1, 2), 3
print(a, rest, z, p, q, r, [*rest, *"xy"], {**{"k": 1}, "j": 2}, {1, 2} | {3}, slice(1, None, 2))
