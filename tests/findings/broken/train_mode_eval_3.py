# inference_mode is not evaluation mode
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(), nn.Linear(8, 2))
opt = torch.optim.Adam(net.parameters())
x, t = torch.randn(8, 4), torch.randint(0, 2, (8,))
for _ in range(2):
    opt.zero_grad()
    F.cross_entropy(net(x), t).backward()
    opt.step()
with torch.inference_mode():
    logits = net(x)  # finds logits
