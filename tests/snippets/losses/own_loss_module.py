# A loss as an nn.Module: focal loss
import torch
import torch.nn as nn
import torch.nn.functional as F

class FocalLoss(nn.Module):
    def __init__(self, gamma=2.0, reduction="mean"):
        super().__init__()
        self.gamma = gamma
        self.reduction = reduction

    def forward(self, logits, targets):
        ce = F.cross_entropy(logits, targets, reduction="none")
        pt = torch.exp(-ce)
        loss = (1 - pt) ** self.gamma * ce
        return loss.mean() if self.reduction == "mean" else loss

logits = torch.tensor([[3.0, 0.0], [0.2, 0.0], [-1.0, 1.0]], requires_grad=True)
y = torch.tensor([0, 0, 0])
for gamma in (0.0, 1.0, 2.0):
    logits.grad = None
    loss = FocalLoss(gamma)(logits, y)
    loss.backward()
    print(f"gamma={gamma}: {loss.item():.4f}", [round(g, 4) for g in logits.grad[:, 0].tolist()])
print(FocalLoss(reduction="none")(logits, y))
