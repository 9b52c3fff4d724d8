# Same module used many times, parametrised loops, gradient through time lengths, tied encoder-decoder
import torch
import torch.nn as nn

torch.manual_seed(0)
lin = nn.Linear(2, 2, bias=False)
with torch.no_grad():
    lin.weight.copy_(torch.tensor([[0.9, 0.1], [-0.2, 0.8]]))
for T in (1, 3, 10):
    lin.zero_grad()
    h = torch.ones(1, 2)
    for _ in range(T):
        h = torch.tanh(lin(h))
    h.sum().backward()
    print(T, lin.weight.grad.norm().item())

class TiedAE(nn.Module):
    def __init__(self, d, z):
        super().__init__()
        self.W = nn.Parameter(torch.randn(z, d) * 0.3)
        self.b = nn.Parameter(torch.zeros(z))
        self.c = nn.Parameter(torch.zeros(d))
    def forward(self, x):
        z = torch.sigmoid(nn.functional.linear(x, self.W, self.b))
        return nn.functional.linear(z, self.W.t(), self.c)

ae = TiedAE(4, 2)
x = torch.rand(3, 4)
loss = (ae(x) - x).pow(2).mean()
loss.backward()
print(loss, ae.W.grad)
def count(fn, seen=None):
    seen = set() if seen is None else seen
    if fn is None or fn in seen: return 0
    seen.add(fn)
    return 1 + sum(count(n, seen) for n, _ in fn.next_functions)
print(count(loss.grad_fn))
shared = nn.Sequential(lin, nn.ReLU(), lin)
print(shared, len(list(shared.parameters())), list(dict(shared.named_parameters(remove_duplicate=False))))
shared(torch.ones(1, 2)).sum().backward()
print(lin.weight.grad)
a = nn.Linear(2, 2)
b = nn.Linear(2, 2)
b.weight = a.weight
opt = torch.optim.SGD([*a.parameters(), b.bias], lr=0.1)
(a(torch.ones(1, 2)) + b(torch.ones(1, 2))).sum().backward()
opt.step()
print(a.weight is b.weight, torch.equal(a.weight, b.weight), a.weight.grad)
try:
    torch.optim.SGD([a.weight, b.weight], lr=0.1)
except Exception as e:
    print(type(e).__name__, e)
