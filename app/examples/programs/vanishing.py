import torch

x = torch.tensor(0.5, requires_grad=True)
h = x
for layer in range(8):
    h = torch.sigmoid(h)

h.backward()
print(f"{x.grad.item():.2e}")
