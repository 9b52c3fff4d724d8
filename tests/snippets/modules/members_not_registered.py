# A module that another one keeps in its __dict__ is none of its children.
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.__dict__["base"] = base
        object.__setattr__(self, "other", base)
        self.__dict__.update(third=base)
        self.__dict__["scale"] = nn.Parameter(torch.ones(1))
        self.kept = [base]
        self.own = nn.Linear(2, 1)

    @property
    def cached(self):
        if "cached" not in self.__dict__:
            self.__dict__["cached"] = 3
        return self.__dict__["cached"]

    def forward(self, x):
        return self.own(self.base(x)) * self.scale


torch.manual_seed(0)
base = nn.Linear(2, 2)
head = Head(base)
print(head, list(head.state_dict()), len(list(head.parameters())))
print(head.base is base, head.other is base, head.third is base, head.cached)
print("base" in head.__dict__, "own" in head.__dict__, [name for name, _ in head.named_modules()])
head(torch.ones(1, 2)).sum().backward()
print(base.weight.grad is not None, head.scale.grad is not None)
head.double()
print(base.weight.dtype, head.own.weight.dtype)
object.__setattr__(head, "training", False)
print(head.training, head.own.training)
del head.base
print(hasattr(head, "base"), hasattr(head, "other"))
try:
    object.__setattr__(head, "cached", 4)
except AttributeError as error:
    print(type(error).__name__)
