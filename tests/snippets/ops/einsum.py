# einsum: trace, outer, batch product, bilinear form
import torch

A = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
x = torch.tensor([1.0, -1.0], requires_grad=True)
print(torch.einsum("ii", A).item(), torch.einsum("ij->ji", A))
print(torch.einsum("i,j->ij", x, x))
q = torch.einsum("i,ij,j->", x, A, x)
print(q)
q.backward()
print(x.grad, (A + A.T).detach() @ x.detach())
print(A.grad)
B = torch.ones(3, 2, 2)
print(torch.einsum("bij,jk->bik", B, A).shape, torch.einsum("...ij,...jk", B, B)[0, 0])
