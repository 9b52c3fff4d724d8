# Generators, views of dicts and modules are not copied, and say so in Python's words
import copy
import math

import torch

torch.manual_seed(0)
model = torch.nn.Linear(2, 2)
for thing in (model.parameters(), (n for n in [1]), {1: 2}.keys(), {}.values(), {}.items(), math, model.state_dict().keys()):
    for make in (copy.copy, copy.deepcopy):
        try:
            make(thing)
        except TypeError as e:
            print(make.__name__, e)


class Holder(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(1, 1)
        self.tools = math


try:
    copy.deepcopy(Holder())
except TypeError as e:
    print(e)
node = (torch.ones(1, requires_grad=True) * 2).grad_fn
try:
    copy.copy(node)
except TypeError as e:
    print(e)
params = copy.deepcopy(list(model.parameters()))
print(len(params), all(torch.equal(a, b) and a is not b for a, b in zip(params, model.parameters())))
copy.deepcopy(model.parameters())
