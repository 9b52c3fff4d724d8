# zero_grad between, with zeros
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.tensor([1.0, -1.0], requires_grad=True)
opt = torch.optim.Adam([w], lr=0.1)
for _ in range(4):
    loss = (w - 3).pow(2).sum()
    loss.backward()
    opt.zero_grad(set_to_none=False)  # finds w
    opt.step()
