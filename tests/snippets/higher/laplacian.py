# Laplacian and divergence of a small network by a loop over dimensions
import torch
import torch.nn as nn

torch.manual_seed(0)
f = nn.Sequential(nn.Linear(3, 5), nn.Softplus(), nn.Linear(5, 1)).double()
x = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
y = f(x)
grad = torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]
lap = torch.zeros(2, dtype=torch.float64)
for i in range(3):
    second = torch.autograd.grad(grad[:, i], x, torch.ones(2, dtype=torch.float64), retain_graph=True)[0]
    lap += second[:, i]
print(grad.detach())
print(lap)
H = torch.stack([torch.autograd.functional.hessian(lambda v: f(v).squeeze(), row) for row in x.detach()])
print(torch.allclose(H.diagonal(dim1=1, dim2=2).sum(1), lap))
