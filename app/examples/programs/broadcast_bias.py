import torch

x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
w = torch.tensor([[0.5, -1.0]], requires_grad=True)
b = torch.tensor(0.1, requires_grad=True)

y = (x * w).sum(dim=1) + b
y.backward(torch.ones(3))
print(w.grad)
print(b.grad)
