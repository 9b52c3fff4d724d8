# Weights of losses that have another size, sets of data side by side, and the loss that has a layer of its own
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import ConcatDataset, IterableDataset, StackDataset

torch.manual_seed(0)
p = torch.rand(4)


def attempt(action):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)


attempt(lambda: nn.BCELoss(weight=torch.ones(3))(p, p))
attempt(lambda: nn.BCELoss(weight=torch.rand(4, 1))(torch.rand(4, 2), torch.ones(4, 2)))
attempt(lambda: nn.MultiMarginLoss(weight=torch.ones(2))(torch.rand(2, 3), torch.tensor([0, 1])))
attempt(lambda: nn.Bilinear(0, 3, 2))
attempt(lambda: nn.utils.rnn.pad_sequence([]))
attempt(lambda: F.affine_grid(torch.ones(1, 2, 3), (2, 1, 4, 4), align_corners=False))
attempt(lambda: nn.LinearCrossEntropyLoss(4, 3, weight=torch.ones(2)))
attempt(lambda: nn.LinearCrossEntropyLoss(4, 3, label_smoothing=2))


class Counted(IterableDataset):
    def __iter__(self):
        return iter(range(3))


print(list(Counted() + Counted()))
attempt(lambda: ConcatDataset([Counted()]))
attempt(lambda: StackDataset([1, 2], b=[3, 4]))
head = nn.LinearCrossEntropyLoss(4, 3, bias=True)
x = torch.rand(5, 4, requires_grad=True)
loss = head(x, torch.tensor([0, 1, 2, 0, 1]))
loss.backward()
print(head, loss, head.linear.weight.grad, x.grad.sum())
wide = nn.LinearCrossEntropyLoss(4, 3, out_features=(2,), reduction="none")
print(wide(torch.rand(2, 4), torch.tensor([[0, 1], [2, 0]])))
