# Parameters in lists, dicts and plain tensors are not registered; buffers, ParameterList and to()
import torch
import torch.nn as nn

class Wrong(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(2, 2), nn.Linear(2, 1)]
        self.scale = torch.ones(1, requires_grad=True)
        self.cfg = {"p": nn.Parameter(torch.zeros(1))}
    def forward(self, x):
        for l in self.layers: x = l(x)
        return x * self.scale + self.cfg["p"]

class Right(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 1)])
        self.scale = nn.Parameter(torch.ones(1))
        self.cfg = nn.ParameterDict({"p": torch.zeros(1)})
    def forward(self, x):
        for l in self.layers: x = l(x)
        return x * self.scale + self.cfg["p"]

torch.manual_seed(0)
w, r = Wrong(), Right()
print(w, r)
print(len(list(w.parameters())), len(list(r.parameters())), [n for n, _ in r.named_parameters()])
try:
    torch.optim.SGD(w.parameters(), lr=0.1)
except ValueError as e:
    print(e)
x = torch.ones(1, 2)
w(x).sum().backward()
print(w.scale.grad, w.cfg["p"].grad, w.layers[0].weight.grad)
w.zero_grad()
print(w.scale.grad)
print(w.state_dict(), list(r.state_dict()))
print(w.double().scale.dtype, w.layers[0].weight.dtype, r.double().scale.dtype, r.layers[0].weight.dtype)
class Late(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(1, 1)
try:
    Late()
except AttributeError as e:
    print(e)
class Fresh(nn.Module):
    def forward(self, x):
        fc = nn.Linear(2, 1)
        return fc(x)
f = Fresh()
torch.manual_seed(0); a = f(x).item()
b = f(x).item()
print(a == b, len(list(f.parameters())))
p = nn.Parameter(torch.ones(1))
print(isinstance(p, torch.Tensor), type(p * 1), type(p.data), (p * 1).is_leaf, p.detach().requires_grad, type(p.clone()), p.requires_grad_(False))
r.scale.requires_grad = False
print([n for n, q in r.named_parameters() if q.requires_grad])
m = nn.Module()
m.a = nn.Parameter(torch.ones(1))
m.b = torch.ones(1)
m.register_parameter("c", nn.Parameter(torch.zeros(2)))
print(list(dict(m.named_parameters())), hasattr(m, "b"))
for bad in (lambda: m.register_parameter("c", torch.ones(1)), lambda: m.register_parameter("x.y", None), lambda: m.register_buffer("", torch.ones(1)), lambda: m.add_module("a", nn.ReLU()), lambda: m.register_parameter("d", (p * 2)), lambda: m.register_module("z", 3), lambda: setattr(m, "a", torch.ones(1))):
    try:
        bad()
        print("fine")
    except (TypeError, KeyError, ValueError) as e:
        print(type(e).__name__, e)
del m.a
print(list(dict(m.named_parameters())))
