# A weight of the loss that is trained with the model
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net, weight = nn.Linear(2, 1), torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([*net.parameters(), weight], lr=0.3)
x, y = torch.randn(16, 2), torch.randn(16, 1)
for _ in range(16):
    opt.zero_grad()
    loss = weight * F.mse_loss(net(x), y)
    loss.backward()  # finds loss
    opt.step()
