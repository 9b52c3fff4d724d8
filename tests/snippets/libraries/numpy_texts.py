# Arrays of texts: joined, changed, made of numbers and made into them; lists as arrays of a given type.
import numpy as np, torch
def t(f):
    try: print('->', repr(f()))
    except Exception as e: print(type(e).__name__, e)
words = np.array("the cat sat on the mat".split())
t(lambda: words + 'x'); t(lambda: 'x' + words); t(lambda: words[:2] + words[2:4]); t(lambda: words + 1); t(lambda: words * 2); t(lambda: words - words); t(lambda: words + [1, 2]); t(lambda: words / 'a'); t(lambda: words == 'the')
for n in 'upper lower capitalize title swapcase isalpha isdigit str_len strip'.split(): print(n, getattr(np.char, n)(words))
t(lambda: np.char.add(words, '!')); t(lambda: np.char.startswith(words, 't')); t(lambda: np.char.endswith(words, 't')); t(lambda: np.char.find(words, 'a')); t(lambda: np.char.count(words, 't')); t(lambda: np.char.replace(words, 't', 'TT')); t(lambda: np.char.strip([' a ', 'b '])); t(lambda: np.char.lstrip(words, 't')); t(lambda: np.char.equal(words, 'cat')); t(lambda: np.char.upper([1, 2])); t(lambda: np.strings.upper(words)); t(lambda: np.char.upper('abc'))
t(lambda: np.array(['1', '2']).astype(int)); t(lambda: np.array(['1.5', 'x']).astype(float)); t(lambda: np.array([1, 2]).astype(str)); t(lambda: np.array([1.5, 2]).astype('U')); t(lambda: np.array(['a', 'b'], dtype=str)); t(lambda: np.array([1, 2], dtype=str)); t(lambda: np.array([True, False]).astype(str)); t(lambda: np.array(['abc', 'd'], dtype='U2')); t(lambda: words.astype('U2')); t(lambda: np.array(['1.5', '2'], dtype=float)); t(lambda: np.array(['a'], dtype=int))
t(lambda: np.zeros(2, dtype='U3')); t(lambda: np.empty((2,), dtype='<U5')); t(lambda: np.full(3, 'ab')); t(lambda: np.zeros((1, 2), dtype=str)); t(lambda: np.ones(2, dtype=str)); a = np.empty(3, dtype='U4'); a[0] = 'abcdef'; a[1:] = ['x', 'y']; print(a)
t(lambda: np.delete(words, 0)); t(lambda: words.dtype.kind); t(lambda: words.tolist()); t(lambda: np.where(words == 'the', 'THE', words)); t(lambda: np.array('abc')); t(lambda: np.array(['a', 1, 2.5])); t(lambda: np.array([1, 300], dtype=np.uint8)); t(lambda: np.array([1.5, -1], dtype=int)); t(lambda: np.array([None, 1], dtype=float)); t(lambda: np.array(['1'], dtype=bool)); t(lambda: np.roll(words, 1)); t(lambda: np.append(words, 'z'))
