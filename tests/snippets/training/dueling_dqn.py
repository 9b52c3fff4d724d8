# Dueling double DQN with a replay buffer, namedtuple transitions and soft updates
import random
from collections import deque, namedtuple
import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim

Transition = namedtuple("Transition", ("state", "action", "reward", "next_state", "done"))

class ReplayBuffer(object):
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, n):
        return random.sample(self.memory, n)

    def __len__(self):
        return len(self.memory)

class Dueling(nn.Module):
    def __init__(self, s, a, h=8):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(s, h), nn.ReLU())
        self.value, self.adv = nn.Linear(h, 1), nn.Linear(h, a)

    def forward(self, x):
        z = self.body(x)
        v, a = self.value(z), self.adv(z)
        return v + a - a.mean(dim=-1, keepdim=True)

def seed_all(s):
    random.seed(s); np.random.seed(s); torch.manual_seed(s)

seed_all(7)
policy, target = Dueling(3, 2), Dueling(3, 2)
target.load_state_dict(policy.state_dict())
buf = ReplayBuffer(10)
for i in range(15):
    s = torch.from_numpy(np.random.uniform(-1, 1, size=3).astype(np.float32))
    eps = max(0.05, 0.9 * 0.8 ** i)
    a = policy(s).argmax().item() if random.random() > eps else random.randrange(2)
    buf.push(s, a, float(np.sign(s[0].item())), s * 0.9, i % 5 == 4)
print(len(buf), [t.action for t in buf.memory])
opt = optim.RMSprop(policy.parameters(), lr=1e-2)
tau, gamma = 0.1, 0.99
for step in range(3):
    batch = Transition(*zip(*buf.sample(4)))
    s, s2 = torch.stack(batch.state), torch.stack(batch.next_state)
    a = torch.tensor(batch.action).unsqueeze(1)
    r = torch.tensor(batch.reward)
    d = torch.tensor(batch.done, dtype=torch.float32)
    q = policy(s).gather(1, a).squeeze(1)
    with torch.no_grad():
        best = policy(s2).argmax(1, keepdim=True)
        y = r + gamma * (1 - d) * target(s2).gather(1, best).squeeze(1)
    loss = nn.SmoothL1Loss()(q, y)
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(policy.parameters(), 0.5)
    opt.step()
    for tp, pp in zip(target.parameters(), policy.parameters()):
        tp.data.copy_(tau * pp.data + (1 - tau) * tp.data)
    print(step, f"{loss.item():.5f}", q.grad_fn.name(), y.requires_grad)
print(opt)
print(next(iter(opt.state.values())).keys())
