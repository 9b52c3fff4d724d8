# Objects that say what their state is when they are copied
import copy

import torch
from torch import nn


class Cache:
    def __init__(self, size):
        self.size = size
        self.table = {"filled": True}
        self.lock = (i for i in range(3))

    def __getstate__(self):
        print("get")
        state = self.__dict__.copy()
        del state["lock"]
        return state

    def __setstate__(self, state):
        print("set", sorted(state))
        self.__dict__.update(state)
        self.lock = None


cache = Cache(3)
deep = copy.deepcopy(cache)
print(deep.size, deep.table, deep.table is cache.table, deep.lock)
shallow = copy.copy(cache)
print(shallow.table is cache.table, shallow.lock)


class OnlyGet:
    def __init__(self):
        self.kept, self.left = [1], 2

    def __getstate__(self):
        return {"kept": self.kept}


only = copy.deepcopy(OnlyGet())
print(vars(only), hasattr(only, "left"))


class OnlySet:
    def __init__(self):
        self.a = 1

    def __setstate__(self, state):
        print("set", state)
        self.b = state["a"] + 1


print(vars(copy.copy(OnlySet())))


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __getstate__(self):
        return (self.a, self.b)

    def __setstate__(self, state):
        self.a, self.b = state


pair = copy.deepcopy(Pair([1], [2]))
print(pair.a, pair.b, pair.__getstate__())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 1)
        self.steps = 5
        self.log = open

    def __getstate__(self):
        state = self.__dict__.copy()
        state["log"] = None
        return state


torch.manual_seed(0)
net = Net()
other = copy.deepcopy(net)
print(other.steps, other.log, torch.equal(other.layer.weight, net.layer.weight), other.layer.weight is net.layer.weight)
other.layer(torch.ones(1, 2)).sum().backward()
print(net.layer.weight.grad, other.layer.weight.grad)
