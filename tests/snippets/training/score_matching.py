# Denoising score matching and Langevin dynamics with a learned score
import torch, torch.nn as nn
torch.manual_seed(1)
score = nn.Sequential(nn.Linear(1, 16), nn.SiLU(), nn.Linear(16, 1)); opt = torch.optim.Adam(score.parameters(), 1e-2)
data = torch.cat([torch.randn(16, 1) * .1 - 1, torch.randn(16, 1) * .1 + 1])
for i in range(4):
    n = torch.randn_like(data) * .3; l = ((score(data + n) + n / .09) ** 2).mean() * .09; opt.zero_grad(); l.backward(); opt.step(); print(f"{l:.5f}")
x = torch.zeros(3, 1)
with torch.no_grad():
    for _ in range(3): x = x + .01 * score(x) + (2 * .01) ** .5 * torch.randn_like(x)
print(x.squeeze(), x.is_leaf)
xx = data[:2].clone().requires_grad_(); div = torch.autograd.grad(score(xx).sum(), xx, create_graph=True)[0]; (div + .5 * score(xx) ** 2).mean().backward(); print(score[0].weight.grad.norm())
