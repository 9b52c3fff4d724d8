# Old values by .data
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.tensor([1.0, 2.0], requires_grad=True)
old = w.data  # finds w
loss = (w ** 2).sum()
loss.backward()
with torch.no_grad():
    w -= 0.6 * w.grad
if (w ** 2).sum() > 0.01:
    with torch.no_grad():
        w.copy_(old)
