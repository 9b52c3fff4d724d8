# The Jacobian of softmax is diag(p) - p pᵀ
import torch

logits = torch.tensor([2.0, 1.0, 0.1], requires_grad=True)
p = torch.softmax(logits, dim=0)
print(p, p.sum())
J = torch.zeros(3, 3)
for i in range(3):
    J[i] = torch.autograd.grad(p[i], logits, retain_graph=True)[0]
print(J)
exact = torch.diag(p) - torch.outer(p, p)
print(exact.detach())
print("max difference below 1e-6:", bool((J - exact).abs().max() < 1e-6))
print("rows sum to zero:", torch.allclose(J.sum(dim=1), torch.zeros(3), atol=1e-6))
