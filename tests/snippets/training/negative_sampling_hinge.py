# Learning to rank with a hinge loss over sampled negatives
import torch
import torch.nn as nn

torch.manual_seed(0)
users, items = nn.Embedding(4, 3), nn.Embedding(6, 3)
for e in (users, items):
    nn.init.normal_(e.weight, std=0.1)
pos = torch.tensor([[0, 1], [1, 3], [2, 5], [3, 0]])
opt = torch.optim.Adam([*users.parameters(), *items.parameters()], lr=0.1)
for epoch in range(5):
    neg = torch.randint(0, 6, (len(pos),))
    u = users(pos[:, 0])
    margin = (u * items(neg)).sum(1) - (u * items(pos[:, 1])).sum(1) + 1.0
    loss = margin.clamp(min=0).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    print(epoch, f"{loss.item():.4f}", int((margin > 0).sum()))
