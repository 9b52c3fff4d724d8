# A target network and transitions as Python numbers
import torch
import torch.nn as nn
import torch.nn.functional as F
import copy, random
import torch, torch.nn as nn, torch.nn.functional as F

torch.manual_seed(0)
random.seed(0)
q = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 2))
target = copy.deepcopy(q)
opt = torch.optim.Adam(q.parameters(), lr=1e-3)
memory = []
for step in range(12):
    memory.append((torch.randn(4), random.randrange(2), random.random(), torch.randn(4), step % 5 == 4))
    if len(memory) < 4:
        continue
    batch = random.sample(memory, 4)
    s, a, r, s2, d = zip(*batch)
    s, s2 = torch.stack(s), torch.stack(s2)
    a = torch.tensor(a).unsqueeze(1)
    r = torch.tensor(r)
    d = torch.tensor(d).float()
    qa = q(s).gather(1, a).squeeze(1)
    with torch.no_grad():
        y = r + 0.99 * (1 - d) * target(s2).max(1).values
    loss = F.smooth_l1_loss(qa, y)
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(q.parameters(), 100)
    opt.step()
    if step % 4 == 0:
        target.load_state_dict(q.state_dict())
