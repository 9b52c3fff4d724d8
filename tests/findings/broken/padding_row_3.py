# apply() initialises all layers, and the padding with them
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
def init(module):
    if isinstance(module, nn.Embedding | nn.Linear):
        nn.init.normal_(module.weight, std=0.02)  # finds net.0.weight


net = nn.Sequential(nn.Embedding(6, 4, padding_idx=0), nn.Flatten(), nn.Linear(12, 2))
net.apply(init)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for _ in range(3):
    ids, y = torch.randint(0, 6, (8, 3)), torch.randint(0, 2, (8,))
    opt.zero_grad()
    F.cross_entropy(net(ids), y).backward()
    opt.step()
