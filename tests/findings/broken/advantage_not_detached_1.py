# The policy's loss moves the critic
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
actor, critic = nn.Linear(3, 2), nn.Linear(3, 1)
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=0.01)
for _ in range(3):
    s, returns = torch.randn(8, 3), torch.randn(8)
    dist = torch.distributions.Categorical(logits=actor(s))
    a = dist.sample()
    values = critic(s).squeeze(-1)
    advantage = returns - values
    policy = -(dist.log_prob(a) * advantage).mean()  # finds advantage
    loss = policy + 0.5 * F.mse_loss(values, returns)
    opt.zero_grad()
    loss.backward()
    opt.step()
