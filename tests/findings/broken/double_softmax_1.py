# A softmax layer before CrossEntropyLoss
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))
x, y = torch.randn(6, 4), torch.randint(0, 3, (6,))
probs = net(x)  # finds probs
loss = nn.CrossEntropyLoss()(probs, y)
loss.backward()
