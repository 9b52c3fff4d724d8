# Max pooling routes the gradient to the maximum, average pooling shares it
import torch
import torch.nn as nn

x = torch.tensor([[[[1., 2., 5., 6.], [3., 4., 7., 8.], [0., 1., 1., 0.], [1., 0., 0., 1.]]]], requires_grad=True)
for pool in (nn.MaxPool2d(2), nn.AvgPool2d(2), nn.AdaptiveAvgPool2d(1), nn.AdaptiveMaxPool2d((1, 2)), nn.MaxPool2d(3, stride=1, padding=1)):
    x.grad = None
    y = pool(x)
    y.sum().backward()
    print(pool)
    print(y.detach().squeeze())
    print(x.grad.squeeze())
out, indices = nn.MaxPool2d(2, return_indices=True)(x)
print(indices.flatten(), nn.MaxUnpool2d(2)(out, indices).detach().squeeze())
