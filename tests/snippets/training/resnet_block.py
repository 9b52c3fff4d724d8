# A residual block with batch norm, and its gradients
import torch
import torch.nn as nn

class BasicBlock(nn.Module):
    def __init__(self, c_in, c_out, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(c_in, c_out, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(c_out)
        self.conv2 = nn.Conv2d(c_out, c_out, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(c_out)
        self.short = nn.Sequential(nn.Conv2d(c_in, c_out, 1, stride, bias=False), nn.BatchNorm2d(c_out)) if stride != 1 or c_in != c_out else nn.Identity()

    def forward(self, x):
        out = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(out)) + self.short(x))

torch.manual_seed(0)
net = nn.Sequential(BasicBlock(1, 2), BasicBlock(2, 3, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(3, 2))
x = torch.randn(4, 1, 6, 6)
loss = nn.functional.cross_entropy(net(x), torch.tensor([0, 1, 1, 0]))
loss.backward()
print(net[1])
print(f"{loss.item():.4f}", net[0].bn1.running_mean, net[0].bn1.num_batches_tracked)
for n, p in net.named_parameters():
    print(f"{n:20} {p.grad.norm().item():.4f}")
