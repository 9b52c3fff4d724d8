# Gradients under the keys of a dict of inputs, and what grad, backward and hooks on several tensors refuse
from collections import OrderedDict

import torch
import torch.autograd.graph as graph


def shown(f):
    try:
        print(f())
    except (AssertionError, RuntimeError, TypeError, ValueError) as err:
        print(type(err).__name__, err)


x, y = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
torch.manual_seed(0)
model = torch.nn.Linear(2, 1)
torch.nn.init.ones_(model.weight)
print(torch.autograd.grad((x * y).sum(), {"a": x, "b": y}))
print(torch.autograd.grad((x * 2).sum(), {"a": x, "b": y}, allow_unused=True))
print(torch.autograd.grad((x * 2).sum(), {"a": x, 3: y}, materialize_grads=True))
print(torch.autograd.grad(model(torch.ones(1, 2)).sum(), dict(model.named_parameters())))
shown(lambda: torch.autograd.grad((x * 2).sum(), {"a": x, "b": y}))
shown(lambda: torch.autograd.grad((x * 2).sum(), {"a": x, "b": 3}))
shown(lambda: torch.autograd.grad(x.sum(), {}))
shown(lambda: torch.autograd.grad(x.sum(), OrderedDict(a=x)))
shown(lambda: x.sum().backward(inputs=OrderedDict(a=x)))
shown(lambda: x.sum().backward(inputs={}))
(x * y).sum().backward(inputs={"y": y})
print(x.grad, y.grad)
shown(lambda: x.sum().backward(create_graph=None))
shown(lambda: graph.GradientEdge((x * 2).grad_fn, 0, None).output_nr)
shown(lambda: graph.increment_version(3))
shown(lambda: graph.increment_version([x, 3]))
shown(lambda: graph.register_multi_grad_hook([x, torch.ones(2)], print))
graph.register_multi_grad_hook([x, torch.ones(2)], lambda g: print("any", g), mode="any")
(x * 2).sum().backward()
