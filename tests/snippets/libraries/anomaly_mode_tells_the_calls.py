# Anomaly mode tells by which calls of functions and modules the op was reached
import warnings

import torch


class Norm(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.norm(self.linear(x) * 0)

    def norm(self, h):
        return torch.sqrt(h.pow(2).sum())


class Failing(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        raise ValueError("no gradient")


def loss(model, x):
    return model(x) + 1


def down(n, x):
    if n == 0:
        return torch.sqrt(x)
    return down(n - 1, x)


def failing():
    return Failing.apply(torch.ones((), requires_grad=True))


def told(f):
    with warnings.catch_warnings(record=True) as caught, torch.autograd.set_detect_anomaly(True):
        warnings.simplefilter("always")
        try:
            (f() * 0).backward()
        except Exception as error:
            print(type(error).__name__, error)
    for each in caught:
        for line in str(each.message).split("\n"):
            if "Error detected" in line or '"<program>"' in line or "repeated" in line:
                print(line)


told(lambda: loss(Norm(), torch.ones(1, 2)))
told(lambda: down(6, torch.zeros((), requires_grad=True)))
told(failing)
