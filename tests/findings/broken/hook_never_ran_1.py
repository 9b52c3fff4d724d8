# The gradient is asked for at the output of the module
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(2, 2)
net.register_full_backward_hook(lambda module, grad_input, grad_output: print(grad_output))  # finds
x = torch.randn(1, 2, requires_grad=True)
out = net(x)
loss = out.pow(2).sum()
(g,) = torch.autograd.grad(loss, out)
print(g)
