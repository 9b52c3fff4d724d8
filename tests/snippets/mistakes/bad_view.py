# view with the wrong number of elements
import torch

x = torch.arange(6.0)
print(x.view(2, -1))
print(x.view(4, 2))
