# element 0 of tensors does not require grad
import torch

x = torch.tensor([1.0, 2.0])
w = torch.tensor([0.5, 0.5])
loss = (x * w).sum()
print(loss, loss.requires_grad)
loss.backward()
