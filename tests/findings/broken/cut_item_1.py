# A loss made of a Python number
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
out = (w * 2).sum()
value = out.item()  # finds w
loss = torch.tensor(value, requires_grad=True)
loss.backward()
