# One actor-critic update with detached advantages
import torch
import torch.nn as nn
from torch.distributions import Categorical, Normal

torch.manual_seed(2)
body, actor, critic = nn.Linear(2, 4), nn.Linear(4, 3), nn.Linear(4, 1)
states = torch.tensor([[0.1, 0.2], [0.5, -0.3], [1.0, 1.0]])
h = torch.relu(body(states))
dist = Categorical(logits=actor(h))
values = critic(h).squeeze(-1)
actions = torch.tensor([0, 2, 1])
returns = torch.tensor([1.0, 0.5, -0.2])
advantage = (returns - values).detach()
actor_loss = -(dist.log_prob(actions) * advantage).mean()
critic_loss = nn.functional.smooth_l1_loss(values, returns)
entropy = dist.entropy().mean()
(actor_loss + 0.5 * critic_loss - 0.01 * entropy).backward()
print(f"actor {actor_loss:.4f} critic {critic_loss:.4f} entropy {entropy:.4f}")
print(dist.probs.detach())
for name, m in (("body", body), ("actor", actor), ("critic", critic)):
    print(name, [round(p.grad.abs().sum().item(), 4) for p in m.parameters()])
n = Normal(torch.tensor(0.0, requires_grad=True), torch.tensor(1.0))
print(n.log_prob(torch.tensor(0.5)), n.rsample().requires_grad, n.sample().requires_grad)
