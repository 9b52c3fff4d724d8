"""numpy warns of floating-point errors, once for each place and kind, as np.errstate and np.seterr want it."""

import numpy as np, warnings
z = np.array([1., 0., -1.])
np.log(0.)
np.log(z)
z / 0
1 / z
np.sqrt(-1.)
np.exp(1000)
np.float64(1.) / 0
np.float32(1e38) * np.float32(1e38)
np.array([1, 2]) // 0
np.array([1, 2]) % 0
np.power(10., 400)
np.array([1e300]) ** 2
z.prod() * np.inf - np.inf
np.arcsin(2.); np.arctanh(1.)
np.add.reduce([np.inf, -np.inf])
np.array([np.nan, 3.]).astype(int)
np.mean([])
np.std(np.array([np.inf, 1.]))
np.int8(100) + np.int8(100)
print(np.array([np.nan]) > 1, np.maximum(np.nan, 1.), np.nan_to_num(z), np.array([0.]) * np.nan)
for i in range(3):
    np.log(z - i)
with np.errstate(divide='ignore', invalid='ignore'):
    print(np.log(z), z / 0)
with np.errstate(all='raise'):
    for f in (lambda: np.log(0.), lambda: z / 0, lambda: np.sqrt(z), lambda: np.exp(1000.), lambda: np.exp(-1000.)):
        try: f()
        except FloatingPointError as e: print(type(e).__name__, e)
@np.errstate(divide='ignore')
def quiet(v): return 1 / v
print(quiet(z))
print(np.geterr())
old = np.seterr(all='ignore'); print(old, np.geterr())
np.log(0.)
np.seterr(**old); print(np.geterr())
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter('always')
    np.log(0.); 1 / z
    print([(x.category.__name__, str(x.message)) for x in w])
with warnings.catch_warnings():
    warnings.simplefilter('error')
    try: np.log(0.)
    except RuntimeWarning as e: print('raised', e)
with warnings.catch_warnings():
    warnings.simplefilter('ignore'); np.log(-1.)
warnings.filterwarnings('ignore', category=RuntimeWarning)
np.log(-1.)
