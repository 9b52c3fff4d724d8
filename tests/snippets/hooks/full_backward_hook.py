# Module backward hooks see the gradients at the module's border
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.Sigmoid(), nn.Linear(2, 1))

def show(module, grad_input, grad_output):
    print(module.__class__.__name__)
    print("   in: ", [None if g is None else tuple(g.shape) for g in grad_input])
    print("   out:", [tuple(g.shape) for g in grad_output])

for child in net.children():
    child.register_full_backward_hook(show)
x = torch.randn(3, 2, requires_grad=True)
net(x).sum().backward()
print(x.grad)
