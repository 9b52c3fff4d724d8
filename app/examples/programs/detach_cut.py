import torch

x = torch.tensor(2.0, requires_grad=True)
y = x ** 2
z = y + y.detach() * 10

z.backward()
print(x.grad)
