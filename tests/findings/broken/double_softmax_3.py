# softmax and then log_softmax
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
w = torch.randn(3, 4, requires_grad=True)
logits = torch.randn(5, 3) @ w
p = torch.softmax(logits, -1)  # finds p
logp = torch.log_softmax(p, -1)
loss = F.nll_loss(logp, torch.tensor([0, 1, 2, 3, 0]))
loss.backward()
