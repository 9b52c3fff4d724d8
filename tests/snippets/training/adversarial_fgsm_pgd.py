# FGSM, PGD with projection, targeted attacks, input gradients with frozen models
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
model = nn.Sequential(nn.Flatten(), nn.Linear(9, 8), nn.ReLU(), nn.Linear(8, 3))
for p in model.parameters():
    p.requires_grad_(False)
model.eval()
x = torch.rand(2, 1, 3, 3)
y = model(x).argmax(1)

def fgsm(x, y, eps):
    x = x.clone().detach().requires_grad_(True)
    loss = F.cross_entropy(model(x), y)
    model.zero_grad()
    loss.backward()
    return (x + eps * x.grad.sign()).clamp(0, 1).detach(), loss.item()

def pgd(x, y, eps=0.3, alpha=0.1, steps=4, targeted=False, rand=True):
    adv = x.detach().clone()
    if rand:
        adv = (adv + torch.empty_like(adv).uniform_(-eps, eps)).clamp(0, 1)
    for _ in range(steps):
        adv.requires_grad = True
        loss = F.cross_entropy(model(adv), y)
        grad = torch.autograd.grad(loss, adv)[0]
        with torch.no_grad():
            adv = adv - alpha * grad.sign() if targeted else adv + alpha * grad.sign()
            adv = torch.min(torch.max(adv, x - eps), x + eps).clamp(0, 1)
    return adv.detach()

for eps in (0.0, 0.1, 0.5):
    adv, l = fgsm(x, y, eps)
    print(eps, f"{l:.4f}", F.cross_entropy(model(adv), y).item(), (model(adv).argmax(1) == y).tolist())
adv = pgd(x, y)
print((adv - x).abs().max() <= 0.3 + 1e-6, F.cross_entropy(model(adv), y) > F.cross_entropy(model(x), y), adv.requires_grad)
t = (y + 1) % 3
tadv = pgd(x, t, eps=0.5, steps=10, targeted=True, rand=False)
print(model(tadv).softmax(1)[torch.arange(2), t], model(x).softmax(1)[torch.arange(2), t])
xs = x.clone().requires_grad_()
score = model(xs)[0, y[0]]
score.backward()
sal, _ = xs.grad.abs().max(dim=1)
print(sal.shape, sal[1].sum(), xs.grad[0, 0])
noise = torch.stack([torch.autograd.grad(model(n := (x[:1] + 0.1 * torch.randn_like(x[:1])).requires_grad_())[0, y[0]], n)[0] for _ in range(4)]).mean(0)
base = torch.zeros_like(x[:1])
ig = torch.zeros_like(base)
for k in range(1, 11):
    p = (base + k / 10 * (x[:1] - base)).requires_grad_()
    ig += torch.autograd.grad(model(p)[0, y[0]], p)[0] / 10
attr = (x[:1] - base) * ig
print(attr.sum(), model(x[:1])[0, y[0]] - model(base)[0, y[0]], noise.shape)
