# The last batch has one sample
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
bn = nn.BatchNorm1d(2)
data = torch.randn(5, 2)
for batch in data.split(2):
    out = bn(batch)  # finds
    out.sum().backward()
