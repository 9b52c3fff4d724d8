import torch

x = torch.tensor(2.0, requires_grad=True)
left = x * 3
right = x ** 2
out = left * right

out.backward()
print(x.grad)
