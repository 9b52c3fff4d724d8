# A policy gradient with rewards, summed over an episode
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

import random

random.seed(0)
policy = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2), nn.Softmax(dim=-1))
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
for episode in range(3):
    log_probs, rewards = [], []
    for t in range(4):
        m = torch.distributions.Categorical(policy(torch.randn(4)))
        action = m.sample()
        log_probs.append(m.log_prob(action))  # finds action
        rewards.append(random.random())
    R = sum(rewards)
    policy_loss = []
    for log_prob in log_probs:
        policy_loss.append(log_prob * R)
    optimizer.zero_grad()
    loss = torch.stack(policy_loss).sum()
    loss.backward()
    optimizer.step()
