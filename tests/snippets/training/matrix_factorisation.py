# Recommender: user and item vectors, only the rows of the batch change
import torch

torch.manual_seed(0)
ratings = [(0, 0, 5.0), (0, 1, 3.0), (1, 0, 4.0), (1, 2, 1.0), (2, 1, 2.0), (2, 2, 5.0)]
U = (0.1 * torch.randn(3, 2)).requires_grad_()
V = (0.1 * torch.randn(3, 2)).requires_grad_()
mu = torch.tensor([r for *_, r in ratings]).mean()
opt = torch.optim.Adagrad([U, V], lr=0.5)
for epoch in range(6):
    se = 0.0
    for u, i, r in ratings:
        pred = mu + U[u] @ V[i]
        loss = (pred - r) ** 2 + 0.01 * (U[u].pow(2).sum() + V[i].pow(2).sum())
        opt.zero_grad()
        loss.backward()
        opt.step()
        se += (pred - r).item() ** 2
    print(f"{epoch} rmse {(se / len(ratings)) ** 0.5:.4f}")
print((mu + U @ V.T).detach())
