# Tensors of other classes as parameters: a module takes whatever is marked as one.
import copy

import torch
from torch import nn


class Weighted(torch.Tensor):
    pass


class Shared(nn.Parameter):
    pass


model = nn.Module()
model.w = nn.Parameter(torch.tensor([1.0, 2.0]).as_subclass(Weighted))
print(model.w, type(model.w), isinstance(model.w, nn.Parameter))
plain = torch.tensor([3.0, 4.0], requires_grad=True)
plain._is_param = True
model.v = plain
print([name for name, _ in model.named_parameters()], plain, isinstance(plain, Shared))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
(model.w * model.v).sum().backward()
optimizer.step()
print(model.w, model.v, list(model.state_dict()))
try:
    copy.deepcopy(model)
except RuntimeError as error:
    print(error)
twin = copy.deepcopy(model.v)
print(twin, isinstance(twin, nn.Parameter), twin.grad)
print(Shared(torch.ones(1)), type(Shared(nn.Parameter(torch.ones(1)))))
nn.Parameter(Shared(torch.ones(1)))
