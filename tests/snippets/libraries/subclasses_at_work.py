# Classes of tensors at work: units, history, counting, methods of their own, optimizers, Functions
import torch, torch.nn as nn, torch.nn.functional as F
def t(f):
    try: r=f(); print(type(r).__name__, r)
    except Exception as e: print(type(e).__name__, str(e).split('\n')[0][:200])
torch.manual_seed(0)
class Unit(torch.Tensor):
    @staticmethod
    def __new__(cls, x, unit='', *args, **kwargs):
        return super().__new__(cls, x, *args, **kwargs)
    def __init__(self, x, unit='', *args, **kwargs):
        super().__init__()
        self.unit = unit
    def clone(self, *args, **kwargs):
        new = Unit(super().clone(*args, **kwargs), self.unit); return new
    def to(self, *args, **kwargs):
        new = Unit([], self.unit); tmp = super().to(*args, **kwargs); new.data = tmp.data; new.requires_grad = tmp.requires_grad; return new
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = super().__torch_function__(func, types, args, kwargs)
        units = [a.unit for a in args if isinstance(a, Unit) and hasattr(a, 'unit')]
        if isinstance(result, Unit) and units and not hasattr(result, 'unit'): result.unit = units[0]
        return result
    def __repr__(self): return f'{self.tolist()} {getattr(self, "unit", "?")}'
u = Unit([1., 2.], 'kg'); print(u, u.unit, u + 1, u.clone(), u.clone().unit, u.to(torch.float64).dtype, (u * 2).unit, u.sum(), u[0])
print(isinstance(u, Unit), len(u), u.shape, u.mean().item(), [v for v in u])
class Meta(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        out = super().__torch_function__(func, types, args, kwargs or {})
        if isinstance(out, Meta):
            out.history = [h for a in args if isinstance(a, Meta) for h in getattr(a, 'history', [])] + [func.__name__]
        return out
m = torch.ones(2).as_subclass(Meta); r = ((m + 1) * m).exp().sum(); print(r.history, r)
class Over(torch.Tensor):
    def __add__(self, other): print('add'); return super().__add__(other)
    def __getitem__(self, i): print('get', i); return super().__getitem__(i)
    def sum(self, *a, **k): print('sum', a, k); return super().sum(*a, **k)
    def __len__(self): return 42
    def __mul__(self, other): return NotImplemented
    __radd__ = __add__
    def relu(self): return 'own relu'
o = Over([1., -2.]); print(o + 1, 1 + o, o[0], o.sum(dim=0), len(o), torch.relu(o), o.relu(), torch.sum(o))
t(lambda: o * 2)
class Count(torch.Tensor):
    calls = 0
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.calls += 1
        return super().__torch_function__(func, types, args, kwargs or {})
c = torch.randn(3, 2).as_subclass(Count); n = nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 1)); out = n(c); print(Count.calls, type(out).__name__, out.shape); 
w = nn.Parameter(torch.ones(2)); opt = torch.optim.SGD([w], 0.1); data = torch.ones(2).as_subclass(Unit); data.unit='a'
loss = ((data * w) ** 2).sum(); loss.backward(); opt.step(); print(w, type(w.grad).__name__, type(loss).__name__)
class Plain(torch.Tensor): pass
p = Plain([3., 1.]); p.requires_grad_(); opt = torch.optim.Adam([p], 0.1); (p ** 2).sum().backward(); opt.step(); print(p, type(p.grad).__name__, type(p).__name__)
q = Plain([1., 2.]); q.tag = 'x'

t(lambda: torch.tensor([1., 2.]).as_subclass(Plain).numpy()); t(lambda: torch.tensor(q)); t(lambda: torch.as_tensor(q)); t(lambda: torch.from_numpy(q.numpy())); t(lambda: Plain(q)); t(lambda: sorted(q)); t(lambda: max(q)); t(lambda: sum(q))
t(lambda: {q: 1}[q]); t(lambda: q in [q]); t(lambda: q == q); t(lambda: torch.equal(q, q)); t(lambda: q is q.data); t(lambda: hash(q) == hash(q)); t(lambda: list(zip(q, q))[0]); t(lambda: torch.broadcast_tensors(q, torch.ones(2, 2))[0])
t(lambda: torch.meshgrid(q, q, indexing='ij')[0]); t(lambda: torch.einsum('i,j->ij', q, q)); t(lambda: torch.linalg.norm(q)); t(lambda: torch.fft.fft(q)); t(lambda: F.one_hot(q.long())); t(lambda: q.apply_(lambda v: v + 1)); t(lambda: q.map_(q, lambda a, b: a)); t(lambda: torch.nn.utils.clip_grad_norm_([p], 1.))
t(lambda: nn.init.zeros_(Plain([1., 2.]))); t(lambda: torch.no_grad()(lambda: q + 1)()); t(lambda: nn.BatchNorm1d(2)(torch.ones(3, 2).as_subclass(Plain))); t(lambda: nn.LSTM(2, 3)(torch.ones(3, 2).as_subclass(Plain))[0].shape); t(lambda: nn.Embedding(3, 2)(Plain([1, 2]).long()).shape); t(lambda: nn.MultiheadAttention(2, 1)(torch.ones(3, 2).as_subclass(Plain), torch.ones(3, 2), torch.ones(3, 2))[0].__class__.__name__); t(lambda: torch.vmap(lambda v: v * 2)(q))

class S(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): ctx.save_for_backward(x); print('fw', type(x).__name__); return x ** 2
    @staticmethod
    def backward(ctx, g): x, = ctx.saved_tensors; print('bw', type(x).__name__, type(g).__name__); return 2 * x * g
z = Plain([3.]).requires_grad_(); y = S.apply(z); print(type(y).__name__, y); y.sum().backward(); print(z.grad, type(z.grad).__name__)
module = nn.Module(); module.register_buffer('b', q); module.p = nn.Parameter(torch.ones(1)); print(type(module.b).__name__, list(module.state_dict()), type(module.state_dict()['b']).__name__)
module.load_state_dict(module.state_dict()); module.double(); print(module.b)
e = Plain(torch.zeros(2)); e += 1; e[0] = 3; e.mul_(2); e.add_(torch.ones(2)); print(e, type(e).__name__); e.data = torch.ones(3); print(e); e.zero_(); print(e, e.fill_(2), torch.add(e, 1, out=torch.empty(3)))
x = torch.zeros(2); x += Plain([1., 2.]); print(type(x).__name__, x)
x = torch.zeros(2); x[0] = Plain([5.])[0]; print(x); x.copy_(Plain([7., 8.])); print(x, type(x).__name__); x.add_(Plain([1., 1.])); print(type(x).__name__, type(x.add(Plain([1., 1.]))).__name__, type(torch.where(x > 0, x, Plain([0., 0.]))).__name__)
