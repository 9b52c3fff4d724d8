# The loss of a training is computed under no_grad
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(3, 1)
x, y = torch.randn(4, 3), torch.randn(4, 1)
with torch.no_grad():  # finds net.weight
    loss = F.mse_loss(net(x), y)
loss.backward()
