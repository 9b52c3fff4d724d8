# A cell of a notebook that ran twice
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
loss = (w * torch.arange(3.0)).sum()
loss.backward()
print(w.grad)
loss = (w * torch.arange(3.0)).sum()
loss.backward()  # finds w
print(w.grad)
