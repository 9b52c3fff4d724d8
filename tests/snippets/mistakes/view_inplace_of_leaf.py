# In-place on a view of a leaf
import torch

weights = torch.zeros(2, 2, requires_grad=True)
print(weights[0])
weights[0] += 1.0
