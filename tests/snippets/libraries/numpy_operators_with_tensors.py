"""Operators between arrays and tensors, and what numpy warns of."""

import numpy as np, torch, warnings, operator
a = np.array([1., 2.]); ai = np.array([1, 2])
x = torch.ones(2); xi = torch.ones(2, dtype=torch.int64)
for n in 'add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift lt le gt ge eq ne iadd isub imul itruediv ipow'.split():
    op = getattr(operator, n)
    for p, q in ((x, a), (a, x), (xi, ai), (ai, xi), (x, a.copy()), (x.clone(), a)):
        with warnings.catch_warnings(record=True) as w:
            warnings.simplefilter('always')
            try: r = op(p.clone() if isinstance(p, torch.Tensor) else p.copy(), q)
            except Exception as e: r = str(e)[:60]
        print(n, type(p).__name__, type(r).__name__, getattr(r, 'dtype', r), len(w))
