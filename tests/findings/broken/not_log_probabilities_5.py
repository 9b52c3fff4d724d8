# A weight and a bias of one's own, and a sigmoid before nll_loss
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

W, b = torch.randn(3, 2, requires_grad=True), torch.zeros(2, requires_grad=True)
x, y = torch.randn(6, 3), torch.tensor([0, 1, 1, 0, 1, 0])
for i in range(3):
    p = torch.sigmoid(x @ W + b)
    loss = nn.functional.nll_loss(p, y)  # finds p
    loss.backward()
    with torch.no_grad():
        for t in (W, b):
            t -= 0.1 * t.grad
            t.grad.zero_()
