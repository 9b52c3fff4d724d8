# requires_grad can be switched on leaves only
import torch

x = torch.tensor([1.0, 2.0])
print(x.requires_grad)
x.requires_grad_()
print(x.requires_grad, x)
x.requires_grad = False
print(x.requires_grad, x)
x.requires_grad_(True)
y = x * 2
try:
    y.requires_grad = False
except RuntimeError as e:
    print(e)
try:
    torch.tensor([1, 2]).requires_grad_()
except RuntimeError as e:
    print(e)
