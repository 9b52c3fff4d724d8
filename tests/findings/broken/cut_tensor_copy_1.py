# torch.tensor of a tensor
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
h = torch.tensor(w * 2)  # finds w
loss = h.sum()
loss.backward()
