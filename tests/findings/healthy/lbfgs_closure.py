# zero_grad stands in a closure, before the pass of the next call
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
X = torch.randn(20, 3)
y = X @ torch.tensor([1.0, -2.0, 0.5])
opt = torch.optim.LBFGS([w], lr=0.5, max_iter=5)


def closure():
    opt.zero_grad()
    loss = F.mse_loss(X @ w, y)
    loss.backward()
    return loss


for _ in range(4):
    opt.step(closure)
