# Per-sample gradients three ways, empirical Fisher, EWC penalty, influence of a sample
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, vmap, grad

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 2))
X, Y = torch.randn(5, 2), torch.randint(0, 2, (5,))
names, params = zip(*net.named_parameters())

def flat(gs):
    return torch.cat([g.reshape(-1) for g in gs])

loop = torch.stack([flat(torch.autograd.grad(F.cross_entropy(net(x[None]), y[None]), params)) for x, y in zip(X, Y)])
def loss_one(p, x, y):
    return F.cross_entropy(functional_call(net, p, (x.unsqueeze(0),)), y.unsqueeze(0))
ps = {n: p.detach() for n, p in zip(names, params)}
vg = vmap(grad(loss_one), in_dims=(None, 0, 0))(ps, X, Y)
vec = torch.cat([vg[n].flatten(1) for n in names], 1)
print(loop.shape, torch.allclose(loop, vec, atol=1e-6))
fisher = loop.pow(2).mean(0)
print(fisher[:4], loop.norm(dim=1))
old = {n: p.detach().clone() for n, p in net.named_parameters()}
F_diag = dict(zip(names, torch.split(fisher, [p.numel() for p in params])))
with torch.no_grad():
    for p in params:
        p.add_(0.1)
def ewc(lam=10.0):
    return lam / 2 * sum((F_diag[n].view_as(p) * (p - old[n]) ** 2).sum() for n, p in net.named_parameters())
pen = ewc()
pen.backward()
print(pen, net[0].weight.grad)
net.zero_grad()
total = F.cross_entropy(net(X), Y)
gs = torch.autograd.grad(total, params, create_graph=True)
g = flat(gs)
H = torch.stack([flat(torch.autograd.grad(gi, params, retain_graph=True)) for gi in g]) + 0.1 * torch.eye(g.numel())
s = torch.linalg.solve(H, g.detach())
infl = -(loop @ s)
print(infl, infl.argmax().item())
clipped = loop / loop.norm(dim=1, keepdim=True).clamp(min=0.5)
noisy = clipped.mean(0) + 0.01 * torch.randn(loop.size(1))
print(noisy.norm())
i = 0
for p in params:
    p.grad = noisy[i:i + p.numel()].view_as(p)
    i += p.numel()
torch.optim.SGD(net.parameters(), 0.1).step()
print(net[2].bias)
