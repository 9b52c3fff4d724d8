# Replacing layers, hooks for features, intermediate outputs, deleting, extending, children vs modules, buffers and state dict keys
import copy
import torch
import torch.nn as nn
from collections import OrderedDict

class Net(nn.Module):
    scale: float = 2.0

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(OrderedDict(conv=nn.Conv1d(1, 2, 3, padding=1), bn=nn.BatchNorm1d(2), act=nn.ReLU()))
        self.head = nn.Linear(2, 3)
        self.register_buffer("steps", torch.tensor(0))
        self.register_buffer("tmp", torch.zeros(1), persistent=False)
        self.register_parameter("gain", None)
        self.extra = None

    def forward(self, x):
        self.steps += 1
        f = self.body(x).mean(-1)
        self.features = f
        return self.head(f) * self.scale

torch.manual_seed(0)
net = Net()
print(net)
print(list(net.state_dict()), net.gain, net.extra)
x = torch.randn(2, 1, 5)
out = net(x)
print(out.shape, net.steps, net.features.requires_grad)
net.head = nn.Identity()
print(net(x).shape, net.steps.item(), [n for n, _ in net.named_children()])
net.body.act = nn.Tanh()
net.body.add_module("drop", nn.Dropout(0.0))
del net.body.bn
print(net.body, len(net.body))
net.gain = nn.Parameter(torch.ones(1))
print([n for n, _ in net.named_parameters()])
try:
    net.gain = torch.ones(1)
except TypeError as e:
    print(e)
try:
    net.head.weight
except AttributeError as e:
    print(e)
try:
    net.register_buffer("steps", torch.zeros(1))
except KeyError as e:
    print(e)
net.features = None
clone = copy.deepcopy(net)
clone.body.conv.weight.data.zero_()
print(net.body.conv.weight.abs().sum() > 0, clone.steps is net.steps)
sd = net.state_dict()
sd["new"] = torch.ones(1)
del sd["body.conv.bias"]
try:
    net.load_state_dict(sd)
except RuntimeError as e:
    print(e)
print(net.load_state_dict(sd, strict=False))
sd = {k: v for k, v in net.state_dict().items()}
sd["body.conv.weight"] = torch.zeros(2, 1, 5)
try:
    net.load_state_dict(sd)
except RuntimeError as e:
    print(e)
feats = {}
def grab(name):
    def hook(m, i, o): feats[name] = o.detach()
    return hook
for n, m in net.named_modules():
    if not list(m.children()):
        m.register_forward_hook(grab(n))
net(x)
print({k: tuple(v.shape) for k, v in feats.items()})
print(sum(1 for _ in net.modules()), net.training, net.eval().training, net.body.training)
print(next(net.parameters()).shape, isinstance(net.body[0], nn.Conv1d), net.body[-1], net._get_name())
print(nn.Sequential(*list(net.body.children())[:1]), nn.ModuleList([nn.Linear(1, 1)] * 2))
net.apply(lambda m: setattr(m, "tag", type(m).__name__))
print(net.body.conv.tag, hasattr(net, "nothing"), getattr(net, "nothing", "default"))
