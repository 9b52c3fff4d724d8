# retain_graph for one pass
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.tensor(3.0, requires_grad=True)
y = x ** 2
y.backward(retain_graph=True)  # finds y
print(x.grad)
