import torch

w = torch.tensor(1.0, requires_grad=True)
h = w * 2
loss = h ** 2

loss.backward()
print("w.grad:", w.grad)
print("h.grad:", h.grad)
