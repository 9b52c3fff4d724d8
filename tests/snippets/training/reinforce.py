# REINFORCE with Categorical: log_prob times return
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(0)
policy = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 2), nn.Softmax(dim=-1))
optimizer = torch.optim.Adam(policy.parameters(), lr=0.02)
for episode in range(4):
    log_probs, rewards = [], []
    state = torch.randn(3)
    for t in range(5):
        probs = policy(state)
        dist = Categorical(probs)
        action = dist.sample()
        log_probs.append(dist.log_prob(action))
        rewards.append(1.0 if (action.item() == int(state[0] > 0)) else -1.0)
        state = torch.randn(3)
    returns, R = [], 0.0
    for r in reversed(rewards):
        R = r + 0.9 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-8)
    loss = torch.stack([-lp * ret for lp, ret in zip(log_probs, returns)]).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"episode {episode} reward {sum(rewards):+.1f} loss {loss.item():.4f} entropy {dist.entropy().item():.4f}")
