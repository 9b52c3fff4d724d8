# nn.Linear is x @ W.T + b
import torch
import torch.nn as nn

torch.manual_seed(0)
layer = nn.Linear(3, 2)
print(layer)
print(layer.weight)
print(layer.bias)
x = torch.randn(4, 3)
out = layer(x)
print(torch.allclose(out, x @ layer.weight.T + layer.bias))
out.sum().backward()
print(layer.weight.grad, layer.bias.grad)
print(sum(p.numel() for p in layer.parameters()), "parameters")
