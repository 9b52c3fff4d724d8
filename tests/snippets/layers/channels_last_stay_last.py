# Images whose channels lie last in memory: which layers keep them there, forwards and in gradients.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(2, 4, 6, 6).to(memory_format=torch.channels_last).requires_grad_()
layers = {
    "reflect": lambda t: F.pad(t, (1, 1, 1, 1), "reflect"),
    "replicate": lambda t: F.pad(t, (1, 1, 1, 1), mode="replicate"),
    "unshuffle": nn.PixelUnshuffle(2),
    "channels": nn.ChannelShuffle(2),
    "nearest": nn.Upsample(scale_factor=2),
    "bilinear": nn.Upsample(scale_factor=2, mode="bilinear"),
    "roll": lambda t: t.roll(1, 2),
    "group": nn.GroupNorm(2, 4),
    "batch": nn.BatchNorm2d(4),
    "layer": lambda t: F.layer_norm(t, (6,)),
    "mean": nn.AdaptiveAvgPool2d(1),
    "means": nn.AdaptiveAvgPool2d(2),
}
for name, layer in layers.items():
    y = layer(x)
    gradient = torch.autograd.grad(y, x, torch.ones_like(y))[0]
    print(name, tuple(y.shape), y.stride(), y.grad_fn.name(), gradient.stride())

model = nn.Sequential(nn.Conv2d(4, 8, 3), nn.GroupNorm(2, 8), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
model.to(memory_format=torch.channels_last)
h = x
for layer in model:
    h = layer(h)
    print(type(layer).__name__, h.stride(), h.grad_fn)
h.sum().backward()
print([(name, p.grad.stride()) for name, p in model.named_parameters()], x.grad.stride())

z = torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1)
print(z[1:, 5:].shape, z[3:].split([2, 0], 1)[1].sum(), z[2:, :, 9:].numel())
