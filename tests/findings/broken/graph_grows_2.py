# A hidden state is not detached
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
cell = nn.RNNCell(2, 3)
opt = torch.optim.SGD(cell.parameters(), lr=0.01)
h = torch.zeros(1, 3)
for t in range(4):
    h = cell(torch.randn(1, 2), h)  # finds h
    loss = h.pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
