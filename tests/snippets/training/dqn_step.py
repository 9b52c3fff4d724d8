# One Q-learning update with a target network and a replay batch
import copy
import random
from collections import deque, namedtuple
import torch
import torch.nn as nn

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward", "done"))
random.seed(0)
torch.manual_seed(0)
memory = deque(maxlen=20)
for i in range(12):
    memory.append(Transition(torch.randn(3), random.randrange(2), torch.randn(3), random.random(), i % 5 == 4))
q = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2))
target = copy.deepcopy(q)
opt = torch.optim.RMSprop(q.parameters(), lr=1e-2)
for step in range(3):
    batch = Transition(*zip(*random.sample(memory, 6)))
    s, s2 = torch.stack(batch.state), torch.stack(batch.next_state)
    a = torch.tensor(batch.action).unsqueeze(1)
    r, done = torch.tensor(batch.reward), torch.tensor(batch.done)
    value = q(s).gather(1, a).squeeze(1)
    with torch.no_grad():
        goal = r + 0.9 * target(s2).max(1)[0] * (~done).float()
    loss = nn.SmoothL1Loss()(value, goal)
    opt.zero_grad()
    loss.backward()
    for p in q.parameters():
        p.grad.data.clamp_(-1, 1)
    opt.step()
    print(f"step {step} loss {loss.item():.4f} q {value.mean().item():+.4f} goal {goal.mean().item():+.4f}")
target.load_state_dict(q.state_dict())
print(all(torch.equal(a, b) for a, b in zip(q.parameters(), target.parameters())))
