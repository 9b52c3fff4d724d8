# The clipped objective of PPO with Normal actions
import torch
import torch.nn as nn
from torch.distributions import Normal

torch.manual_seed(0)
actor, log_std = nn.Linear(3, 1), nn.Parameter(torch.zeros(1))
states = torch.randn(5, 3)
with torch.no_grad():
    old = Normal(actor(states), log_std.exp())
    actions = old.sample()
    old_logp = old.log_prob(actions).sum(-1)
adv = torch.tensor([1.0, -0.5, 0.3, 2.0, -1.0])
opt = torch.optim.Adam([*actor.parameters(), log_std], lr=0.05)
for epoch in range(4):
    dist = Normal(actor(states), log_std.exp())
    ratio = (dist.log_prob(actions).sum(-1) - old_logp).exp()
    loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean() - 0.01 * dist.entropy().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(epoch, f"{loss.item():+.4f}", [round(v, 3) for v in ratio.tolist()])
print(log_std, torch.distributions.kl_divergence(old, dist).mean())
