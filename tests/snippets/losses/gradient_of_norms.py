# Norms of vectors and matrices and their gradients
import torch

x = torch.tensor([[3.0, -4.0], [0.0, 1.0]], requires_grad=True)
for p in (1, 2, 3, 0.5, float("inf"), -float("inf"), "fro", "nuc"):
    x.grad = None
    n = x.norm(p=p)
    n.backward()
    print(p, f"{n.item():.4f}", x.grad.tolist())
for d in (0, 1):
    print(torch.linalg.vector_norm(x, dim=d), torch.linalg.norm(x, ord=2).item(), torch.nn.functional.normalize(x, dim=d))
print(torch.linalg.matrix_norm(x, ord=1), x.norm(dim=1, keepdim=True).shape, torch.dist(x, x * 2))
