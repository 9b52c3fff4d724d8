# The initialisation writes over the padding
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
emb = nn.Embedding(4, 3, padding_idx=0)
nn.init.xavier_uniform_(emb.weight)  # finds emb.weight
opt = torch.optim.SGD(emb.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    emb(torch.tensor([[0, 1, 2]])).pow(2).sum().backward()
    opt.step()
