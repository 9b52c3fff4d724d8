# The module clears its gradients after they were clipped
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
    def learn(self, opt, s, a, r):
        q = self.q(s).gather(1, a)
        loss = F.smooth_l1_loss(q, r)
        loss.backward()
        nn.utils.clip_grad_norm_(self.parameters(), 10)
        self.zero_grad()  # finds agent.q.0.weight
        opt.step()
agent = Agent()
opt = torch.optim.RMSprop(agent.parameters(), lr=1e-3)
for _ in range(3):
    agent.learn(opt, torch.randn(8, 4), torch.randint(0, 2, (8, 1)), torch.randn(8, 1))
