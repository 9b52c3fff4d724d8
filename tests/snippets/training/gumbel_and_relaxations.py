# Gumbel softmax by hand and by F, hard straight-through, REINFORCE, relaxed Bernoulli, temperature
import torch
import torch.nn.functional as F

torch.manual_seed(0)
logits = torch.tensor([1.0, 0.5, -1.0], requires_grad=True)
vals = torch.tensor([1.0, 2.0, 3.0])

def gumbel(shape, eps=1e-20):
    u = torch.rand(shape)
    return -torch.log(-torch.log(u + eps) + eps)

def gs(logits, tau=1.0, hard=False):
    y = F.softmax((logits + gumbel(logits.shape)) / tau, dim=-1)
    if hard:
        k = y.argmax(-1)
        one = torch.zeros_like(y).scatter_(-1, k.unsqueeze(-1), 1.0)
        y = one - y.detach() + y
    return y

for tau in (0.1, 1.0, 10.0):
    y = gs(logits, tau)
    g, = torch.autograd.grad((y * vals).sum(), logits)
    print(tau, y.detach(), g)
y = gs(logits, hard=True)
print(y, y.grad_fn)
(y * vals).sum().backward()
print(logits.grad)
logits.grad = None
h = F.gumbel_softmax(logits, tau=0.5, hard=True)
print(h, h.sum(), F.gumbel_softmax(logits.expand(2, 3), dim=1).sum(1))
(h @ vals).backward()
print(logits.grad)
logits.grad = None
d = torch.distributions.Categorical(logits=logits)
a = d.sample((4,))
adv = vals[a] - vals[a].mean()
loss = -(d.log_prob(a) * adv).mean() - 0.1 * d.entropy()
loss.backward()
print(a, d.probs, logits.grad)
p = torch.tensor(0.3, requires_grad=True)
u = torch.rand(())
lam = 0.5
z = torch.sigmoid((torch.log(p) - torch.log1p(-p) + torch.log(u) - torch.log1p(-u)) / lam)
z.backward()
print(z, p.grad)
b = (torch.rand(3) < p).float()
print(b.requires_grad, torch.bernoulli(p.detach().expand(3)), (b + p - p.detach()).requires_grad)
mix = torch.distributions.Normal(torch.zeros(2, requires_grad=True), torch.ones(2))
s, r = mix.sample(), mix.rsample()
print(s.requires_grad, r.requires_grad, r.grad_fn, mix)
