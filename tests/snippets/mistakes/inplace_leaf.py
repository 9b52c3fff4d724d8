# In-place on a leaf that requires grad
import torch

w = torch.ones(3, requires_grad=True)
loss = (w * 2).sum()
loss.backward()
print(w.grad)
w -= 0.1 * w.grad
