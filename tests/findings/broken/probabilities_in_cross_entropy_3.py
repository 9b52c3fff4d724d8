# exp of log_softmax
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Linear(4, 3)
probs = F.log_softmax(net(torch.randn(6, 4)), dim=1).exp()  # finds probs
criterion = nn.CrossEntropyLoss()
criterion(probs, torch.randint(0, 3, (6,))).backward()
