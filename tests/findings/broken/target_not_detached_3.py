# One transition at a time, with rewards that are Python numbers
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

import random

random.seed(0)
Q = nn.Linear(3, 2)
optimizer = torch.optim.RMSprop(Q.parameters(), lr=0.001)
state = torch.randn(3)
for t in range(4):
    action, reward, next_state = random.randrange(2), random.random(), torch.randn(3)
    q_value = Q(state)[action]
    q_target = reward + 0.95 * torch.max(Q(next_state))
    loss = nn.MSELoss()(q_value, q_target)  # finds q_target
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    state = next_state
