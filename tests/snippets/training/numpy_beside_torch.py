"""Convolution in numpy as a function of its own; a network in numpy beside one in PyTorch."""

import numpy as np, torch, torch.nn as nn
from torch.autograd import Function
np.random.seed(0); torch.manual_seed(0)
class NumpyConv(Function):
    @staticmethod
    def forward(ctx, x, w, stride):
        x, w = x.detach(), w.detach()
        ctx.save_for_backward(x, w); ctx.stride = stride
        xn, wn = x.numpy(), w.numpy()
        k = wn.shape[0]
        out = np.array([(xn[i:i + k] * wn).sum() for i in range(0, len(xn) - k + 1, stride)], dtype=xn.dtype)
        return torch.as_tensor(out, dtype=x.dtype)
    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        gx, gw = np.zeros_like(x.numpy()), np.zeros_like(w.numpy())
        k = w.numel()
        for j, i in enumerate(range(0, x.numel() - k + 1, ctx.stride)):
            gx[i:i + k] += g[j].item() * w.numpy(); gw += g[j].numpy() * x.numpy()[i:i + k]
        return torch.from_numpy(gx), torch.from_numpy(gw), None
class Conv(nn.Module):
    def __init__(self, k, stride=1, init=None):
        super().__init__()
        self.w = nn.Parameter(torch.from_numpy(init if init is not None else np.random.randn(k)).float()); self.stride = stride
    def forward(self, x): return NumpyConv.apply(x, self.w, self.stride)
m = Conv(3, 2, init=np.array([1., 0., -1.]))
x = torch.randn(9, requires_grad=True)
y = m(x); y.pow(2).sum().backward()
print(y, x.grad, m.w.grad)
print(torch.autograd.gradcheck(lambda a, b: NumpyConv.apply(a, b, 2), (torch.randn(7, dtype=torch.double, requires_grad=True), torch.randn(3, dtype=torch.double, requires_grad=True))))
W1 = np.random.randn(4, 5) * .1; b1 = np.zeros(5); W2 = np.random.randn(5, 3) * .1; b2 = np.zeros(3)
X = np.random.randn(6, 4); Y = np.array([0, 1, 2, 0, 1, 2])
def forward_np(X):
    h = np.maximum(0, X @ W1 + b1); s = h @ W2 + b2
    e = np.exp(s - s.max(axis=1, keepdims=True)); p = e / e.sum(axis=1, keepdims=True)
    return h, p
h, p = forward_np(X)
loss_np = -np.log(p[np.arange(len(Y)), Y]).mean()
d = p.copy(); d[np.arange(len(Y)), Y] -= 1; d /= len(Y)
gW2, gb2 = h.T @ d, d.sum(axis=0); dh = d @ W2.T; dh[h <= 0] = 0; gW1, gb1 = X.T @ dh, dh.sum(0)
net = nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 3)).double()
with torch.no_grad():
    net[0].weight.copy_(torch.from_numpy(W1.T)); net[0].bias.copy_(torch.tensor(b1)); net[2].weight.data = torch.tensor(W2.T.copy()); net[2].bias.data.zero_()
loss = nn.CrossEntropyLoss()(net(torch.from_numpy(X)), torch.from_numpy(Y)); loss.backward()
print(loss_np, loss.item(), np.allclose(net[0].weight.grad.numpy().T, gW1), np.allclose(net[2].weight.grad.T, gW2), np.abs(net[0].bias.grad.numpy() - gb1).max() < 1e-12)
eps = 1e-6
def num_grad(f, W):
    g = np.zeros_like(W); it = np.nditer(W, flags=['multi_index'], op_flags=['readwrite'])
    while not it.finished:
        i = it.multi_index; old = W[i]
        W[i] = old + eps; a = f(); W[i] = old - eps; b = f(); W[i] = old
        g[i] = (a - b) / (2 * eps); it.iternext()
    return g
def f(): 
    _, p = forward_np(X); return -np.log(p[np.arange(len(Y)), Y]).mean()
print(np.abs(num_grad(f, W2) - gW2).max() < 1e-7)
lrs = np.logspace(-3, -1, 3)
for lr in lrs:
    torch.manual_seed(0); n2 = nn.Linear(4, 3); o = torch.optim.SGD(n2.parameters(), lr=lr, momentum=np.float32(.9))
    for _ in range(3):
        o.zero_grad(); l = nn.functional.cross_entropy(n2(torch.tensor(X, dtype=torch.float32)), torch.as_tensor(Y)); l.backward(); o.step()
    print(f'{lr:.4f} {l.item():.5f}', lr)
