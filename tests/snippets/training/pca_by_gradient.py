# The first principal component by projected gradient ascent, against eigh
import torch

torch.manual_seed(1)
A = torch.randn(30, 3) @ torch.diag(torch.tensor([3.0, 1.0, 0.3]))
A = A - A.mean(0)
C = A.T @ A / len(A)
v = torch.nn.functional.normalize(torch.ones(3), dim=0).requires_grad_()
for i in range(15):
    var = v @ C @ v
    g, = torch.autograd.grad(var, v)
    with torch.no_grad():
        v += 0.1 * g
        v /= v.norm()
values, vectors = torch.linalg.eigh(C)
print(f"variance {var.item():.4f} largest eigenvalue {values[-1].item():.4f}")
print(v.detach().abs(), vectors[:, -1].abs())
