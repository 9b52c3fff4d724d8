# Nothing requires grad
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3)
x = torch.randn(3)
loss = (w * x).sum()
loss.backward()  # finds loss
