# Modes at work: counting, checking for NaN, other dtypes, modes in each other, with classes of tensors
import torch, torch.nn as nn, torch.nn.functional as F, time
from collections import Counter, defaultdict
from torch.overrides import TorchFunctionMode
import torch.overrides as O
def t(f):
    try: r=f(); print(type(r).__name__, r)
    except Exception as e: print(type(e).__name__, str(e).split('\n')[0][:200])
torch.manual_seed(0)
class FlopCounter(TorchFunctionMode):
    def __init__(self): super().__init__(); self.n = 0; self.names = Counter()
    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = {} if kwargs is None else kwargs
        out = func(*args, **kwargs)
        self.names[func.__name__] += 1
        if func in (torch.matmul, torch.Tensor.matmul, F.linear): self.n += out.numel()
        return out
class Block(nn.Module):
    def __init__(self):
        super().__init__(); self.q = nn.Linear(4, 4); self.ln = nn.LayerNorm(4); self.drop = nn.Dropout(0.1)
    def forward(self, x):
        q = self.q(x); a = q @ q.transpose(-1, -2) / 4 ** 0.5; a = F.softmax(a, dim=-1)
        a = self.drop(a); x = self.ln(x + a @ x); x = x.view(x.shape[0], -1)
        return torch.relu(x).mean()
b = Block(); x = torch.randn(3, 4)
with FlopCounter() as fc: b(x)
print(fc.n, sorted(fc.names.items()))
class NanCheck(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        if isinstance(out, torch.Tensor) and out.is_floating_point() and torch.isnan(out).any(): raise RuntimeError(f'NaN in {func.__name__}')
        return out
def bad():
    with NanCheck(): return torch.log(torch.tensor([-1.])) + 1
t(bad)
class ToDouble(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        if func in (torch.randn, torch.zeros, torch.ones, torch.tensor): kwargs.setdefault('dtype', torch.float64)
        return func(*args, **kwargs)
with ToDouble(): print(torch.randn(2).dtype, torch.zeros(1).dtype, torch.tensor([1.]).dtype, torch.full((1,), 2.).dtype)
class A(TorchFunctionMode):
    def __init__(self, tag): self.tag = tag
    def __torch_function__(self, func, types, args=(), kwargs=None):
        print(self.tag, func.__name__); return func(*args, **(kwargs or {}))
with A('outer'), A('inner'): torch.ones(1) * 2
m = A('x')
with m: y = torch.ones(2); y.add_(1); y[0] = 5; z = y[0:1]; z = y.sum().item(); l = y.tolist(); y.requires_grad_(); w = (y * y).sum(); w.backward(); g = y.grad; s = str(y); c = y.clone().detach(); n = y.numpy() if not y.requires_grad else 0
with m:
    for i in range(2): v = torch.zeros(1); v += i
    ok = torch.allclose(v, v) and bool(torch.equal(v, v))
    if v.sum() > 0: print('pos')
    k = [torch.sin(q) for q in (v, v)]
    r = -v; r = abs(v); r = v ** 2; r = 2 ** v; r = v // 1; r = v % 2; r = ~(v > 0); r = (v > 0) & (v < 3); r = 1 / v; r = 3 - v
    a, bb = torch.max(torch.ones(1, 2), dim=1); q = torch.chunk(v, 1); h = torch.stack((v, v)); e = torch.where(v > 0, v, v)
opt = torch.optim.SGD(b.parameters(), 0.1)
t(lambda: O.TorchFunctionMode().__torch_function__(torch.add, (), ()))
class WithSub(torch.Tensor): pass
with A('m'): ws = torch.ones(1).as_subclass(WithSub); ws2 = ws + 1; print(type(ws2).__name__)
class LogT(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        print('LogT', func.__name__); return super().__torch_function__(func, types, args, kwargs or {})
lt = torch.ones(1).as_subclass(LogT)
with A('m'): u = lt + 1
with torch._C.DisableTorchFunctionSubclass():
    with A('d'): u = lt + 1
with torch._C.DisableTorchFunction(): u = lt + 1; print(type(u).__name__)
@torch.no_grad()
def ng():
    with A('ng'): return torch.ones(1) + 1
print(ng().requires_grad)
def gen():
    with A('gen'): yield torch.ones(1)
print(list(gen()))
print(torch.ones(1))
