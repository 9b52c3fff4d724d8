# A hook after autograd.grad
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

w = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.exp(w)
grads = torch.autograd.grad(y.sum(), w)
y.register_hook(print)  # finds y
print(grads)
