# Cross entropy of images: targets that are no (batch, rows, columns) of classes, and sizes that do not match
import torch
import torch.nn.functional as F

torch.manual_seed(0)
logits = torch.randn(2, 3, 4, 5, requires_grad=True)
for size in ((2, 4, 5), (2, 1, 4, 5), (2, 20), (2,), (2, 4, 4), (3, 4, 5)):
    target = torch.randint(3, size)
    for loss in (F.cross_entropy, F.nll_loss):
        try:
            print(loss(logits, target))
        except (RuntimeError, ValueError) as e:
            print(type(e).__name__, e)
F.cross_entropy(logits, torch.ones(2, 1, 4, 5, dtype=torch.long).squeeze(1)).backward()
print(logits.grad.sum())
