# The target of Q-learning is computed by the network that learns
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

q = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
opt = torch.optim.Adam(q.parameters(), lr=1e-3)
gamma = 0.99
for step in range(4):
    state, following = torch.randn(8, 4), torch.randn(8, 4)
    action, reward, done = torch.randint(0, 2, (8,)), torch.randn(8), (torch.rand(8) < 0.1).float()
    value = q(state).gather(1, action[:, None]).squeeze(1)
    target = reward + gamma * (1 - done) * q(following).max(1).values
    loss = F.smooth_l1_loss(value, target)  # finds target
    opt.zero_grad()
    loss.backward()
    opt.step()
