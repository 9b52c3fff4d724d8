# Only the weight of a layer is used
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.ModuleDict({
    "body": nn.Linear(3, 4),
    "head": nn.Linear(4, 1),  # finds net.head.bias
})
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    pred = net["body"](torch.randn(5, 3)) @ net["head"].weight.T
    pred.pow(2).mean().backward()
    opt.step()
