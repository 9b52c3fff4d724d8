# Layers that learn their input size at the first call
import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Sequential(
    nn.LazyConv2d(4, 3, padding=1), nn.LazyBatchNorm2d(), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.LazyLinear(5), nn.ReLU(), nn.LazyLinear(2, bias=False)
)
print(net)
print(net[0].weight, net[5].has_uninitialized_params(), net[0].bias.requires_grad)
for f in (lambda: net[0].weight.shape, lambda: net[5].weight + 1, lambda: sum(p.numel() for p in net.parameters()), lambda: net[5].weight.sum()):
    try:
        print(f())
    except (RuntimeError, ValueError) as e:
        print(type(e).__name__, e)
kept = net[5].weight
y = net(torch.randn(2, 3, 8, 8))
print(y.shape, net[5].weight is kept, type(net[5]))
print(net)
print(sum(p.numel() for p in net.parameters()), net[1].running_mean.shape, net[5].weight.shape)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
y.pow(2).mean().backward()
opt.step()
print(net[7].weight.grad)

a, b = nn.LazyLinear(2), nn.Linear(3, 2)
print(a.load_state_dict(b.state_dict()), a, a.weight)
print(a(torch.ones(1, 3)), a)
print(nn.LazyConv1d(2, 3), nn.LazyConvTranspose2d(3, 2, stride=2, bias=False), nn.LazyInstanceNorm1d(), nn.LazyConv3d(1, 1))
up = nn.LazyConvTranspose1d(2, 3)
print(up(torch.ones(1, 4, 5)).shape, up)
print(nn.LazyLinear(3).double().weight.dtype, list(nn.LazyBatchNorm1d().state_dict()))
try:
    nn.LazyConv2d(2, 3)(torch.ones(3))
except RuntimeError as e:
    print(e)


class Head(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.norm = nn.LazyBatchNorm1d(affine=False)
        self.out = nn.LazyLinear(classes)

    def forward(self, x):
        return self.out(self.norm(x))


head = Head(3)
head(torch.randn(4, 6)).logsumexp(1).sum().backward()
print(head, head.out.bias.grad)
