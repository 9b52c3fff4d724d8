# Counting parameters with numpy.sum and a generator, which numpy refuses, and what it takes.
import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
print(np.sum([p.numel() for p in model.parameters()]), sum(p.numel() for p in model.parameters()))
print(np.sum(np.fromiter((p.numel() for p in model.parameters()), int)))
try:
    np.sum(p.numel() for p in model.parameters())
except TypeError as error:
    print(error)
print(np.prod([p.shape[0] for p in model.parameters()]))
