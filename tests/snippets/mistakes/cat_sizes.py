# Sizes of tensors must match except in dimension
import torch

a, b = torch.zeros(2, 3), torch.zeros(2, 4)
print(torch.cat([a, b], dim=1).shape)
torch.cat([a, b], dim=0)
