# Global module hooks
import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_hook, register_module_full_backward_hook, register_module_forward_pre_hook

seen = []
h1 = register_module_forward_hook(lambda m, a, o: seen.append("F:" + m.__class__.__name__))
h2 = register_module_full_backward_hook(lambda m, gi, go: seen.append("B:" + m._get_name()))
h3 = register_module_forward_pre_hook(lambda m, a: seen.append("P:" + type(m).__name__))
net = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
torch.nn.init.eye_(net[0].weight); torch.nn.init.zeros_(net[0].bias)
net(torch.ones(1, 2, requires_grad=True)).sum().backward()
print(seen)
for h in (h1, h2, h3):
    h.remove()
seen.clear()
net(torch.ones(1, 2))
print(seen)
