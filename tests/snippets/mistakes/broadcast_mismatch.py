# Sizes that do not broadcast
import torch

a = torch.ones(3, 4, requires_grad=True)
b = torch.ones(3)
print((a * b.unsqueeze(1)).shape)
c = a + b
