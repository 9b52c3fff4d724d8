# Dictionaries of parameters joined by |, pairs that are none, and what insert does to named layers.
from collections import OrderedDict

import torch
from torch import nn

torch.manual_seed(0)


def told(make):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__, error)


first = nn.ParameterDict({"x": nn.Parameter(torch.ones(1)), "y": torch.zeros(1)})
second = nn.ParameterDict({"y": nn.Parameter(torch.ones(2)), "z": nn.Parameter(torch.ones(3))})
print(first | second, type(first | second).__name__, list(first))
print(first | {"q": torch.ones(1)}, {"q": torch.ones(1)} | first)
kept = joined = first.copy()
joined |= second
joined |= {"k": torch.ones(1)}
print(kept is joined, list(joined.keys()), (joined | first)["x"] is first["x"])
told(lambda: first | [1])

modules = nn.ModuleDict({"l": nn.Linear(1, 1)})
pairs = [("a", nn.ReLU(), 2)]
for update in (3, [1], [("a",)], pairs, [("a", 3)], {"b": nn.ReLU()}, [("c", nn.ReLU())], {1: nn.ReLU()}):
    told(lambda: modules.update(update))
told(lambda: first.update([("a",)]))
print(list(modules))

named = nn.Sequential(OrderedDict([("one", nn.Linear(1, 1)), ("two", nn.ReLU())]))
told(lambda: named.insert(1, nn.Tanh()))
print(list(named._modules), list(named.append(nn.Sigmoid())._modules))
told(lambda: named.insert(2, nn.Tanh()))
told(lambda: named.insert(9, nn.Tanh()))
numbered = nn.Sequential(nn.ReLU(), nn.Tanh())
print(numbered.insert(0, nn.Linear(1, 1)), numbered.insert(-1, nn.Sigmoid()), numbered.insert(4, nn.ReLU6()))
