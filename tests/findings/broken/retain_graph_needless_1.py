# retain_graph in a loop
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(2, requires_grad=True)
for _ in range(3):
    loss = w.pow(2).sum()
    loss.backward(retain_graph=True)  # finds loss
    w.grad = None
