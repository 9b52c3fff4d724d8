# The temporal difference of a critic, squared by hand
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

class Agent(nn.Module):
    def __init__(self, gamma=0.9):
        super().__init__()
        self.gamma = gamma
        self.body = nn.Linear(4, 8)
        self.critic = nn.Linear(8, 1)

    def forward(self, x):
        return self.critic(torch.tanh(self.body(x))).squeeze(-1)

    def td_loss(self, s, r, s2):
        delta = r + self.gamma * self(s2) - self(s)  # finds agent.critic.bias
        return delta.pow(2).mean()


agent = Agent()
opt = torch.optim.SGD(agent.parameters(), lr=0.01)
for _ in range(3):
    loss = agent.td_loss(torch.randn(6, 4), torch.randn(6), torch.randn(6, 4))
    opt.zero_grad()
    loss.backward()
    opt.step()
