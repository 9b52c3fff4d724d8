# A pre-hook changes the input, a hook changes the output
import torch
import torch.nn as nn

layer = nn.Linear(2, 2, bias=False)
nn.init.eye_(layer.weight)
print(layer(torch.tensor([1.0, 2.0])))
p = layer.register_forward_pre_hook(lambda m, args: (args[0] + 10,))
q = layer.register_forward_hook(lambda m, args, out: out * 2)
out = layer(torch.tensor([1.0, 2.0]))
print(out)
out.sum().backward()
print(layer.weight.grad)
p.remove(); q.remove()
print(layer(torch.tensor([1.0, 2.0])))
