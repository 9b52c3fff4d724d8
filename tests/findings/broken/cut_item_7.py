# A function of math takes the number of a tensor
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
import math
a = torch.tensor(0.7, requires_grad=True)
b = torch.tensor(0.2, requires_grad=True)
loss = b * math.exp(a)  # finds a
loss.backward()
print(a.grad)
