# Ascent instead of descent
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.tensor([1.0, 2.0], requires_grad=True)
for _ in range(10):
    loss = (w * w).sum()
    loss.backward()  # finds loss
    with torch.no_grad():
        w += 0.3 * w.grad
    w.grad.zero_()
