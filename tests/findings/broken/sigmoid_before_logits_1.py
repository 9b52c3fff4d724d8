# sigmoid before BCEWithLogitsLoss
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 1), nn.Sigmoid())
x, y = torch.randn(6, 3), torch.randint(0, 2, (6, 1)).float()
p = net(x)  # finds p
loss = nn.BCEWithLogitsLoss()(p, y)
loss.backward()
