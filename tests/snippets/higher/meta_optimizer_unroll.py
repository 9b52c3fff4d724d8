# Learning the learning rate and the initialisation by backprop through SGD steps
import torch
import torch.nn as nn

torch.manual_seed(3)
X = torch.randn(8, 2, dtype=torch.float64)
y = X @ torch.tensor([1.5, -0.5], dtype=torch.float64)
log_lr = torch.tensor(-2.0, dtype=torch.float64, requires_grad=True)
mom = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
w0 = torch.zeros(2, dtype=torch.float64, requires_grad=True)

def inner(w0, steps=5):
    w, v, hist = w0, torch.zeros_like(w0), []
    for _ in range(steps):
        loss = ((X @ w - y) ** 2).mean()
        g, = torch.autograd.grad(loss, w, create_graph=True)
        v = torch.sigmoid(mom) * v + g
        w = w - log_lr.exp() * v
        hist.append(loss.item())
    return ((X @ w - y) ** 2).mean(), hist

meta = torch.optim.Adam([log_lr, mom, w0], lr=0.1)
for it in range(4):
    meta.zero_grad()
    loss, hist = inner(w0)
    loss.backward()
    print(f"{it} {loss.item():.6f} lr {log_lr.exp().item():.4f} dlr {log_lr.grad.item():+.5f} dmom {mom.grad.item():+.5f} dw0 {[round(v, 5) for v in w0.grad.tolist()]}")
    meta.step()
print([round(h, 4) for h in hist])
loss, _ = inner(w0, 2)
h = torch.autograd.grad(loss, log_lr, create_graph=True)[0]
print(h, torch.autograd.grad(h, log_lr)[0])
class LSTMOpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.out = nn.LSTMCell(1, 3), nn.Linear(3, 1)
    def forward(self, g, state):
        h, c = self.cell(g.reshape(-1, 1), state)
        return self.out(h).reshape(g.shape) * 0.1, (h, c)
opt_net = LSTMOpt()
w = torch.randn(2, requires_grad=True)
state, total = None, 0
Xf, yf = X.float(), y.float()
for _ in range(3):
    l = ((Xf @ w - yf) ** 2).mean()
    total = total + l
    g, = torch.autograd.grad(l, w, retain_graph=True)
    upd, state = opt_net(g.detach(), state)
    w = w + upd
total.backward()
print(total, {n: round(p.grad.norm().item(), 5) for n, p in opt_net.named_parameters()})
