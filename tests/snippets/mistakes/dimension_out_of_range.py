# A dimension that does not exist
import torch

x = torch.ones(2, 3, requires_grad=True)
print(x.sum(dim=-2))
print(x.sum(dim=2))
