# An actor and a critic, of which only the actor's advantage is detached
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

import random

random.seed(0)
actor, critic = nn.Linear(4, 2), nn.Linear(4, 1)
opt = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=1e-3)
for t in range(3):
    s, s2 = torch.randn(4), torch.randn(4)
    dist = torch.distributions.Categorical(F.softmax(actor(s), dim=-1))
    a, r, done = dist.sample(), random.random(), t == 2
    target = r + 0.99 * critic(s2) * (1 - int(done))
    adv = target - critic(s)  # finds target
    loss = -dist.log_prob(a) * adv.detach() + adv.pow(2)
    opt.zero_grad()
    loss.backward()
    opt.step()
