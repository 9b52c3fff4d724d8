# An exponential decay by a hundredth
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

model = nn.Linear(2, 1)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=1.0, momentum=0.9)
decay = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.01)  # finds model.weight
x, y = torch.randn(10, 2), torch.randint(0, 2, (10, 1)).float()
it = 0
while it < 20:
    optimizer.zero_grad()
    criterion(model(x), y).backward()
    optimizer.step()
    decay.step()
    it += 1
