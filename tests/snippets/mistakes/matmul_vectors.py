# Vectors of different lengths
import torch

w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
x = torch.tensor([1.0, 2.0])
print(w.shape, x.shape)
print(w @ x)
