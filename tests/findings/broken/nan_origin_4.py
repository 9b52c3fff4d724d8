# A mask that hides everything
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
mask = torch.full((3, 3), float("-inf"))
q = nn.Parameter(torch.randn(3, 4))
s = q @ q.T + mask
att = torch.softmax(s, -1)  # finds att
loss = (att @ q).sum()
loss.backward()
