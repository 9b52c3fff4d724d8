# A model that is half all the way
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

layer = nn.Linear(4, 2).half()
x = torch.randn(8, 4).half()
for step in range(2):
    layer.zero_grad()
    out = layer(x) * 1e-3  # finds loss
    loss = (out**2).mean() * 1e-3
    loss.backward()
    with torch.no_grad():
        for p in layer.parameters():
            p -= 0.1 * p.grad
