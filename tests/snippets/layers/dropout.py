# Dropout: mask, scaling, and nothing in eval
import torch
import torch.nn as nn

torch.manual_seed(7)
drop = nn.Dropout(p=0.4)
x = torch.ones(2, 6, requires_grad=True)
y = drop(x)
print(y)
y.sum().backward()
print("same mask:", torch.equal(x.grad, y.detach()))
print(f"scale 1/(1-p) = {1 / 0.6:.4f}, kept {int((y > 0).sum())} of {y.numel()}")
drop.eval()
print(drop(x).equal(x), drop.training, drop)
print(nn.functional.dropout(torch.ones(3), p=0.5, training=False))
