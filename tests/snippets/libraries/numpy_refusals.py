"""What numpy says to operands, axes and dtypes that do not fit."""

import numpy as np
a, m = np.array([1, 2]), np.ones((2, 2))
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
def add(v, w): v += w
def divide(v, w): v /= w
def power(v, w): v **= w
def wide(v): v += np.ones((3, 2))
for f in (lambda: a + 'a', lambda: 'a' + a, lambda: a - 'a', lambda: a % 'a', lambda: a / '2', lambda: 'a' * a, lambda: a ** 'x',
          lambda: a + None, lambda: None - a, lambda: m * None, lambda: a.astype(float) / None, lambda: np.add('a', 1), lambda: np.add(a, 'a'), lambda: np.sin('a'),
          lambda: np.arange(), lambda: np.zeros(2, 3), lambda: np.ones(2, dtype=1.5), lambda: np.zeros(2, 'foo'),
          lambda: m.sum(axis=2), lambda: m.mean(axis=-3), lambda: np.argmax(m, axis=5), lambda: np.expand_dims(a, 9), lambda: np.stack([a, a], axis=4),
          lambda: ~m, lambda: m & m, lambda: -np.array([True]), lambda: a[0.5], lambda: a[:, 0], lambda: m[0, 0, 0], lambda: a + [1, 2, 3],
          lambda: add(a, .5), lambda: divide(a, 2), lambda: power(a, .5), lambda: add(a, [1, 2, 3]), lambda: wide(a), lambda: a.reshape(3), lambda: int(a), lambda: bool(a),
          lambda: m @ np.ones(3), lambda: np.dot(m, np.ones(3)), lambda: np.concatenate([a, m]), lambda: np.vstack([a, np.ones(3)]), lambda: np.array([[1, 2], [3]])):
    t(f)
try: m.sum(axis=2)
except np.exceptions.AxisError as e: print(repr(e), e.args, isinstance(e, IndexError), isinstance(e, ValueError))
print(a == 'a', a != 'a', a == None, m != None, (a == None).any(), np.array(['a', 'b']) == 'a', np.array(['a']) == None)
for f in (lambda: a < 'a', lambda: a < None, lambda: 1 if a == None else 2): t(f)
