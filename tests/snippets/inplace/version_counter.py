# The version counter counts in-place writes, also through views
import torch

x = torch.zeros(4)
print(x._version)
x.add_(1)
x[0] = 5
x.view(2, 2)[1] *= 3
print(x._version, x)
v = x[:2]
v.zero_()
print(x._version, v._version, x.detach()._version)
y = x.clone()
print(y._version, y._is_view(), v._is_view(), v._base is x)
