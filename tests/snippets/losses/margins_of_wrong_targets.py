# What the margin losses say of targets and weights that do not fit their scores.
import torch
import torch.nn.functional as F


def attempt(what):
    try:
        print(what())
    except Exception as error:
        print(type(error).__name__, error)


targets = [torch.tensor(1), torch.tensor([1]), torch.tensor([1, 0]), torch.tensor([[1, 0]]), torch.tensor([1.0, 0.0]),
           torch.tensor([5, 1]), torch.tensor([[0, 1, -1], [2, -1, 0]]), torch.tensor([1.0, 2.0, -1.0])]
for scores in (torch.arange(6.0).reshape(2, 3), torch.arange(3.0), torch.arange(3.0).reshape(1, 3)):
    for target in targets:
        attempt(lambda: F.multi_margin_loss(scores, target))
        attempt(lambda: F.multi_margin_loss(scores, target, weight=torch.ones(4)))
        attempt(lambda: F.multilabel_margin_loss(scores, target))
