# Maximum likelihood of a mixture with logsumexp
import math
import torch

torch.manual_seed(0)
data = torch.cat([torch.randn(15) * 0.5 - 2, torch.randn(15) * 0.8 + 1.5])
logits = torch.zeros(2, requires_grad=True)
mu = torch.tensor([-1.0, 1.0], requires_grad=True)
log_sigma = torch.zeros(2, requires_grad=True)
opt = torch.optim.Adam([logits, mu, log_sigma], lr=0.1)
for step in range(12):
    log_pi = torch.log_softmax(logits, 0)
    z = (data[:, None] - mu) / log_sigma.exp()
    log_p = -0.5 * z ** 2 - log_sigma - 0.5 * math.log(2 * math.pi)
    nll = -torch.logsumexp(log_pi + log_p, dim=1).mean()
    opt.zero_grad()
    nll.backward()
    opt.step()
    if step % 4 == 3:
        print(step, f"{nll.item():.4f}", mu.detach(), log_sigma.exp().detach())
print(torch.softmax(logits, 0).detach())
