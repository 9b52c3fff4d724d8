# Distances without loops, k nearest neighbours, k-means with soft assignments by gradient descent
import torch
torch.manual_seed(0)
A = torch.cat([torch.randn(5, 2) * 0.3 + c for c in torch.tensor([[0., 0.], [3., 3.], [0., 3.]])])
d2 = (A ** 2).sum(1, keepdim=True) + (A ** 2).sum(1) - 2 * A @ A.T
loop = torch.tensor([[sum((a - b) ** 2).item() for b in A] for a in A])
print(torch.allclose(d2, loop, atol=1e-4), torch.allclose(torch.cdist(A, A) ** 2, loop, atol=1e-3))
labels = torch.arange(3).repeat_interleave(5)
near = d2.fill_diagonal_(float("inf")).topk(3, largest=False).indices
pred = labels[near].mode(1).values
print(pred, (pred == labels).float().mean())
C = A[[0, 5, 10]].clone() + 0.5
for it in range(3):
    assign = torch.cdist(A, C).argmin(1)
    C = torch.stack([A[assign == k].mean(0) for k in range(3)])
    print(it, assign.bincount(minlength=3).tolist(), [[round(v, 3) for v in c] for c in C.tolist()])
S = (A[[0, 5, 10]] + 0.5).clone().requires_grad_()
opt = torch.optim.SGD([S], lr=0.5)
for it in range(5):
    opt.zero_grad()
    r = torch.softmax(-5 * torch.cdist(A, S).pow(2), dim=1)
    loss = (r * torch.cdist(A, S).pow(2)).sum(1).mean()
    loss.backward()
    opt.step()
print(loss, S.grad.norm(), loss.grad_fn)
print(torch.allclose(S.detach(), C, atol=0.2))
u, s, v = torch.pca_lowrank(A - A.mean(0), q=2)
print(s)
cov = (A - A.mean(0)).T @ (A - A.mean(0)) / 14
print(torch.allclose(cov, torch.cov(A.T)), torch.linalg.eigvalsh(cov).flip(0).mul(14).sqrt())
