# The embedding is computed before it is thawed
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

embedding = nn.Embedding(5, 3)
embedding.requires_grad_(False)
head = nn.Linear(3, 1)
vectors = embedding(torch.tensor([0, 2, 4]))  # finds embedding.weight
embedding.requires_grad_(True)
opt = torch.optim.SGD([*embedding.parameters(), *head.parameters()], lr=0.1)
for _ in range(3):
    opt.zero_grad()
    loss = head(vectors).pow(2).mean()
    loss.backward()
    opt.step()
