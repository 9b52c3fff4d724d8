# Only floating point tensors can require gradients
import torch

x = torch.arange(5)
print(x.dtype)
x = torch.tensor([1, 2, 3], requires_grad=True)
