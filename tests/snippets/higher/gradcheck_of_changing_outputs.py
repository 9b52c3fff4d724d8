# gradcheck refuses outputs that change their form with the input, and says what a hook that meets no gradient did.
import warnings

import torch
from torch.autograd import gradcheck

x = torch.ones(2, 1, dtype=torch.float64, requires_grad=True)
for fast_mode in (False, True):
    for function in (
        lambda t: torch.cat([t, t]) if (t >= 1).all() else t,
        lambda t: t.float() if (t >= 1).all() else t,
    ):
        try:
            gradcheck(function, x, fast_mode=fast_mode)
        except AssertionError as error:
            print(error)

empty = torch.rand(0, 1, dtype=torch.complex128, requires_grad=True)
print(gradcheck(torch.diagonal, empty, check_forward_ad=True))


def hooked(t):
    def hook(g):
        if g is None:
            raise RuntimeError("no gradient")

    y = t.clone()
    y.register_hook(hook)
    return y


class Doubles(torch.autograd.Function):
    @staticmethod
    def forward(ctx, t):
        ctx.set_materialize_grads(False)
        return t * 2

    @staticmethod
    def backward(ctx, g):
        return torch.ones(2, 1, dtype=torch.float64) if g is None else g * 2


for function in (hooked, Doubles.apply):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            gradcheck(function, x)
        except RuntimeError as error:
            print(type(error).__name__, error)
        print([str(w.message) for w in told])
