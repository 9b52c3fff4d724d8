# A Python number of a product goes into another product
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
c = a * b
d = float(c) * b  # finds a
d.backward()
print(a.grad, b.grad)
