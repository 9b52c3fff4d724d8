# One of the variables needed for gradient computation has been modified
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = torch.sigmoid(x)
z = y * y
y += 1
print(z)
z.sum().backward()
