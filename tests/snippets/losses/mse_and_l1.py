# mse, l1, smooth l1 and huber with all reductions
import torch
import torch.nn as nn
import torch.nn.functional as F

pred = torch.tensor([0.5, 2.0, -1.0], requires_grad=True)
target = torch.tensor([1.0, 0.0, -1.0])
for criterion in (nn.MSELoss(), nn.L1Loss(), nn.SmoothL1Loss(), nn.HuberLoss(delta=0.5)):
    pred.grad = None
    loss = criterion(pred, target)
    loss.backward()
    print(f"{criterion} {loss.item():.4f} {pred.grad.tolist()}")
for reduction in ("none", "mean", "sum"):
    print(reduction, F.mse_loss(pred, target, reduction=reduction))
