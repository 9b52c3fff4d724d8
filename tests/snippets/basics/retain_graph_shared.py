# Two losses over a shared trunk, with and without retain_graph, combined and separate
import torch
import torch.nn as nn

torch.manual_seed(0)
trunk, h1, h2 = nn.Linear(2, 3), nn.Linear(3, 1), nn.Linear(3, 1)
x = torch.randn(4, 2)

def zero():
    for m in (trunk, h1, h2):
        m.zero_grad()

def show(tag):
    print(f"{tag:<10}", [None if p.grad is None else round(p.grad.sum().item(), 5) for p in (trunk.weight, h1.weight, h2.weight)])

z = torch.tanh(trunk(x))
l1, l2 = h1(z).mean(), h2(z).pow(2).mean()
l1.backward()
show("l1")
try:
    l2.backward()
except RuntimeError as e:
    print(str(e)[:60])
show("failed")
zero()
z = torch.tanh(trunk(x))
l1, l2 = h1(z).mean(), h2(z).pow(2).mean()
l1.backward(retain_graph=True)
l2.backward()
show("separate")
zero()
z = torch.tanh(trunk(x))
(h1(z).mean() + h2(z).pow(2).mean()).backward()
show("sum")
zero()
z = torch.tanh(trunk(x))
torch.autograd.backward([h1(z).mean(), h2(z).pow(2).mean()])
show("list")
zero()
z = torch.tanh(trunk(x))
outs = [h1(z), h2(z)]
torch.autograd.backward(outs, [torch.full((4, 1), 0.25), 2 * outs[1].detach() / 4])
show("weights")
zero()
y = trunk(x).sum()
y.backward()
try:
    y.backward()
    print("linear again works?")
except RuntimeError as e:
    print("again:", str(e)[:30])
s = (x.requires_grad_() + 1).sum()
s.backward(); s.backward()
print(x.grad[0])
g1 = torch.autograd.grad(h1(torch.tanh(trunk(x))).sum(), [trunk.weight, h1.weight, h2.weight], allow_unused=True)
print([g is None for g in g1])
try:
    torch.autograd.grad(h1(torch.tanh(trunk(x))).sum(), [h2.weight])
except RuntimeError as e:
    print(e)
