# functools: partial, reduce, lru_cache, wraps, singledispatch, cached_property, partialmethod
import functools, operator, torch
@functools.singledispatch
def norm2(x): raise TypeError(f"no norm for {type(x).__name__}")
@norm2.register
def _(x: torch.Tensor): return x.pow(2).sum()
@norm2.register(list)
@norm2.register(tuple)
def _(x): return functools.reduce(operator.add, map(norm2, x))
@norm2.register
def _(x: float): return x * x
t = torch.tensor([3., 4.], requires_grad=True)
total = norm2([t, 2.0, (t * 2,)])
total.backward(); print(total, t.grad, norm2(1.5))
try: norm2("s")
except TypeError as e: print(e)
def trace(fn=None, *, prefix=">"):
    if fn is None: return functools.partial(trace, prefix=prefix)
    @functools.wraps(fn)
    def inner(*a, **k):
        print(prefix, fn.__name__, [tuple(x.shape) if isinstance(x, torch.Tensor) else x for x in a], k)
        return fn(*a, **k)
    return inner
@trace(prefix="*")
def scale(x, k=2):
    """Scales."""
    return x * k
@trace
def shift(x): return x + 1
compose = lambda *fs: functools.reduce(lambda f, g: lambda x: g(f(x)), fs)
print(compose(scale, shift, torch.sum)(t.detach()), scale.__doc__, scale.__wrapped__ is not None)
class Model:
    def __init__(self, w): self.w = w
    @functools.cached_property
    def gram(self): print("computing"); return self.w @ self.w
    def apply(self, x, mode): return getattr(torch, mode)(x * self.w).sum()
    relu = functools.partialmethod(apply, mode="relu")
m = Model(torch.tensor([1., -2.], requires_grad=True))
print(m.gram, m.gram, m.relu(torch.ones(2)))
@functools.lru_cache(maxsize=None)
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(30), fib.cache_info())
print(functools.reduce(torch.matmul, [torch.eye(2)] * 3), sorted([t[1], t[0]], key=lambda v: v.item()), max([t[0], t[1]]))
@functools.total_ordering
class V:
    def __init__(self, v): self.v = v
    def __eq__(self, o): return self.v == o.v
    def __lt__(self, o): return self.v < o.v
print(V(1) >= V(0), sorted([V(3), V(1)], reverse=True)[0].v, functools.cmp_to_key(lambda a, b: b - a)(1) < functools.cmp_to_key(lambda a, b: b - a)(0))
