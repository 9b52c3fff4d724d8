# What functions of lists of tensors say to other things
import torch

a = [torch.ones(2)]


def attempt(f):
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__, error)


attempt(lambda: torch._foreach_add(a, "x"))
attempt(lambda: torch._foreach_add(torch.ones(2), 1))
attempt(lambda: torch._foreach_add(a, 1, alpha=2))
attempt(lambda: torch._foreach_norm(torch.ones(2)))
attempt(lambda: torch._foreach_zero_(3))
