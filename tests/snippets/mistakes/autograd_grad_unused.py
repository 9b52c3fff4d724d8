# One of the differentiated tensors appears to not have been used
import torch

x = torch.tensor(1.0, requires_grad=True)
y = torch.tensor(2.0, requires_grad=True)
z = x * 3
print(torch.autograd.grad(z, [x], retain_graph=True))
torch.autograd.grad(z, [x, y])
