# Names: children, modules, named_parameters
import torch
import torch.nn as nn

torch.manual_seed(0)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(inplace=True))
        self.head = nn.ModuleDict({"a": nn.Linear(2, 3), "b": nn.Linear(2, 1, bias=False)})
        self.layers = nn.ModuleList([nn.Linear(2, 2) for _ in range(2)])
        self.scale = nn.Parameter(torch.ones(1))
        self.register_buffer("mean", torch.zeros(1))

    def forward(self, x):
        return x

net = Net()
print(net)
print([n for n, _ in net.named_children()])
print([n for n, _ in net.named_modules()])
for name, p in net.named_parameters():
    print(f"{name:25}{str(tuple(p.shape)):15}{p.numel():4d} {p.requires_grad}")
print(sum(p.numel() for p in net.parameters() if p.requires_grad))
print(list(net.state_dict().keys()))
