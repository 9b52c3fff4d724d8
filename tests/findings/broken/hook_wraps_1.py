# A hook that only looks makes another tensor
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Identity()
net.register_full_backward_hook(lambda module, grad_input, grad_output: None)
x = torch.randn(2, requires_grad=True)
print(net(x) is x)  # finds
net(x).sum().backward()
