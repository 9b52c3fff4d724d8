# cumsum, diff, flip, roll, cummax
import torch

x = torch.tensor([3.0, 1.0, 4.0, 1.0, 5.0], requires_grad=True)
y = x.cumsum(0)
print(y)
y.sum().backward()
print(x.grad)
x.grad = None
(torch.diff(x) ** 2).sum().backward()
print(x.grad)
print(x.flip(0), torch.roll(x, 2), sep="\n")
values, indices = torch.cummax(x, dim=0)
print(values, indices)
print(torch.cumsum(torch.ones(2, 3), dim=1), torch.logcumsumexp(x, 0))
