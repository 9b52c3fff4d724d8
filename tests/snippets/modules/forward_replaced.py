# Lambda layers, functional partials in Sequential, forward replaced on the instance, monkeypatching methods
import torch, torch.nn as nn, types, functools
class Lambda(nn.Module):
    def __init__(s, f): super().__init__(); s.f = f
    def forward(s, *a): return s.f(*a)
net = nn.Sequential(Lambda(lambda x: x.view(x.size(0), -1)), Lambda(functools.partial(torch.mul, other=2)) if False else Lambda(lambda x: x * 2), Lambda(torch.relu)); print(net(torch.tensor([[[-1., 2.]]])), net)
l = nn.Linear(1, 1, bias=False); nn.init.ones_(l.weight); l.forward = lambda x: x * 100; print(l(torch.ones(1))); del l.forward; print(l(torch.ones(1)))
def fwd(self, x): return self.weight.sum() + x
l.forward = types.MethodType(fwd, l); y = l(torch.ones(1)); y.backward(); print(y, l.weight.grad)
class M(nn.Module): pass
M.forward = lambda self, x: x + 1; print(M()(torch.ones(1)), M().forward.__name__)
