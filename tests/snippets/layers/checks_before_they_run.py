# What layers and losses say of arguments that do not fit, in PyTorch's order; names of parts in their reprs.
import torch
import torch.nn as nn
import torch.nn.functional as F


def attempt(what):
    try:
        print(what())
    except Exception as error:
        print(type(error).__name__, str(error).splitlines()[0])


torch.manual_seed(0)
attempt(lambda: nn.BatchNorm1d(3, eps=0)(torch.randn(4, 3)))
attempt(lambda: nn.BatchNorm1d(3, eps=-1.0)(torch.randn(4, 2)))
attempt(lambda: nn.BatchNorm1d(3, eps=0).eval()(torch.ones(1, 3)))
logits, labels = torch.zeros(2, 3), torch.ones(2, 3)
for weight in (torch.ones(4), torch.ones(2, 1), torch.ones(5, 2, 3)):
    attempt(lambda: F.binary_cross_entropy_with_logits(logits, labels, pos_weight=weight))
    attempt(lambda: F.binary_cross_entropy_with_logits(logits, labels, weight))
    attempt(lambda: F.binary_cross_entropy(labels / 2, labels, weight))
attempt(lambda: F.cross_entropy(logits, torch.tensor([0.0, 1.0]), torch.ones(4)))
attempt(lambda: F.nll_loss(logits.long(), torch.tensor([0, 1], dtype=torch.int32)))
attempt(lambda: F.nll_loss(logits.long(), torch.zeros(2, 3, dtype=torch.int32)))
attempt(lambda: F.nll_loss(torch.zeros(2, 3, 4), torch.zeros(2, 4, dtype=torch.int32), torch.ones(4)))
attempt(lambda: F.multilabel_margin_loss(logits, labels))
attempt(lambda: F.poisson_nll_loss(logits, 1))
attempt(lambda: F.gaussian_nll_loss(torch.ones(2), torch.zeros(2), torch.tensor([1, 2])))
attempt(lambda: nn.CircularPad2d(1)(torch.ones(2, 3)))
attempt(lambda: nn.CircularPad1d(1)(torch.ones(3)))
attempt(lambda: torch.optim.SparseAdam([torch.ones(1, requires_grad=True)], lr=0))
for shape in ((), (1,), (2,)):
    attempt(lambda: torch.ones(shape).expand(2, -1))
    attempt(lambda: torch.ones(shape).expand(-1, 2))
    attempt(lambda: torch.ones(shape).expand(-2, 2))

triplet = nn.TripletMarginWithDistanceLoss()
print(triplet, triplet.distance_function, [name for name, _ in triplet.named_modules()])
print(nn.Conv1d(4, 2, (2, 1)), nn.Conv3d(2, 2, (1,), padding=1), nn.ConvTranspose1d(3, 2, 2, dilation=(1, 1)))
print(nn.Buffer(torch.ones(2, requires_grad=True)), nn.Buffer(torch.ones(1)).requires_grad, nn.Buffer())
