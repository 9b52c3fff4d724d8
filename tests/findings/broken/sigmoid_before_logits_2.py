# torch.sigmoid and the functional loss
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
x, y = torch.randn(6, 3), torch.tensor([0.0, 1, 1, 0, 1, 0])
prob = torch.sigmoid(x @ w)  # finds prob
loss = F.binary_cross_entropy_with_logits(prob, y)
loss.backward()
