# A ratio of two policies times an advantage that requires grad
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
actor, critic = nn.Linear(3, 2), nn.Linear(3, 1)
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=0.01)
s, a, rewards = torch.randn(16, 3), torch.randint(0, 2, (16, 1)), torch.randn(16, 1)
with torch.no_grad():
    old = F.log_softmax(actor(s), dim=1).gather(1, a)
for _ in range(3):
    new = F.log_softmax(actor(s), dim=1).gather(1, a)
    ratio = torch.exp(new - old)
    value = critic(s)
    adv = rewards - value
    surrogate = (ratio * adv).mean()  # finds adv
    loss = F.smooth_l1_loss(value, rewards) - surrogate
    opt.zero_grad()
    loss.backward()
    opt.step()
