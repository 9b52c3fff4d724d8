"""Numbers that an integer type does not hold, as elements and as bounds."""

import torch

bytes_ = torch.arange(5, dtype=torch.uint8)
small = torch.arange(3, dtype=torch.int8)


def shown(what):
    try:
        print(what())
    except (RuntimeError, OverflowError) as error:
        print(type(error).__name__, error)


shown(lambda: bytes_.clamp(-1, 3))
shown(lambda: bytes_.clamp(min=-1))
shown(lambda: bytes_.clamp(max=300))
shown(lambda: bytes_.clamp_min(-2))
shown(lambda: bytes_.clamp(-256, 3))
shown(lambda: bytes_.clamp(0.5, 3))
shown(lambda: bytes_.clamp(min=-1.5))
shown(lambda: bytes_.clone().clamp_(max=256))
shown(lambda: small.clamp(max=200))
shown(lambda: small.clamp(min=-200))
shown(lambda: torch.arange(3).clamp(max=2**63))
shown(lambda: torch.tensor([-255], dtype=torch.uint8))
shown(lambda: torch.tensor([-256], dtype=torch.uint8))
shown(lambda: torch.full((1,), -256, dtype=torch.uint8))
shown(lambda: torch.tensor([5, -1], dtype=torch.uint64))
shown(lambda: torch.tensor([2**31], dtype=torch.int32))
shown(lambda: torch.tensor([1, 2, 300]))
shown(lambda: torch.tensor([[127], [-128]], dtype=torch.int8))
shown(lambda: torch.tensor([True, 2]))
