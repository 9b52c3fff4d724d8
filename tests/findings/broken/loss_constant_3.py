# A unit that is off
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.tensor([-5.0], requires_grad=True)
opt = torch.optim.Adam([w])
for _ in range(15):
    opt.zero_grad()
    loss = (torch.relu(w) - 0.2).pow(2).sum()
    loss.backward()  # finds loss
    opt.step()
