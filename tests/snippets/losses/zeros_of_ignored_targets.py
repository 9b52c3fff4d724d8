# What is ignored, or keeps its margin, costs 0 and has a gradient of 0, which are no minus zeros
import torch
import torch.nn.functional as F

scores = torch.tensor([[1.0, 2.0, 3.0], [2.0, 1.0, 4.0]])
target = torch.tensor([-100, 1])
weight = torch.tensor([1.0, 2.0, 3.0])


def show(loss, x, *args, **kwargs):
    x = x.clone().requires_grad_()
    value = loss(x, *args, **kwargs)
    value.sum().backward()
    print(value.detach(), x.grad, torch.signbit(x.grad).tolist())


for reduction in ("none", "mean", "sum"):
    for loss in (F.cross_entropy, F.nll_loss):
        show(loss, scores, target, reduction=reduction)
        show(loss, scores, target, weight=weight, reduction=reduction)
        show(loss, scores.t()[None].contiguous(), target[None], reduction=reduction)
    show(F.cross_entropy, scores, target, label_smoothing=0.1, reduction=reduction)
    show(F.multi_margin_loss, scores, torch.tensor([2, 2]), reduction=reduction)
    show(F.multi_margin_loss, scores, torch.tensor([2, 1]), p=2, weight=weight, reduction=reduction)
