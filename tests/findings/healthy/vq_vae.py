# A straight-through estimator and two stopped gradients
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
enc, dec, book = nn.Linear(4, 3), nn.Linear(3, 4), nn.Embedding(6, 3)
opt = torch.optim.Adam([*enc.parameters(), *dec.parameters(), *book.parameters()], lr=1e-2)
for _ in range(6):
    x = torch.randn(8, 4)
    z = enc(x)
    idx = torch.cdist(z, book.weight).argmin(1)
    q = book(idx)
    loss = F.mse_loss(q, z.detach()) + 0.25 * F.mse_loss(z, q.detach())
    q = z + (q - z).detach()
    loss = loss + F.mse_loss(dec(q), x)
    opt.zero_grad()
    loss.backward()
    opt.step()
