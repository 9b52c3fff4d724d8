# Lengths of CTC as tuples, keys of another width, conditions of bytes, conjugates seen as real numbers, a gelu of none
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
scores = torch.randn(5, 2, 4).log_softmax(2)
targets = torch.tensor([[1, 2], [2, 3]])
attention = nn.MultiheadAttention(4, 2, kdim=3)
calls = [
    lambda: nn.CTCLoss()(scores, targets, (9, 5), (2, 2)),
    lambda: nn.CTCLoss()(scores, targets, torch.tensor([5, 9]), torch.tensor([2, 2])),
    lambda: nn.CTCLoss()(scores, targets, (5, 5), (2, 3)),
    lambda: nn.CTCLoss()(scores, targets, (5, 5, 5), (2, 2)),
    lambda: nn.CTCLoss()(scores, targets, (5, -1), (2, 2)),
    lambda: F.ctc_loss(scores, targets, (9, 5), (2, 2)),
    lambda: nn.CTCLoss()(scores, targets, (5, 5)),
    lambda: attention(torch.ones(2, 4), torch.ones(2, 5), torch.ones(2, 4)),
    lambda: attention(torch.ones(2, 4), torch.ones(2, 4), torch.ones(2, 4)),
    lambda: attention(torch.ones(2, 1, 4), torch.ones(2, 1, 3), torch.ones(2, 1, 5)),
    lambda: nn.GELU(1)(torch.ones(2)),
    lambda: F.gelu(torch.ones(2), approximate=1),
    lambda: F.gelu(torch.ones(2), approximate="some"),
    lambda: torch.view_as_real((torch.ones(2) + 1j).conj()),
    lambda: torch.view_as_real((torch.ones(2) + 1j).conj().resolve_conj()),
]
for call in calls:
    try:
        print(call())
    except (AssertionError, RuntimeError, TypeError) as error:
        print(type(error).__name__, error)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    print(torch.where(torch.tensor([1, 0, 1], dtype=torch.uint8), torch.ones(3), torch.zeros(3)))
print(*[str(warning.message).partition(" (Triggered")[0] for warning in told])
