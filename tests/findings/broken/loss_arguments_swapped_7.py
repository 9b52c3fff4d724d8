# KLDivLoss of frequencies and a softmax
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

freq = torch.tensor([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
w = torch.randn(2, 3, requires_grad=True)
kl = nn.KLDivLoss(reduction="sum")
for _ in range(3):
    w.grad = None
    kl(freq, w.softmax(-1)).backward()  # finds freq
    w.data -= 0.1 * w.grad
