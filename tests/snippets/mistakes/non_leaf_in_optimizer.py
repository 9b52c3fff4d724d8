# can't optimize a non-leaf Tensor
import torch

w = torch.zeros(2, requires_grad=True) + 1.0
print(w.is_leaf)
opt = torch.optim.Adam([w], lr=0.1)
