# Assertions about items of lists and dictionaries, and types of torch given to numpy.
import numpy as np, torch
def t(f):
    try: print('->', repr(f()))
    except Exception as e: print(type(e).__name__, e)
t(lambda: np.testing.assert_equal([1], [2])); t(lambda: np.testing.assert_equal([1, [2, 3]], [1, [2, 4]])); t(lambda: np.testing.assert_equal({'a': 1}, {'a': 2})); t(lambda: np.testing.assert_equal({'a': 1}, {'b': 2})); t(lambda: np.testing.assert_equal((1, 2), (1, 2))); t(lambda: np.testing.assert_equal([1], [1, 2])); t(lambda: np.testing.assert_equal('a', 'b')); t(lambda: np.testing.assert_equal(None, None)); t(lambda: np.testing.assert_equal(np.ones(2), [1, 1])); t(lambda: np.testing.assert_equal(1, 2, 'why')); t(lambda: np.testing.assert_equal(np.nan, np.nan)); t(lambda: np.testing.assert_equal(True, 1))
t(lambda: np.zeros(2, dtype=torch.float32)); t(lambda: np.array([1], dtype=torch.int64)); t(lambda: np.ones(2).astype(torch.float32)); t(lambda: np.dtype(torch.float32)); t(lambda: np.zeros(2, dtype=3)); t(lambda: np.zeros(2, 'foo')); t(lambda: np.zeros(2, 3)); t(lambda: np.asarray([1.], dtype=torch.tensor(1.).dtype))
