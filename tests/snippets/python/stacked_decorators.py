# Decorators with state: count calls, cache by shape, retry on error, timing class, method decorators, stacked no_grad
import torch, functools
def counted(f):
    @functools.wraps(f)
    def w(*a, **k): w.calls += 1; return f(*a, **k)
    w.calls = 0; return w
def retry(n, exc=RuntimeError):
    def deco(f):
        @functools.wraps(f)
        def w(*a):
            for i in range(n):
                try: return f(*a, attempt=i)
                except exc as e: print("retry", i, str(e)[:30])
            raise RuntimeError("gave up")
        return w
    return deco
class Memo:
    def __init__(s, f): s.f, s.store = f, {}; functools.update_wrapper(s, f)
    def __call__(s, x):
        if x.shape not in s.store: s.store[x.shape] = s.f(x)
        return s.store[x.shape]
    def __get__(s, obj, cls): return functools.partial(s.f, obj) if obj is not None else s
@counted
@torch.no_grad()
def f(x): return x * 2
@retry(3)
def g(x, attempt=0): return (x if attempt > 1 else x.view(99)).sum()
@Memo
def h(x): print("computing"); return torch.ones_like(x)
x = torch.ones(2, requires_grad=True); f(x); print(f(x).requires_grad, f.calls, f.__name__, g(x), h(x), h(x), h.__name__)
class M(torch.nn.Module):
    @counted
    def forward(self, x): return self.helper(x)
    @torch.enable_grad()
    def helper(self, x): return x * 3
    @functools.cached_property
    def big(self): print("once"); return torch.ones(2)
m = M()
with torch.no_grad(): print(m(x).requires_grad, M.forward.calls, m.big is m.big)
