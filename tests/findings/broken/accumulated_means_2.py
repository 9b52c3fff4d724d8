# A step after every fourth batch
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
batches = [(torch.randn(6, 4), torch.randint(0, 3, (6,))) for _ in range(8)]
for i, (x, y) in enumerate(batches):
    loss = criterion(net(x), y)
    loss.backward()  # finds net.weight
    if (i + 1) % 4 == 0:
        opt.step()
        opt.zero_grad()
