# The members of a module
import torch, torch.nn as nn
from collections import OrderedDict
torch.manual_seed(0)
class Net(nn.Module):
    """doc"""
    def __init__(self, n=3):
        super().__init__()
        self.fc1 = nn.Linear(2, n)
        self.act = nn.ReLU()
        self.layers = nn.ModuleList([nn.Linear(n, n) for _ in range(2)])
        self.w = nn.Parameter(torch.ones(n))
        self.register_buffer('buf', torch.zeros(1))
        self._hidden = 5
        self.count = 0
    def forward(self, x):
        self.count += 1
        x = self.act(self.fc1(x))
        for l in self.layers: x = l(x)
        return x * self.w + self._hidden
net = Net()
print(net)
print(type(net), type(net).__name__, net.__class__.__name__, isinstance(net, nn.Module), isinstance(net.fc1, nn.Linear), Net.__doc__, net.training)
y = net(torch.ones(1, 2)); print(y.shape, net.count, net._hidden, hasattr(net, 'zz'))
print([n for n, p in net.named_parameters()], sum(p.numel() for p in net.parameters()), [n for n, _ in net.named_modules()], list(net.state_dict().keys()), len(list(net.children())))
try: net.foo
except AttributeError as e: print(e)
try: net.forward(1, 2, 3)
except TypeError as e: print(e)
net.eval(); print(net.training); net.train()
net.new = nn.Linear(1, 1); print('new' in dict(net.named_modules()))
for name, p in net.named_parameters():
    if 'fc1' in name: p.requires_grad = False
print([p.requires_grad for p in net.parameters()])
net.apply(lambda m: print(type(m).__name__))
import copy
net2 = copy.deepcopy(net); net2.w.data.fill_(9); print(net.w.data, net2.w.data, net2.count, type(net2).__name__)
net.load_state_dict(net2.state_dict()); print(net.w.data)
