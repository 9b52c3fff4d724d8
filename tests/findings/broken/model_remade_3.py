# A recurrent model that is made again in each step
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

x, y = torch.randn(3, 5, 2), torch.randn(3, 4)
for step in range(5):
    cell = nn.GRU(2, 4, batch_first=True)  # finds cell.weight_ih_l0
    opt = torch.optim.Adam(cell.parameters(), lr=0.1)
    out, h = cell(x)
    loss = (h[0] - y).pow(2).mean()
    loss.backward()
    opt.step()
