# A quiz: guess is_leaf, requires_grad and grad_fn for twenty tensors
import torch
import torch.nn as nn
a = torch.ones(2)
b = torch.ones(2, requires_grad=True)
items = dict(
    zeros=torch.zeros(2), param=nn.Parameter(a), frozen=nn.Parameter(a, requires_grad=False), aa=a + a, ab=a + b, bdetach=b.detach(), bclone=b.clone(),
    bdata=b.data, bview=b.view(2), bto=b.to(torch.float32), bdouble=b.double(), bcpu=b.cpu(), bfloat=b.float(), bcont=b.contiguous(), bcmp=b > 0, barg=b.argmax(), bint=b.int(),
    bround=b.round(), bitem=torch.tensor(b.sum().item()), likeb=torch.ones_like(b), newb=b.new_ones(2), asb=torch.as_tensor(b), brg=(a * 1).requires_grad_(), bgrad=b.grad, b0=b[0], bt=b.T, bhalf=b.half(),
    lin=nn.Linear(2, 1).weight, linout=nn.Linear(2, 1)(a), emb=nn.Embedding(2, 2).weight, buf=nn.BatchNorm1d(2).running_mean, brequires=b.detach().requires_grad_(), bwhere=torch.where(b > 0, a, a), brandn=torch.zeros_like(b, requires_grad=True), bsq=b.squeeze(), bexp=b.expand(2, 2), bstack=torch.stack([a, b])[0], bcat=torch.cat([a, a]),
)
for name, t in items.items():
    if t is None:
        print(f"{name:<10} None")
        continue
    print(f"{name:<10} leaf={t.is_leaf!s:<6} req={t.requires_grad!s:<6} same={t is b!s:<6} {t.dtype!s:<14} {t.grad_fn.name() if t.grad_fn else None}")
with torch.no_grad():
    c = b * 2
    d = torch.ones(2, requires_grad=True)
print(c.is_leaf, c.requires_grad, d.requires_grad, d.is_leaf)
