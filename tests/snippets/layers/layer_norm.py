# LayerNorm against the formula, GroupNorm and InstanceNorm
import torch
import torch.nn as nn

torch.manual_seed(0)
x = torch.randn(2, 4, requires_grad=True)
ln = nn.LayerNorm(4)
y = ln(x)
mean, var = x.mean(-1, keepdim=True), x.var(-1, unbiased=False, keepdim=True)
print(torch.allclose(y, (x - mean) / torch.sqrt(var + ln.eps), atol=1e-6), ln)
(y * torch.arange(8.0).view(2, 4)).sum().backward()
print(x.grad)
print(x.grad.sum(dim=1).abs().max().item() < 1e-5)
img = torch.randn(2, 4, 3, 3)
print(nn.GroupNorm(2, 4)(img).view(2, 2, -1).mean(-1).abs().max().item() < 1e-6)
print(nn.InstanceNorm2d(4)(img).shape, nn.RMSNorm(4)(x.detach()).pow(2).mean(-1))
