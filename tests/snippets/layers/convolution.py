# conv2d: shapes, gradients of kernel and bias, edge detection
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
image = torch.zeros(1, 1, 5, 5)
image[..., :, 2:] = 1.0
sobel = torch.tensor([[1., 0., -1.], [2., 0., -2.], [1., 0., -1.]]).view(1, 1, 3, 3).requires_grad_()
edges = F.conv2d(image, sobel, padding=1)
print(edges.squeeze())
edges.abs().sum().backward()
print(sobel.grad.squeeze())
for kwargs in ({}, {"stride": 2}, {"padding": 1}, {"dilation": 2}, {"stride": 2, "padding": 2}):
    conv = nn.Conv2d(1, 4, kernel_size=3, **kwargs)
    print(kwargs, tuple(conv(image).shape))
print(nn.Conv2d(4, 8, 3, groups=2, bias=False).weight.shape, nn.Conv1d(2, 3, 2)(torch.ones(1, 2, 7)).shape)
print(nn.ConvTranspose2d(1, 2, 2, stride=2)(image).shape)
