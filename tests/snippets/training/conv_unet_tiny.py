# A tiny U-Net: transposed convolution, skip connections, crop, upsampling, shapes by forward hooks
import torch
import torch.nn as nn
import torch.nn.functional as F

class DoubleConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(1, o), nn.ReLU(inplace=True), nn.Conv2d(o, o, 3, padding=1), nn.ReLU(inplace=True))
    def forward(self, x): return self.net(x)

class UNet(nn.Module):
    def __init__(self, bilinear=False):
        super().__init__()
        self.d1, self.d2 = DoubleConv(1, 2), DoubleConv(2, 4)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True) if bilinear else nn.ConvTranspose2d(4, 2, 2, stride=2)
        self.u1 = DoubleConv(6 if bilinear else 4, 2)
        self.out = nn.Conv2d(2, 1, 1)
    def forward(self, x):
        a = self.d1(x)
        b = self.d2(self.pool(a))
        u = self.up(b)
        dy, dx = a.size(2) - u.size(2), a.size(3) - u.size(3)
        u = F.pad(u, [dx // 2, dx - dx // 2, dy // 2, dy - dy // 2])
        return self.out(self.u1(torch.cat([a, u], dim=1)))

for bilinear in (False, True):
    torch.manual_seed(0)
    net = UNet(bilinear)
    shapes = []
    hs = [m.register_forward_hook(lambda m, i, o: shapes.append((type(m).__name__, tuple(o.shape)))) for m in net.children()]
    x = torch.randn(1, 1, 5, 5, requires_grad=True)
    y = net(x)
    for h in hs: h.remove()
    print(shapes)
    mask = (torch.rand_like(y) > 0.5).float()
    inter = (torch.sigmoid(y) * mask).sum()
    dice = 1 - 2 * inter / (torch.sigmoid(y).sum() + mask.sum())
    loss = F.binary_cross_entropy_with_logits(y, mask) + dice
    loss.backward()
    print(loss, y.grad_fn, x.grad.norm())
    print([(n, f"{p.grad.norm():.4f}") for n, p in net.named_parameters() if "weight" in n])
print(net)
