"""Options by which numpy makes arrays, by their names."""

import numpy as np
def t(name, f):
    try: r = f(); print(name, type(r).__name__, r if not isinstance(r, tuple) else [x.tolist() if hasattr(x, 'tolist') else x for x in r])
    except Exception as e: print(name, type(e).__name__, str(e)[:110])
a = np.arange(6.).reshape(2, 3)
t(1, lambda: np.array(object=[1, 2])); t(2, lambda: np.array([1, 2], dtype=float, order='F', ndmin=2)); t(3, lambda: np.asarray(a=[1], dtype=np.int8)); t(4, lambda: np.asarray(a, order='F').flags if False else np.asarray(a, order='F'))
t(5, lambda: np.zeros_like(a, shape=(3,))); t(6, lambda: np.ones_like(a, dtype=int, order='C')); t(7, lambda: np.full_like(a, 2, shape=(2,), dtype=int)); t(8, lambda: np.linspace(0, 1, 3, retstep=True)); t(9, lambda: np.linspace([0, 1], [1, 2], 3, axis=1)); t(10, lambda: np.linspace(0, 1, num=3, endpoint=False, dtype=np.float32))
t(11, lambda: np.logspace(0, 2, 3, base=2)); t(12, lambda: np.logspace(0, 2, num=2, endpoint=False, dtype=int)); t(13, lambda: np.identity(n=2, dtype=int)); t(14, lambda: np.identity(2)); t(15, lambda: np.tile(A=[1], reps=2)); t(16, lambda: np.meshgrid([1, 2], [3, 4, 5])); t(17, lambda: np.meshgrid([1, 2], [3, 4], sparse=True)); t(18, lambda: np.meshgrid([1, 2], [3, 4], indexing='ij', copy=False)); t(19, lambda: np.meshgrid([1], indexing='x')); t(20, lambda: np.broadcast_to(array=[1, 2], shape=(2, 2))); t(21, lambda: np.einsum('ij,jk', a, a.T, optimize=True)); t(22, lambda: np.zeros((2, 2), order='F')); t(23, lambda: np.zeros(2, order='X')); t(24, lambda: np.full((2,), 1.5, order='F')); t(25, lambda: np.empty_like(a, order='F').shape); t(26, lambda: np.geomspace(1, 8, 4)); t(27, lambda: np.array(a, copy=False)); t(28, lambda: np.asarray(a, copy=True) is a); t(29, lambda: np.asarray(a) is a); t(30, lambda: np.ascontiguousarray(a=a.T)); t(31, lambda: np.linspace(0, 1, 0)); t(32, lambda: np.linspace(0, 1, -1)); t(33, lambda: np.meshgrid(*[[1, 2]] * 2, indexing='ij'))
