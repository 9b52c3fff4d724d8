# Reinforce, as the examples of PyTorch have it, but for the minus
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)
        self.saved, self.rewards = [], []

    def forward(self, x):
        return F.softmax(self.layer(x), dim=-1)


policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)


def finish_episode():
    R, returns = 0, []
    for r in policy.rewards[::-1]:
        R = r + 0.99 * R
        returns.insert(0, R)
    terms = [log_prob * Rt for log_prob, Rt in zip(policy.saved, torch.tensor(returns))]
    optimizer.zero_grad()
    torch.stack(terms).sum().backward()
    optimizer.step()
    del policy.rewards[:], policy.saved[:]


for episode in range(3):
    for t in range(4):
        m = torch.distributions.Categorical(policy(torch.randn(4)))
        action = m.sample()
        policy.saved.append(m.log_prob(action))  # finds action
        policy.rewards.append(1.0)
    finish_episode()
