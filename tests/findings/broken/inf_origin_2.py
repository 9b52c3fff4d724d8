# exp that overflows
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
logits = torch.tensor([[200.0, 1.0]], requires_grad=True)
e = torch.exp(logits)  # finds e
p = e / e.sum(1, keepdim=True)
loss = p.pow(2).sum()
loss.backward()
