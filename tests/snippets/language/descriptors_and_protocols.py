# Descriptors and other protocols
class Desc:
    def __set_name__(self, o, n): self.n = n
    def __get__(self, i, o=None): return self if i is None else i.__dict__.get('_' + self.n, 'unset')
    def __set__(self, i, v): i.__dict__['_' + self.n] = v * 2
class H:
    d = Desc()
    __private = 5
    def get(self): return self.__private
    def __getattr__(self, n): return f'missing {n}'
    def __setattr__(self, n, v): object.__setattr__(self, n, v)
h = H(); print(h.d); h.d = 4; print(h.d, h.zzz, h.get(), H._H__private, H.d.n)
class S:
    __slots__ = ('a',)
s = S(); s.a = 1; print(s.a)
try: s.b = 1
except AttributeError as e: print(e)
class Sub(dict):
    def __missing__(self, k): return k * 2
    def __getattr__(self, k): return self[k]
s = Sub(a=1); print(s['a'], s['zz'], s.a, len(s), s, isinstance(s, dict), list(s.items()), s.get('q'))
class L(list):
    def total(self): return sum(self)
l = L([1, 2]); l.append(3); print(l, l.total(), l[0], len(l), L() == [])
class I(int):
    def dbl(self): return self * 2
print(I(5).dbl(), I(3) + 1)
class Singleton:
    _i = None
    def __new__(cls, *a):
        if cls._i is None: cls._i = super().__new__(cls)
        return cls._i
print(Singleton() is Singleton(1))
class It:
    def __init__(self): self.n = 0
    def __iter__(self): return self
    def __next__(self):
        self.n += 1
        if self.n > 3: raise StopIteration
        return self.n
print(list(It()), sum(It()), [*It()], max(It()), 2 in It())
class Num:
    def __init__(s, v): s.v = v
    def __float__(s): return float(s.v)
    def __int__(s): return int(s.v)
    def __index__(s): return int(s.v)
    def __bool__(s): return s.v != 0
    def __neg__(s): return Num(-s.v)
    def __abs__(s): return Num(abs(s.v))
    def __rsub__(s, o): return o - s.v
    def __iadd__(s, o): s.v += o; return s
    def __matmul__(s, o): return 'mm'
    def __pow__(s, o): return s.v ** o
    def __str__(s): return f'N{s.v}'
    def __format__(s, spec): return f'<{spec}>{s.v}'
    def __le__(s, o): return s.v <= o.v
    def __setitem__(s, k, v): print('set', k, v)
    def __delitem__(s, k): print('del', k)
    def __getitem__(s, k): return k
n = Num(3); n += 4
print(float(n), int(n), [0]*10 and list(range(10))[n], bool(Num(0)), (-n).v, abs(Num(-2)).v, 10 - n, n @ 1, n ** 2, str(n), f'{n:abc}', n <= Num(8), f'{n}', '%s' % n)
n[1] = 2; del n[1:2]; print(n[1, 2:3, ...], n[::2])
import abc
class Ab(abc.ABC):
    @abc.abstractmethod
    def f(self): ...
try: Ab()
except TypeError as e: print(e)
class Co(Ab):
    def f(self): return 1
print(Co().f())
class Meta: 
    def __init_subclass__(cls, tag=None, **k): super().__init_subclass__(**k); cls.tag = tag
class T(Meta, tag='x'): pass
print(T.tag)
from contextlib import contextmanager
@contextmanager
def cm(x):
    print('in'); 
    try: yield x
    finally: print('out')
with cm(5) as v: print(v)
try:
    with cm(1): raise KeyError('a')
except KeyError as e: print('got', e)
with cm(1) as a, cm(2) as b: print(a, b)
