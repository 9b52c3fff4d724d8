"""Elements of arrays one after another, as `numpy.nditer` gives them."""

import numpy as np, torch
def t(name, f):
    try: print(name, f())
    except Exception as e: print(name, type(e).__name__, str(e)[:110])
a = np.arange(6).reshape(2, 3)
t('all', lambda: [int(x) for x in np.nditer(a)])
t('T', lambda: [int(x) for x in np.nditer(a.T)])
t('TC', lambda: [int(x) for x in np.nditer(a.T, order='C')])
t('F', lambda: [int(x) for x in np.nditer(a, order='F')])
t('strided', lambda: [int(x) for x in np.nditer(a[:, ::2])])
t('type', lambda: [(type(x).__name__, x.shape, x) for x in np.nditer(a[:1])])
b = a.astype(float)
with np.nditer(b, op_flags=['readwrite']) as it:
    for x in it: x[...] = 2 * x
print(b)
def ro():
    for x in np.nditer(b): x[...] = 1
t('readonly', ro)
it = np.nditer(b, flags=['multi_index'], op_flags=['readwrite'])
out = []
while not it.finished:
    i = it.multi_index
    out.append((i, float(b[i]), float(it[0])))
    it[0] = b[i] + 1
    it.iternext()
print(out, b)
t('past', lambda: it.multi_index)
t('past2', lambda: it[0])
it = np.nditer(b, flags=['f_index'])
while not it.finished:
    print('%d <%d>' % (it[0], it.index), end=' ')
    it.iternext()
print()
t('noindex', lambda: np.nditer(b).index); t('nomulti', lambda: np.nditer(b).multi_index)
t('pairs', lambda: [(int(x), int(y)) for x, y in np.nditer([a, np.array([1, 2, 3])])])
t('external', lambda: [x for x in np.nditer(a, flags=['external_loop'])])
t('externalF', lambda: [x for x in np.nditer(a, flags=['external_loop'], order='F')])
t('props', lambda: (np.nditer(a).itersize, np.nditer(a).shape, np.nditer(a).ndim, np.nditer(a).nop, len(np.nditer(a)), np.nditer(a).value))
t('flag', lambda: np.nditer(a, flags=['nonsense'])); t('opflag', lambda: np.nditer(a, op_flags=['nonsense'])); t('empty', lambda: list(np.nditer(np.zeros(0)))); t('empty ok', lambda: list(np.nditer(np.zeros(0), flags=['zerosize_ok'])))
t('list', lambda: [int(x) for x in np.nditer(np.array([3, 1]))]); t('0d', lambda: [int(x) for x in np.nditer(5)])
t('shapes', lambda: np.nditer([np.ones(2), np.ones(3)]))
def f(x): return (x ** 2).sum()
x = torch.tensor([[1., 2.], [3., 4.]], dtype=torch.double, requires_grad=True)
f(x).backward()
xn = x.detach().numpy().copy(); g = np.zeros_like(xn)
it = np.nditer(xn, flags=['multi_index'], op_flags=['readwrite'])
while not it.finished:
    ix = it.multi_index; old = xn[ix]
    xn[ix] = old + 1e-5; p = f(torch.from_numpy(xn)).item(); xn[ix] = old - 1e-5; q = f(torch.from_numpy(xn)).item(); xn[ix] = old
    g[ix] = (p - q) / 2e-5; it.iternext()
print(np.allclose(g, x.grad.numpy()), [list(map(int, r)) for r in g.round()])
s = torch.ones(2); y = s * 2
for e in np.nditer(s.numpy(), op_flags=['readwrite']): e[...] = 5
print(s)
t('enum', lambda: [(int(x), int(y)) for x, y in zip(np.nditer(a), np.nditer(a))][:2]); t('reset', lambda: (lambda i: (int(next(i)), i.reset(), int(next(i))))(np.nditer(a)))
