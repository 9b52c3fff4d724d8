# A model that ends with a sigmoid, and another one before BCELoss
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

model = nn.Sequential(nn.Linear(3, 1), nn.Sigmoid())
x, y = torch.randn(6, 3), torch.randint(0, 2, (6, 1)).float()
p = model(x)
loss = nn.BCELoss()(torch.sigmoid(p), y)  # finds p
loss.backward()
