# inverse, det, solve, norm, eigh and their gradients
import torch

A = torch.tensor([[4.0, 1.0], [1.0, 3.0]], dtype=torch.float64, requires_grad=True)
b = torch.tensor([1.0, 2.0], dtype=torch.float64)
det = torch.linalg.det(A)
print(det, torch.logdet(A).item(), torch.linalg.slogdet(A).sign.item())
det.backward()
print(A.grad)
A.grad = None
x = torch.linalg.solve(A, b)
x.sum().backward()
print(x.detach(), A.grad)
inv = torch.inverse(A)
print(inv.grad_fn.name(), torch.allclose(inv @ A, torch.eye(2, dtype=torch.float64)))
print(torch.linalg.norm(A).item(), torch.linalg.eigvalsh(A).detach())
L = torch.linalg.cholesky(A)
print(L)
