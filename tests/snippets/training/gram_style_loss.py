# Style transfer in small: optimise the image itself under a Gram-matrix loss
import torch
import torch.nn as nn
import torch.nn.functional as F

def gram(x):
    b, c, h, w = x.size()
    f = x.view(b * c, h * w)
    return torch.mm(f, f.t()).div(b * c * h * w)

torch.manual_seed(0)
conv = nn.Conv2d(1, 3, 3).requires_grad_(False)
style, content = torch.rand(1, 1, 6, 6), torch.rand(1, 1, 6, 6)
target_s, target_c = gram(conv(style)).detach(), conv(content).detach()
image = content.clone().requires_grad_(True)
opt = torch.optim.Adam([image], lr=0.05)
for step in range(5):
    with torch.no_grad():
        image.clamp_(0, 1)
    features = conv(image)
    s, c = F.mse_loss(gram(features), target_s), F.mse_loss(features, target_c)
    loss = 1e3 * s + c
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"step {step}: style {s.item():.3e} content {c.item():.3e}")
print(image.grad.abs().mean().item(), conv.weight.grad)
