# WGAN-GP: critic steps with gradient penalty, generator step, detach and no_grad
import torch
import torch.nn as nn
import torch.optim as optim
from torch.autograd import Variable, grad

torch.manual_seed(5)
nz, nd = 2, 3

G = nn.Sequential(nn.Linear(nz, 6), nn.ReLU(True), nn.Linear(6, nd))
D = nn.Sequential(nn.Linear(nd, 6), nn.LeakyReLU(0.2, True), nn.Linear(6, 1))

def weights_init(m):
    classname = m.__class__.__name__
    if classname.find('Linear') != -1:
        m.weight.data.normal_(0.0, 0.2)
        m.bias.data.fill_(0)

G.apply(weights_init)
D.apply(weights_init)
print(G)
print(D)

def calc_gradient_penalty(netD, real, fake, lam=10):
    alpha = torch.rand(real.size(0), 1).expand_as(real)
    inter = (alpha * real + (1 - alpha) * fake).detach()
    inter = Variable(inter, requires_grad=True)
    out = netD(inter)
    gradients = grad(outputs=out, inputs=inter, grad_outputs=torch.ones(out.size()), create_graph=True, retain_graph=True, only_inputs=True)[0]
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean() * lam

optD = optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.9))
optG = optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
one = torch.tensor(1.0)
mone = one * -1
for it in range(2):
    for p in D.parameters():
        p.requires_grad = True
    for _ in range(2):
        D.zero_grad()
        real = torch.randn(4, nd) + 2
        d_real = D(real).mean()
        d_real.backward(mone)
        with torch.no_grad():
            noise = torch.randn(4, nz)
            fake = G(noise)
        d_fake = D(fake).mean()
        d_fake.backward(one)
        gp = calc_gradient_penalty(D, real, fake)
        gp.backward()
        optD.step()
    for p in D.parameters():
        p.requires_grad = False
    G.zero_grad()
    g_loss = D(G(torch.randn(4, nz))).mean()
    g_loss.backward(mone)
    optG.step()
    print("it %d W %.4f gp %.4f G %.4f" % (it, (d_real - d_fake).item(), gp.item(), -g_loss.item()))
print(D[0].weight.grad.abs().sum(), gp.grad_fn, g_loss.grad_fn)
print([p.requires_grad for p in D.parameters()])
