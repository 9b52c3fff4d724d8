# The loss of a classifier is the mean log-probability of the labels
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
x, labels = torch.randn(12, 4), torch.randint(0, 3, (12,))
for epoch in range(3):
    opt.zero_grad()
    logp = F.log_softmax(net(x), dim=1)
    loss = logp.gather(1, labels[:, None]).mean()  # finds labels
    loss.backward()
    opt.step()
