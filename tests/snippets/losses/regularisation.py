# L2 and L1 penalties by hand, and what they add to the gradient
import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Linear(3, 1)
x, y = torch.ones(2, 3), torch.zeros(2, 1)
base = nn.functional.mse_loss(model(x), y)
l2 = sum((p ** 2).sum() for p in model.parameters())
l1 = sum(p.abs().sum() for p in model.parameters())
g0 = torch.autograd.grad(base, model.weight, retain_graph=True)[0]
(base + 0.1 * l2 + 0.01 * l1).backward()
extra = model.weight.grad - g0
print(base.item(), l2.item(), l1.item())
print(extra)
print((0.2 * model.weight + 0.01 * model.weight.sign()).detach())
