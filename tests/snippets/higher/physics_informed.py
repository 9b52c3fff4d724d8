# u'' + u = 0: the residual of a network is its own loss
import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
t = torch.linspace(0, 1, 6).reshape(-1, 1).requires_grad_()
for epoch in range(6):
    u = net(t)
    du = torch.autograd.grad(u.sum(), t, create_graph=True)[0]
    ddu = torch.autograd.grad(du.sum(), t, create_graph=True)[0]
    residual = (ddu + u).pow(2).mean()
    start = (u[0] - 1).pow(2).sum() + du[0].pow(2).sum()
    loss = residual + start
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{epoch} residual {residual.item():.5f} boundary {start.item():.5f}")
print(ddu.shape, ddu.grad_fn is not None, t.grad is not None)
