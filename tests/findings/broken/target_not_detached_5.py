# Returns of several steps, from the last value backwards
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

critic = nn.Linear(4, 1)
opt = torch.optim.Adam(critic.parameters(), lr=0.01)
gamma = 0.99
for episode in range(3):
    states, rewards = torch.randn(5, 4), [1.0, 0.0, 0.5, 1.0, 0.0]
    values = critic(states).squeeze(1)
    R = critic(torch.randn(4))[0]
    returns = []
    for r in reversed(rewards):
        R = r + gamma * R
        returns.insert(0, R)
    loss = F.mse_loss(values, torch.stack(returns))  # finds critic.weight
    opt.zero_grad()
    loss.backward()
    opt.step()
