# The flag of each child
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
body, head = nn.Sequential(nn.Linear(4, 8), nn.Tanh()), nn.Linear(8, 1)
for part in body.children():
    part.requires_grad = False  # finds
head(body(torch.randn(2, 4))).sum().backward()
