"""Generators of numpy: their classes, what they draw, and what they have not."""

import copy
import numpy as np
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, str(e)[:160])
r = np.random.default_rng(0)
print(type(r), isinstance(r, np.random.Generator), r)
def f(rng: np.random.Generator): return rng.random()
print(f(r))
x = np.arange(12).reshape(3, 4)
print(r.permuted(x, axis=1), r.bytes(4), r.vonmises(0, 4, 2), r.wald(1, 2, 2), r.zipf(2., 3), r.hypergeometric(5, 5, 3, 2), r.logseries(.5, 3), r.noncentral_chisquare(2, 1, 2))
print(r.choice(5, 3, replace=False), r.choice([1, 2, 3], p=[.1, .2, .7]), r.choice(x, 2, axis=1), r.integers(5), r.integers(1, 6, size=3, endpoint=True), r.permutation(x, axis=1))
print(r.choice(5, (2, 2), shuffle=False), r.standard_normal(2, dtype=np.float32), r.random((1, 2)))
t(lambda: r.rand(3)); t(lambda: r.randint(3)); t(lambda: r.randn(3))
r.shuffle(x); print(x); r.shuffle(x, axis=1); print(x)
np.random.seed(0)
print(np.random.bytes(3), np.random.vonmises(0, 4), np.random.wald(1, 2), np.random.zipf(2., 3), np.random.hypergeometric(5, 5, 3), np.random.logseries(.5), np.random.noncentral_chisquare(2, 1), np.random.noncentral_f(3, 4, 1))
g = np.random.Generator(np.random.PCG64(3)); print(g.random())
s = np.random.RandomState(4); print(isinstance(s, np.random.RandomState), s.rand())
rng2 = np.random.default_rng(r); print(rng2 is r)
print(np.random.default_rng([1, 2]).random(), np.random.default_rng(np.int64(3)).random())
t(lambda: np.random.default_rng('a'))
t(lambda: np.random.default_rng(-1))

one = np.random.default_rng(7); two = copy.deepcopy(one)
print(one.random() == two.random(), str(np.random.RandomState(1)), np.random.RandomState([1, 2]).rand(), np.random.Generator(np.random.MT19937(1)).random(), np.random.Generator(np.random.Philox(1)).normal())
t(lambda: np.random.zipf(2., size=(1, 2)).shape); t(lambda: np.random.default_rng(1.5)); t(lambda: one.choice(3, 5, replace=False)); t(lambda: one.nothing)
t(lambda: one.integers(3, 1)); t(lambda: one.normal(0, -1)); t(lambda: np.random.randint(3, 1)); t(lambda: np.random.RandomState(0).nothing)
