# A weight that replaces the one with the padding
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
emb = nn.Embedding(5, 2, padding_idx=4)
emb.weight = nn.Parameter(torch.rand(5, 2))  # finds emb.weight
out = emb(torch.tensor([0, 4, 4]))
out.sum().backward()
print(emb.weight.grad)
