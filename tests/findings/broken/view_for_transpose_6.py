# Keys are viewed where they should be transposed
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(4, 4, requires_grad=True)
x = torch.randn(6, 3, 4)
k = x @ w
kt = k.view(6, 4, 3)  # finds k
att = (x @ kt).softmax(-1)
loss = (att @ x).square().mean()
loss.backward()
