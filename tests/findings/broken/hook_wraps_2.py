# A module that hands its input through, with a hook before
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Flatten(0)
net.register_full_backward_pre_hook(lambda module, grad_output: None)
x = torch.randn(2, requires_grad=True)
y = net(x)
same = y is x  # finds y
print(same)
y.sum().backward()
