# A weight is set through .data between the forward pass and backward
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.tensor([1.0, 2.0], requires_grad=True)
y = w * w
w.data.mul_(10)  # finds w
y.sum().backward()
print(w.grad)
