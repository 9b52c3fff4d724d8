# A class with special methods, properties, static and class methods
class A:
    n = 0
    def __init__(self, v=1): self.v = v; A.n += 1
    def __add__(self, o): return A(self.v + (o.v if isinstance(o, A) else o))
    __radd__ = __add__
    def __repr__(self): return f'A({self.v})'
    def __eq__(self, o): return isinstance(o, A) and self.v == o.v
    def __hash__(self): return hash(self.v)
    def __lt__(self, o): return self.v < o.v
    def __len__(self): return self.v
    def __getitem__(self, i):
        if i >= self.v: raise IndexError('stop')
        return i * 10
    def __contains__(self, x): return x == 42
    def __call__(self, *a, **k): return (a, k)
    def __enter__(self): print('enter'); return self
    def __exit__(self, t, e, tb): print('exit', t, e); return True
    def __iter__(self): return iter(range(self.v))
    @property
    def double(self): return self.v * 2
    @double.setter
    def double(self, x): self.v = x // 2
    @staticmethod
    def s(x): return x + 1
    @classmethod
    def make(cls, x): return cls(x)
a = A(3)
print(a + 2, 2 + a, sum([A(1), A(2)]), a == A(3), a != A(3), {a: 1}[A(3)], sorted([A(3), A(1)]), len(a), list(a), a[1], 42 in a, a(1, k=2))
with a as b: print(b); raise ValueError('x')
a.double = 10
print(a.double, a.v, A.s(1), a.s(2), A.make(7), A.n, bool(A(0)), a.__class__.__name__, type(a).__name__, A.__name__, isinstance(a, A), issubclass(A, object))
print(type(a), A, a.__dict__, vars(a), hasattr(a, 'zz'), getattr(a, 'zz', 5), A.__mro__)
try: a.zz
except AttributeError as e: print(e)
try: a.s = 5; print(a.s); del a.s; print(a.s(1)); del a.s
except AttributeError as e: print(e)
a.make = lambda x: 'shadow'; print(a.make(1)); del a.make; print(a.make(2))
A.make = classmethod(lambda cls, x: 'replaced'); print(a.make(3))
