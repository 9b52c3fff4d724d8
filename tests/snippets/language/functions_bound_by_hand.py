# `function.__get__` makes a method of a function, as programs do that patch a model
import torch
from torch import nn


def forward(self, x):
    return nn.Linear.forward(self, x) * 2


torch.manual_seed(0)
layer = nn.Linear(2, 1)
plain = layer(torch.ones(1, 2))
layer.forward = forward.__get__(layer)
doubled = layer(torch.ones(1, 2))
doubled.sum().backward()
print(torch.equal(doubled, plain * 2), layer.weight.grad)


class Counter:
    n = 0

    def add(self, k=1):
        self.n += k
        return self.n


class Delegate:
    def __init__(self, cls, target):
        self._cls, self._target = cls, target

    def __getattr__(self, name):
        found = getattr(self._cls, name)
        return found.__get__(self._target) if hasattr(found, "__get__") else found


counter = Counter()
print(Delegate(Counter, counter).add(3), Delegate(Counter, counter).n, counter.n)
print(forward.__get__(None, nn.Linear) is forward, Counter.add.__get__(counter, Counter)(2))
try:
    forward.__get__()
except TypeError as error:
    print(type(error).__name__)
