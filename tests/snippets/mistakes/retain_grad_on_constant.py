# can't retain_grad on Tensor that has requires_grad=False
import torch

x = torch.ones(2, requires_grad=True)
y = x.detach() * 3
y.retain_grad()
