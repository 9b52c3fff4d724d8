# Lambda layers, residual wrappers, containers that return tuples, forward with kwargs and defaults, nested calls
import torch
import torch.nn as nn
from typing import Callable, Dict, List, Optional, Tuple

class Lambda(nn.Module):
    def __init__(self, fn: Callable[[torch.Tensor], torch.Tensor], name: str = "λ"):
        super().__init__()
        self.fn, self.name = fn, name
    def forward(self, x): return self.fn(x)
    def __repr__(self): return f"Lambda({self.name})"

class Residual(nn.Module):
    def __init__(self, *layers, shortcut: Optional[nn.Module] = None):
        super().__init__()
        self.main = nn.Sequential(*layers)
        self.shortcut = shortcut or nn.Identity()
    def forward(self, x): return self.main(x) + self.shortcut(x)

class Multi(nn.Module):
    def __init__(self):
        super().__init__()
        self.branches = nn.ModuleList([nn.Linear(4, 2), nn.Sequential(nn.Linear(4, 2), nn.Tanh())])
        self.gate = nn.Parameter(torch.zeros(2))
    def forward(self, x: torch.Tensor, *, temperature: float = 1.0, return_parts: bool = False, **extra) -> Tuple:
        parts = [b(x) for b in self.branches]
        w = torch.softmax(self.gate / temperature, 0)
        out = sum(wi * p for wi, p in zip(w, parts))
        info: Dict[str, object] = {"w": w.detach(), **extra}
        return (out, parts, info) if return_parts else out

torch.manual_seed(0)
net = nn.Sequential(Lambda(lambda x: x.flatten(1), "flatten"), Residual(nn.Linear(4, 4), nn.ReLU()), Residual(nn.Linear(4, 4), shortcut=nn.Linear(4, 4, bias=False)), Multi())
print(net)
x = torch.randn(2, 2, 2)
out = net(x)
out2, parts, info = net[-1](net[:-1](x), temperature=0.5, return_parts=True, tag="t")
print(out.shape, torch.equal(out, out2), len(parts), info)
out.pow(2).sum().backward()
print(net[-1].gate.grad, net[1].main[0].weight.grad.norm())
try:
    net[-1](x, 1.0)
except TypeError as e:
    print(e)
try:
    net[-1]()
except TypeError as e:
    print(e)
print([type(m).__name__ for m in net.modules()][:6], len(net), net[1:3][0] is net[1])
class Counter(nn.Module):
    calls = 0
    def forward(self, x):
        type(self).calls += 1
        return x
c = Counter()
s = nn.Sequential(*[c] * 3)
s(x)
print(Counter.calls, len(list(s.children())), len(s))
d = nn.ModuleDict({"a": nn.Linear(4, 1), "b": nn.Identity()})
d.update({"c": nn.ReLU()})
print(list(d), "a" in d, d.pop("b"), len(d), [k for k, _ in d.items()])
pl = nn.ParameterList([torch.ones(1), nn.Parameter(torch.zeros(2))])
print(pl, len(pl), [p.requires_grad for p in pl])
