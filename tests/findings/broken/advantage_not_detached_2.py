# An episode: lists of log-probabilities and values, and the square of the advantage
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.action = nn.Linear(8, 2)
        self.value = nn.Linear(8, 1)

    def forward(self, s):
        h = torch.relu(self.body(s))
        return self.action(h), self.value(h)


net = Policy()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for episode in range(3):
    saved = []
    for t in range(5):
        logits, value = net(torch.randn(4))
        dist = torch.distributions.Categorical(logits=logits)
        action = dist.sample()
        saved.append((dist.log_prob(action), value))
    R, losses = 0.0, []
    for log_prob, value in reversed(saved):
        R = 1.0 + 0.99 * R
        delta = R - value
        losses.append(-log_prob * delta + delta.pow(2))  # finds delta
    opt.zero_grad()
    torch.cat(losses).sum().backward()
    opt.step()
