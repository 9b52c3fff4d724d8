# Attention whose softmax is taken along the queries
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
q, k, v = (torch.randn(2, 4, 3, requires_grad=True) for _ in range(3))
scores = q @ k.transpose(1, 2) / 3**0.5
weights = F.softmax(scores, dim=1)  # finds scores
out = weights @ v
out.pow(2).mean().backward()
