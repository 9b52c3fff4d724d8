# A softmax by hand
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, 4, requires_grad=True)
e = (torch.randn(5, 3) @ w).exp()
p = e / e.sum(1, keepdim=True)  # finds p
loss = F.cross_entropy(p, torch.tensor([0, 1, 2, 3, 0]))
loss.backward()
