# Mask padding out of a sequence loss
import torch
import torch.nn.functional as F

torch.manual_seed(3)
logits = torch.randn(2, 4, 5, requires_grad=True)
targets = torch.tensor([[1, 2, 3, 0], [4, 0, 0, 0]])
lengths = torch.tensor([3, 1])
mask = torch.arange(4)[None, :] < lengths[:, None]
print(mask)
loss = F.cross_entropy(logits.view(-1, 5), targets.view(-1), reduction="none").view(2, 4)
mean = (loss * mask).sum() / mask.sum()
mean.backward()
print(loss.detach())
print(mean)
print("padding has no gradient:", (logits.grad[~mask] == 0).all().item())
ignored = F.cross_entropy(logits.permute(0, 2, 1), targets.masked_fill(~mask, -1), ignore_index=-1)
print(torch.isclose(ignored, mean).item())
