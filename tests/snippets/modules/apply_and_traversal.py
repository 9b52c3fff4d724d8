# apply, get_submodule, get_parameter, add_module, setattr, delattr
import torch
import torch.nn as nn

torch.manual_seed(0)

net = nn.Module()
net.add_module("body", nn.Sequential(nn.Linear(2, 2), nn.ReLU()))
net.head = nn.Linear(2, 1)
seen = []
net.apply(lambda m: seen.append(type(m).__name__))
print(seen)
print(net.get_submodule("body.0"), net.get_parameter("head.weight").shape, "head" in net._modules)
del net.head
print(net)
net.body[1] = nn.Tanh()
print(net.body, len(net.body), hasattr(net, "head"))
try:
    net.head
except AttributeError as e:
    print(e)
try:
    net.get_submodule("nope")
except AttributeError as e:
    print(e)
d = nn.ModuleDict({"relu": nn.ReLU()})
d["tanh"] = nn.Tanh()
print(list(d.keys()), d["tanh"], "relu" in d, d)
l = nn.ModuleList([nn.Identity()])
l.append(nn.Flatten())
l.extend([nn.Dropout(0.1)])
l.insert(0, nn.ELU())
print(l, l[-1], l[1:3])
