# An actor's loss goes through the critic
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
actor, critic = nn.Sequential(nn.Linear(3, 1), nn.Tanh()), nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
actor_opt = torch.optim.SGD(actor.parameters(), lr=0.01)
critic_opt = torch.optim.SGD(critic.parameters(), lr=0.01)


def update(s, a, target):
    actor_opt.zero_grad()
    critic_opt.zero_grad()
    actor_loss = -critic(torch.cat([s, actor(s)], 1)).mean()
    actor_loss.backward()
    actor_opt.step()
    critic_loss = F.mse_loss(critic(torch.cat([s, a], 1)), target)
    critic_loss.backward()  # finds critic.0.weight
    critic_opt.step()


for _ in range(3):
    update(torch.randn(8, 3), torch.rand(8, 1), torch.randn(8, 1))
