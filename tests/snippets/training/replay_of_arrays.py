"""A small deep Q-network with a replay buffer of arrays."""

import random
from collections import deque, namedtuple
import numpy as np
import torch, torch.nn as nn, torch.optim as optim, torch.nn.functional as F
random.seed(0); np.random.seed(0); torch.manual_seed(0)
Transition = namedtuple('Transition', ('state', 'action', 'next_state', 'reward', 'done'))
class Env:
    def __init__(self, n=4): self.n = n
    def reset(self):
        self.s = np.random.uniform(-0.05, 0.05, size=(self.n,)).astype(np.float32); self.t = 0
        return self.s
    def step(self, a):
        self.s = (self.s + np.array([.1, -.1, .05, .0]) * (1 if a else -1)).astype(np.float32); self.t += 1
        r = -np.abs(self.s).sum(); d = self.t >= 8 or np.abs(self.s[0]) > .3
        return self.s, r, d, {}
class ReplayMemory:
    def __init__(self, capacity): self.memory = deque([], maxlen=capacity)
    def push(self, *args): self.memory.append(Transition(*args))
    def sample(self, k): return random.sample(self.memory, k)
    def __len__(self): return len(self.memory)
class DQN(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.l = nn.Sequential(nn.Linear(i, 16), nn.ReLU(), nn.Linear(16, o))
    def forward(self, x): return self.l(x)
class Agent:
    def __init__(self, env, hidden=16):
        self.q, self.t = DQN(env.n, 2), DQN(env.n, 2)
        self.t.load_state_dict(self.q.state_dict())
        self.opt = optim.Adam(self.q.parameters(), lr=np.float64(1e-2))
        self.mem = ReplayMemory(500); self.eps = 1.0
    def act(self, s):
        if np.random.rand() < self.eps: return np.random.choice(2)
        with torch.no_grad(): return self.q(torch.from_numpy(s).unsqueeze(0)).argmax(1).item()
    def learn(self, k=16):
        if len(self.mem) < k: return None
        b = Transition(*zip(*self.mem.sample(k)))
        s = torch.tensor(np.array(b.state)); a = torch.tensor(b.action).view(-1, 1); r = torch.tensor(b.reward, dtype=torch.float32)
        s2 = torch.FloatTensor(np.stack(b.next_state)); d = torch.tensor(np.array(b.done, dtype=np.float32))
        q = self.q(s).gather(1, a).squeeze(1)
        with torch.no_grad(): y = r + 0.9 * self.t(s2).max(1)[0] * (1 - d)
        loss = F.smooth_l1_loss(q, y)
        self.opt.zero_grad(); loss.backward()
        for p in self.q.parameters(): p.grad.data.clamp_(-1, 1)
        self.opt.step()
        return loss.item()
env = Env(); agent = Agent(env)
scores, window = [], deque(maxlen=5)
for ep in range(12):
    s = env.reset(); total = 0.0
    while True:
        a = agent.act(s); s2, r, d, _ = env.step(a)
        agent.mem.push(s, a, s2, r, d); s = s2; total += r
        l = agent.learn()
        if d: break
    agent.eps = max(.1, agent.eps * .8)
    scores.append(total); window.append(total)
    if ep % 4 == 3:
        agent.t.load_state_dict(agent.q.state_dict())
        print(f'Episode {ep}\tAverage Score: {np.mean(window):.4f}\tloss {l:.5f} eps {agent.eps:.3f}', type(total).__name__)
print(np.mean(scores), np.std(scores), max(scores), scores[:2])
