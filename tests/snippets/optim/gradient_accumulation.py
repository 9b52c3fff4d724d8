# Accumulate over micro-batches: the same as one large batch
import torch
import torch.nn as nn

torch.manual_seed(0)
x, y = torch.randn(8, 3), torch.randn(8, 1)
net = nn.Linear(3, 1)
nn.functional.mse_loss(net(x), y).backward()
big = net.weight.grad.clone()
net.zero_grad()
print(net.weight.grad)
for i, (xb, yb) in enumerate(zip(x.chunk(4), y.chunk(4))):
    loss = nn.functional.mse_loss(net(xb), yb) / 4
    loss.backward()
    print(i, net.weight.grad)
print(torch.allclose(big, net.weight.grad, atol=1e-6))
net.zero_grad(set_to_none=False)
print(net.weight.grad)
