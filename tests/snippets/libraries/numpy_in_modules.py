"""Arrays and numbers of numpy given to modules, optimizers, hooks and functions of one's own."""

import numpy as np, torch, math
from torch import nn
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, str(e)[:220])
x = torch.arange(6.).reshape(3, 2)
class M(nn.Module):
    def __init__(self, n, p=0.5):
        super().__init__()
        self.l = nn.Linear(n, 2)
        self.scale = np.float64(2.0)
        self.mask = np.array([1., 0.])
        self.p = p
    def forward(self, x, k=1):
        return self.l(x) * self.scale * torch.from_numpy(self.mask).float() * k
torch.manual_seed(0)
m = M(np.int64(2), np.float32(0.1))
t(lambda: m(x, k=np.float64(3)).dtype)
t(lambda: m(x, np.array([1., 2.])).dtype)
t(lambda: m(x, np.array([1., 2.], dtype=np.float32)))
t(lambda: m(np.ones((3, 2))))
class N(nn.Module):
    def forward(self, x): return x
t(lambda: nn.Sequential(N(), nn.Linear(2, 2))(np.ones((3, 2))))
t(lambda: nn.Sequential(N(), nn.ReLU())(np.ones((3, 2))))
t(lambda: N()(np.ones((3, 2))) + 1)
t(lambda: N()([np.ones(2), {'a': np.ones(1)}]))
t(lambda: type(N()(np.float32(2))))
for opt in (torch.optim.SGD, torch.optim.Adam, torch.optim.RMSprop, torch.optim.Adagrad, torch.optim.AdamW):
    w = torch.ones(3, requires_grad=True)
    o = opt([w], lr=np.float64(0.1))
    (w * torch.tensor([1., 2., 3.])).sum().backward(); o.step()
    for g in o.param_groups: g['lr'] = np.cos(g['lr']) * 0.1
    o.step()
    print(w, w.dtype, o.param_groups[0]['lr'], type(o.param_groups[0]['lr']))
w = torch.ones(3, requires_grad=True)
o = torch.optim.SGD([w], lr=0.1, momentum=0.9)
s = torch.optim.lr_scheduler.LambdaLR(o, lambda e: np.exp(-0.1 * e))
for i in range(3):
    o.zero_grad(); (w ** 2).sum().backward(); o.step(); s.step()
    print(s.get_last_lr(), type(s.get_last_lr()[0]), w)
s = torch.optim.lr_scheduler.CosineAnnealingLR(o, T_max=np.int64(5), eta_min=np.float32(0.01))
for i in range(2): o.step(); s.step(); print(s.get_last_lr())
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, a):
        ctx.a = a
        return torch.from_numpy(np.sin(x.detach().numpy()) * a)
    @staticmethod
    def backward(ctx, g):
        return torch.from_numpy(g.numpy() * ctx.a), None
y = torch.ones(2, requires_grad=True)
F.apply(y, np.float32(2)).sum().backward(); print(y.grad)
F.apply(y, np.array([1, 2], dtype=np.float32)).sum().backward(); print(y.grad)
class G(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x.detach().numpy() * 2
    @staticmethod
    def backward(ctx, g): return g.numpy()
t(lambda: G.apply(y))
t(lambda: type(G.apply(y)))
class H(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x * 2
    @staticmethod
    def backward(ctx, g): return g.numpy() * 2
t(lambda: H.apply(y).sum().backward())
class H(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): return x * 2
    @staticmethod
    def backward(ctx, g): return np.float64(2)
t(lambda: H.apply(y).sum().backward())
z = y * 2
z.register_hook(lambda g: g.numpy() * 2)
t(lambda: z.sum().backward())
z = y * 2
z.register_hook(lambda g: np.float32(2))
t(lambda: z.sum().backward())
t(lambda: torch.ones(3).apply_(lambda v: np.float64(v) + 1))
t(lambda: torch.autograd.functional.jacobian(lambda a: a * np.float64(2), torch.ones(2)))
t(lambda: torch.autograd.functional.jacobian(lambda a: a.numpy(), torch.ones(2)))
t(lambda: torch.func.grad(lambda a: np.float64(2))(torch.ones(2)))
t(lambda: torch.func.grad(lambda a, b: (a * torch.from_numpy(b)).sum())(torch.ones(2), np.array([1., 2.], dtype=np.float32)))
t(lambda: torch.func.vmap(lambda a, b: a * b, in_dims=(0, None))(torch.ones(2), np.float64(3)))
m.register_forward_hook(lambda mod, i, o: np.ones(2)); t(lambda: m(x))
m2 = M(2); m2.register_forward_pre_hook(lambda mod, i: (i[0], np.float32(2))); t(lambda: m2(x).dtype)
m2.register_buffer('b', torch.zeros(2))
def setb(v): m2.b = v
t(lambda: setb(np.zeros(2)))
t(lambda: setattr(m2.l, 'weight', np.zeros((2, 2))))
m2.extra = np.arange(3); print(m2.extra, m2.extra.shape, m2.__dict__['extra'].shape, vars(m2)['extra'][1])
m2.l.weight.data = torch.from_numpy(np.ones((2, 2), dtype=np.float32)); print(m2.l.weight)
sd = {k: v.numpy() for k, v in m2.state_dict().items()}
t(lambda: m2.load_state_dict(sd))
t(lambda: m2.load_state_dict({k: torch.from_numpy(v) for k, v in sd.items()}))
t(lambda: nn.utils.clip_grad_norm_([y], np.float64(1.0)))
t(lambda: nn.Parameter(torch.ones(2)) * np.ones(2))
t(lambda: nn.ParameterList([np.ones(2)])[0])
t(lambda: nn.init.normal_(torch.empty(2), np.float64(0), np.float64(0)))
t(lambda: nn.Dropout(np.float64(0.0))(x))
t(lambda: nn.functional.dropout(x, np.float64(0.0)))
t(lambda: nn.Conv2d(np.int64(1), np.int64(2), (np.int64(3), 3)).weight.shape)
t(lambda: nn.Embedding(np.int64(4), np.int64(3))(torch.tensor(np.array([1, 2]))).shape)
t(lambda: nn.CrossEntropyLoss(weight=np.ones(2)))
t(lambda: nn.CrossEntropyLoss()(x, np.array([0, 1, 0])))
class Q(nn.Parameter):
    def __new__(cls, data, tag=None): return super().__new__(cls, torch.from_numpy(data))
    def __init__(self, data, tag=None): self.tag = tag
q = Q(np.ones(2), np.arange(2)); t(lambda: (q, q.tag, type(q)))
class W(nn.Linear):
    def __init__(self, a, b): super().__init__(*a.shape, bias=False); self.a = a
t(lambda: (W(np.ones((2, 3)), b=1).a is not None, W(np.ones((2, 3)), b=1)))
from functools import partial
t(lambda: partial(M, np.int64(2))(p=np.array(1.)).p)
class L:
    def __init__(self, m): self.m = m
    def __call__(self, *a): return self.m(*a)
t(lambda: L(N())(np.ones(2)))
class K(nn.ModuleList):
    def __init__(self, sizes): super().__init__([nn.Linear(int(a), int(b)) for a, b in zip(sizes[:-1], sizes[1:])])
t(lambda: K(np.array([1, 2, 3])))
class T(nn.Module):
    def __init__(self, table): super().__init__(); self.e = nn.Embedding.from_pretrained(torch.FloatTensor(table)); self.n = table.shape[0]
t(lambda: T(np.eye(3)).n)
