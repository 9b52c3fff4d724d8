# Private and mangled names on modules, optimizers, datasets, functions and tensors
import torch, torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__(); self.__secret = nn.Parameter(torch.ones(1)); self._cache = {}; self._layers = nn.ModuleList([nn.Identity()]); self.__n = 0
    def forward(self, x):
        self.__n += 1; self._cache[self.__n] = x.detach()
        for l in self._layers: x = l(x)
        return self._scale(x)
    def _scale(self, x): return x * self.__secret
    def __private(self): return "p"
    def call(self): return self.__private()
n = Net(); n(torch.ones(1)).backward(); print([k for k, _ in n.named_parameters()], n._cache, n._Net__n, n.call(), n._Net__secret.grad)
class Opt(torch.optim.Optimizer):
    def __init__(s, ps, lr): super().__init__(ps, dict(lr=lr)); s._steps = 0; s.__hidden = 3
    @torch.no_grad()
    def step(s): s._steps += 1; [p.sub_(g["lr"] * p.grad) for g in s.param_groups for p in g["params"]]; return s.__hidden
o = Opt(n.parameters(), .5); print(o.step(), o._steps, n._Net__secret)
class D(torch.utils.data.Dataset):
    def __init__(s): s._x = torch.arange(3); s.__len = 3
    def __len__(s): return s.__len
    def __getitem__(s, i): return s._x[i]
print(list(torch.utils.data.DataLoader(D(), batch_size=2)))
class F(torch.autograd.Function):
    _count = 0
    @staticmethod
    def forward(ctx, x): F._count += 1; ctx._x = x; ctx.extra = {"k": 1}; return x * 2
    @staticmethod
    def backward(ctx, g): return g * F._factor(ctx._x)
    @staticmethod
    def _factor(x): return 2
t = torch.ones(1, requires_grad=True); F.apply(t).backward(); t._tag = "tag"; t.note = [1]; print(t.grad, F._count, t._tag, t.note, hasattr(t, "nope"))
