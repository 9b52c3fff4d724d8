# A second pass at a perturbed place
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
m = nn.Linear(3, 2)
opt = torch.optim.SGD(m.parameters(), lr=0.1)
for _ in range(5):
    x, y = torch.randn(8, 3), torch.randint(0, 2, (8,))
    F.cross_entropy(m(x), y).backward()
    e = []
    with torch.no_grad():
        n = torch.stack([p.grad.norm() for p in m.parameters()]).norm()
        for p in m.parameters():
            d = 0.05 * p.grad / (n + 1e-12)
            p.add_(d)
            e.append(d)
    opt.zero_grad()
    F.cross_entropy(m(x), y).backward()
    with torch.no_grad():
        for p, d in zip(m.parameters(), e):
            p.sub_(d)
    opt.step()
    opt.zero_grad()
