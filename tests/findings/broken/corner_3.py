# A sample on the margin of a hinge loss
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.tensor(0.5, requires_grad=True)
x, y = torch.tensor([2.0, 1.0]), torch.tensor([1.0, 1.0])
loss = (1 - y * (w * x)).clamp(min=0).sum()  # finds
loss.backward()
