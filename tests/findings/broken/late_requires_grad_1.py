# requires_grad_() comes after the computation
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

x = torch.tensor([1.0, 2.0])
y = x**2  # finds x
x.requires_grad_()
y.sum().backward()
