# A policy's log-probabilities are copied
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
policy = nn.Linear(4, 2)
baseline = nn.Parameter(torch.zeros(()))
opt = torch.optim.Adam([*policy.parameters(), baseline], lr=0.01)
for episode in range(2):
    log_probs, rewards = [], []
    for t in range(5):
        dist = torch.distributions.Categorical(logits=policy(torch.randn(4)))
        action = dist.sample()
        log_probs.append(dist.log_prob(action))
        rewards.append(1.0 if action.item() == 0 else -1.0)
    returns = torch.tensor(rewards) - baseline
    loss = -(torch.tensor(log_probs) * returns).sum()  # finds policy.weight
    opt.zero_grad()
    loss.backward()
    opt.step()
