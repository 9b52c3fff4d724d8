# zero_grad between two losses
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
x, y, z = torch.randn(16, 4), torch.randn(16, 1), torch.randint(0, 2, (16,))
body = nn.Sequential(nn.Linear(4, 8), nn.Tanh())
value, label = nn.Linear(8, 1), nn.Linear(8, 2)
opt = torch.optim.SGD([*body.parameters(), *value.parameters(), *label.parameters()], lr=0.1)

for epoch in range(3):
    opt.zero_grad()
    loss1 = F.mse_loss(value(body(x)), y)
    loss1.backward()
    opt.zero_grad()  # finds body.0.weight
    loss2 = F.cross_entropy(label(body(x)), z)
    loss2.backward()
    opt.step()
