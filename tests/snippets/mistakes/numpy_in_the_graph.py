# Can't call numpy() on a tensor that requires grad
import numpy as np
import torch

w = torch.tensor([1.0, 4.0], requires_grad=True)
y = w.sqrt()
print(np.array([1.0]).sum())
values = y.numpy()
