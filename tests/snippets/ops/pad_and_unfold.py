# pad, unfold and sliding windows
import torch
import torch.nn.functional as F

x = torch.arange(5.0, requires_grad=True)
w = x.unfold(0, 3, 1)
print(w)
w.mean(dim=1).sum().backward()
print(x.grad)
p = F.pad(x.detach().view(1, 1, 5), (2, 1), mode="reflect")
print(p)
print(F.pad(torch.ones(2, 2), (1, 0, 0, 1), value=-1.0))
img = torch.arange(16.0).view(1, 1, 4, 4)
print(F.unfold(img, kernel_size=2, stride=2).squeeze(0))
print(F.avg_pool2d(img, 2), F.max_pool2d(img, 2).flatten(), F.interpolate(img, scale_factor=0.5, mode="nearest").shape)
