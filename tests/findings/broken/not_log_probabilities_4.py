# kl_div gets logarithms for both, and doesn't know
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

logits = torch.randn(5, 3, requires_grad=True)
opt = torch.optim.SGD([logits], lr=0.1)
goal = torch.log_softmax(torch.randn(5, 3), dim=1)
for _ in range(2):
    opt.zero_grad()
    loss = nn.KLDivLoss(reduction="batchmean")(logits.log_softmax(1), goal)  # finds goal
    loss.backward()
    opt.step()
