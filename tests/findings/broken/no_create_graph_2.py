# A second backward from .grad
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x**3).sum()
y.backward()  # finds
x.grad.sum().backward()
