# Weight decay pulls at a frozen tensor whose gradient is 0
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, requires_grad=True)
b = torch.randn(3, requires_grad=True)
opt = torch.optim.AdamW([w, b], lr=0.1, weight_decay=0.1)
x = torch.randn(8, 3)
for step in range(4):
    if step == 2:
        w.requires_grad_(False)  # finds w
    for p in (w, b):
        if p.grad is not None:
            p.grad.zero_()
    (x * w + b).pow(2).mean().backward()
    opt.step()
