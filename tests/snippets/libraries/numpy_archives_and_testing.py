# Archives of arrays, and more of numpy.testing.
import numpy as np, io
def t(f):
    try: print('->', repr(f()))
    except Exception as e: print(type(e).__name__, e)
b = io.BytesIO(); np.savez(b, np.ones(2), a=np.zeros(3), names=np.array(['x', 'yz'])); b.seek(0); z = np.load(b)
print(z, type(z), z.files, list(z), len(z), 'a' in z, sorted(dict(z)), z['names'], z['arr_0'])
t(lambda: z['x'])
np.savez_compressed('q', w=np.eye(2), b=[1, 2])
with np.load('q.npz') as d: print(d['w'], d.get('c'), [k for k, v in d.items()], d)
t(lambda: np.savez(b, [1], arr_0=[2]))
t(lambda: np.load('none.npz'))
t(lambda: np.testing.assert_raises(ValueError, int, 'x')); t(lambda: np.testing.assert_raises(ValueError, int, '3'))
with np.testing.assert_raises(ValueError): int('x')
def f():
    with np.testing.assert_raises(ValueError): pass
t(f); t(lambda: np.testing.assert_raises_regex(ValueError, 'invalid', int, 'x')); t(lambda: np.testing.assert_(False, 'no')); t(lambda: np.testing.assert_(1 == 1)); t(lambda: np.testing.assert_approx_equal(1, 1.5)); t(lambda: np.testing.assert_approx_equal(1, 1.0)); t(lambda: np.testing.assert_string_equal('a', 'b'));t(lambda: np.testing.assert_string_equal('a', 'a'))
