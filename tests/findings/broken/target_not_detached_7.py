# Two networks, and where() for the last states
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

q1, q2 = nn.Linear(3, 2), nn.Linear(3, 2)
opt = torch.optim.Adam([*q1.parameters(), *q2.parameters()])
gamma = 0.97
for _ in range(3):
    s, n, a, r = torch.randn(9, 3), torch.randn(9, 3), torch.randint(0, 2, (9, 1)), torch.rand(9, 1)
    done = torch.randint(0, 2, (9, 1)).bool()
    best = q1(n).argmax(1, keepdim=True)
    y = torch.where(done, r, r + gamma * q2(n).gather(1, best))
    loss = F.huber_loss(q1(s).gather(1, a), y) + F.huber_loss(q2(s).gather(1, a), y)  # finds y
    opt.zero_grad()
    loss.backward()
    opt.step()
