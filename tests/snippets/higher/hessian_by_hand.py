# The Hessian from two nested loops
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
f = x[0] ** 2 * x[1] + torch.sin(x[2]) * x[0]
g, = torch.autograd.grad(f, x, create_graph=True)
print("gradient", g)
H = torch.zeros(3, 3)
for i in range(3):
    H[i] = torch.autograd.grad(g[i], x, retain_graph=True)[0]
print(H)
print("symmetric:", torch.allclose(H, H.T))
eig = torch.linalg.eigvalsh(H)
print("eigenvalues:", [round(v, 3) for v in eig.tolist()])
