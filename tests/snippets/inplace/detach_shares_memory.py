# Writing to a detached tensor is noticed, writing to .data is not
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x.exp()
d = y.detach()
d.zero_()
try:
    y.sum().backward()
except RuntimeError as e:
    print("detach:", str(e)[:60], "...")
y = x.exp()
y.data.zero_()
y.sum().backward()
print(".data: silently wrong", x.grad, "instead of", torch.exp(x).detach())
print(y, y._version, d._version)
