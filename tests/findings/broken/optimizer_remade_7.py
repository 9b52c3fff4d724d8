# A while loop over epochs, with RMSprop
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

model = nn.Linear(3, 1)
data = [(torch.randn(4, 3), torch.randn(4, 1)) for _ in range(3)]
epoch = 0
while epoch < 4:
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)  # finds model.weight
    for x, y in data:
        opt.zero_grad()
        F.mse_loss(model(x), y).backward()
        opt.step()
    epoch += 1
