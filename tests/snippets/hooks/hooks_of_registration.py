# Hooks of all modules hear of what any module is given, and may replace it; a hook that must run cannot hide an error.
import warnings

import torch
from torch import nn
from torch.nn.modules import module as modules

warnings.simplefilter("always")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))
        self.bias = None
        self.register_parameter("none", None)
        self.register_buffer("mean", torch.zeros(2))
        self.other = nn.Buffer(torch.ones(1))
        self.child = nn.Identity()
        self.add_module("added", nn.Flatten())

    def forward(self, x, fail=False):
        if fail:
            raise ValueError("forward fails")
        return x * self.weight


def told(kind):
    def hook(module, name, value):
        print(kind, type(module).__name__, name, type(value).__name__)
        if name == "mean":
            return value + 5

    return hook


handles = [
    modules.register_module_buffer_registration_hook(told("buffer")),
    modules.register_module_parameter_registration_hook(told("parameter")),
    modules.register_module_module_registration_hook(told("module")),
]
net = Net()
net.mean = torch.ones(2)
net.child = nn.Tanh()
print(net.mean)
for handle in handles:
    handle.remove()
net.weight = nn.Parameter(torch.ones(2) * 2)


def throws(module, args, output):
    print("throws", output)
    raise RuntimeError("hook fails")


def runs(module, args, output):
    print("runs", output)
    return 7


first = net.register_forward_hook(runs, always_call=True)
second = net.register_forward_hook(throws, always_call=True)
everywhere = modules.register_module_forward_hook(throws, always_call=True)
print(first.id < second.id < everywhere.id)
for fail in (True, False):
    try:
        net(torch.ones(2), fail=fail)
    except Exception as error:
        print(type(error).__name__, error)
for handle in (first, second, everywhere):
    handle.remove()
third = net.register_forward_hook(lambda m, a, k, o: print("with", k), with_kwargs=True)
fourth = net.register_forward_pre_hook(lambda m, a, k: print("before", k), with_kwargs=True)
print(net(torch.ones(2), fail=False))
third.remove()
fourth.remove()
print(net(torch.ones(2)))
