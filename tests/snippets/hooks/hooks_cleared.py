# Hooks taken off a module all at once: cleared, replaced, found in its dictionaries, and those of pruning.
from collections import OrderedDict

import torch
from torch import nn
from torch.nn.utils import prune

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
x = torch.ones(1, 2, requires_grad=True)


def told(*arguments):
    print("hook of", type(arguments[0]).__name__, len(arguments))


def hook_all():
    for module in net.modules():
        module.register_forward_hook(told)
        module.register_forward_pre_hook(told)
    net[0].register_full_backward_hook(told)


hook_all()
print(isinstance(net[0]._forward_hooks, OrderedDict), type(net[0]._forward_hooks).__name__, len(net[0]._forward_hooks))
net(x).sum().backward()
net[0]._forward_hooks.clear()
for module in net.modules():
    module._forward_hooks = OrderedDict()
    module._forward_pre_hooks = OrderedDict()
    module._backward_hooks = OrderedDict()
net(x).sum().backward()
handle = net[0].register_forward_hook(told)
net[1].register_forward_hook(lambda *_: print("later"))
net[1].register_forward_hook(lambda *_: print("first"), prepend=True)
net(x)
hooks = net[0]._forward_hooks
print(len(hooks), list(hooks.values())[0] is told, list(hooks) == [handle.id])
net[1]._forward_hooks.popitem(last=False)
net(x)
handle.remove()
print(net[0]._forward_hooks)
kept = net[1]._forward_hooks
net[0]._forward_hooks = OrderedDict({7: told})
net(x)
net[0]._forward_hooks.pop(7)
net[1]._forward_hooks = kept
net(x)

layer = nn.Linear(3, 2)
prune.random_unstructured(layer, name="weight", amount=0.3)
prune.l1_unstructured(layer, name="bias", amount=1)
prune.ln_structured(layer, name="weight", amount=0.5, n=2, dim=0)
for hook in layer._forward_pre_hooks.values():
    print(hook._tensor_name, type(hook).__name__)
    if hook._tensor_name == "weight":
        break
print([type(method).__name__ for method in hook], len(hook._pruning_methods))
prune.remove(layer, "weight")
print(len(layer._forward_pre_hooks), layer.weight_mask if hasattr(layer, "weight_mask") else "removed")
