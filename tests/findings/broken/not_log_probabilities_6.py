# nll_loss of a softmax that is written out
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

w = torch.randn(3, 4, requires_grad=True)
x, y = torch.randn(5, 3), torch.randint(0, 4, (5,))
for i in range(2):
    z = (x @ w).exp()
    p = z / z.sum(1, keepdim=True)
    loss = F.nll_loss(p, y)  # finds p
    loss.backward()
    w.data -= 0.1 * w.grad
    w.grad = None
