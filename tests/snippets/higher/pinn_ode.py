# A physics-informed network for u'' + u = 0 with boundary terms
import torch
import torch.nn as nn
import numpy as np

torch.manual_seed(0)
np.random.seed(0)

class PINN(nn.Module):
    def __init__(self, layers):
        super(PINN, self).__init__()
        self.activation = nn.Tanh()
        self.linears = nn.ModuleList([nn.Linear(layers[i], layers[i + 1]) for i in range(len(layers) - 1)])
        for i in range(len(layers) - 1):
            nn.init.xavier_normal_(self.linears[i].weight.data, gain=1.0)
            nn.init.zeros_(self.linears[i].bias.data)

    def forward(self, x):
        a = x
        for i in range(len(self.linears) - 1):
            a = self.activation(self.linears[i](a))
        return self.linears[-1](a)

def pde_residual(net, x):
    u = net(x)
    u_x = torch.autograd.grad(u, x, grad_outputs=torch.ones_like(u), create_graph=True, retain_graph=True)[0]
    u_xx = torch.autograd.grad(u_x, x, grad_outputs=torch.ones_like(u_x), create_graph=True)[0]
    return u_xx + u, u_x

net = PINN([1, 8, 8, 1])
x = torch.linspace(0, float(np.pi), 9).view(-1, 1).requires_grad_(True)
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for epoch in range(3):
    opt.zero_grad()
    f, u_x = pde_residual(net, x)
    loss_f = torch.mean(f ** 2)
    loss_b = net(torch.zeros(1, 1)).pow(2).sum() + (u_x[0] - 1).pow(2).sum()
    loss = loss_f + loss_b
    loss.backward()
    opt.step()
    print('Iter %d, Loss: %.5e, f %.5f b %.5f' % (epoch, loss.item(), loss_f.item(), loss_b.item()))
print(f.grad_fn, u_x.grad_fn)
xt = torch.tensor([[0.5, 0.2]], requires_grad=True)
net2 = PINN([2, 5, 1])
u = net2(xt)
g = torch.autograd.grad(u, xt, create_graph=True)[0]
u_x, u_t = g[:, 0:1], g[:, 1:2]
u_xx = torch.autograd.grad(u_x, xt, create_graph=True)[0][:, 0:1]
res = u_t + u * u_x - (0.01 / np.pi) * u_xx
print(res, res.dtype)
res.pow(2).mean().backward()
print(net2.linears[0].weight.grad)
print(xt.grad)
