# What is no module in a container, and an item of a tensor that cannot be deleted
import torch
import torch.nn.functional as F
from torch import nn


def shown(make):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__, error)


def double(x):
    return 2 * x


def delete(y):
    del y[0]


shown(lambda: delete(torch.ones(3)))
for given in (F.relu, torch.relu, torch.tanh, F.softmax, double, 3, None, torch.ones(2), nn.ReLU, [nn.ReLU()]):
    shown(lambda: nn.Sequential(nn.Linear(1, 1), given))
shown(lambda: nn.ModuleList([double]))
print(torch.typename(F.relu), torch.typename(torch.relu), torch.typename(double))
