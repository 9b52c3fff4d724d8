# What a block keeps is not what it returns
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Block(nn.Module):
    def forward(self, x):
        self.kept = x * 2
        return self.kept


net = Block()
net.register_full_backward_hook(lambda module, grad_input, grad_output: None)
x = torch.randn(2, requires_grad=True)
out = net(x)
print(out is net.kept)  # finds out
out.sum().backward()
