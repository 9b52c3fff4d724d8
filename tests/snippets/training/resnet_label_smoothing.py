# Tiny ResNet with batch norm, downsample, and zero-init residual
import torch, torch.nn as nn, torch.nn.functional as F
torch.manual_seed(0)
def conv3x3(i, o, stride=1): return nn.Conv2d(i, o, 3, stride=stride, padding=1, bias=False)
class BasicBlock(nn.Module):
    expansion: int = 1
    def __init__(self, inp, out, stride=1):
        super().__init__()
        self.conv1, self.bn1 = conv3x3(inp, out, stride), nn.BatchNorm2d(out)
        self.conv2, self.bn2 = conv3x3(out, out), nn.BatchNorm2d(out)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None if stride == 1 and inp == out else nn.Sequential(nn.Conv2d(inp, out, 1, stride, bias=False), nn.BatchNorm2d(out))
    def forward(self, x):
        identity = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += identity
        return self.relu(out)
class Net(nn.Module):
    def __init__(self, blocks=(2, 4), num_classes=3):
        super().__init__()
        self.stem = conv3x3(1, blocks[0])
        self.layers = nn.Sequential(*[BasicBlock(i, o, 1 + (i != o)) for i, o in zip((blocks[0],) + blocks, blocks)])
        self.fc = nn.Linear(blocks[-1], num_classes)
        for m in self.modules():
            if isinstance(m, nn.Conv2d): nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(m, BasicBlock): nn.init.zeros_(m.bn2.weight)
    def forward(self, x):
        x = self.layers(self.stem(x))
        return self.fc(torch.flatten(F.adaptive_avg_pool2d(x, 1), 1))
net = Net()
x = torch.randn(2, 1, 6, 6)
loss = F.cross_entropy(net(x), torch.tensor([0, 2]), label_smoothing=0.1)
loss.backward()
print(net.layers[1])
print(loss, sum(p.numel() for p in net.parameters() if p.requires_grad))
for n, p in net.named_parameters(): print(f"{n:28s}{str(list(p.shape)):18s}{p.grad.abs().mean().item():.5f}")
print(net.layers[0].bn1.running_mean, net.layers[0].bn1.num_batches_tracked)
