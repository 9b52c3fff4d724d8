# An attribute that tensors do not have
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
print(x.sum().item())
print(x.gradient)
