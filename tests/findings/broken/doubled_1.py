# One graph, two passes
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.tensor(3.0, requires_grad=True)
y = x**2
y.backward(retain_graph=True)
y.backward()  # finds x
print(x.grad)
