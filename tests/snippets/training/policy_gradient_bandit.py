# REINFORCE on a bandit with a baseline, entropy and importance weights; straight loops with Categorical
import torch
from torch.distributions import Categorical, Normal
torch.manual_seed(0)
means = torch.tensor([0.1, 0.5, 0.9])
theta = torch.zeros(3, requires_grad=True)
opt = torch.optim.SGD([theta], lr=0.5)
baseline = 0.0
for it in range(5):
    pi = Categorical(logits=theta)
    a = pi.sample((8,))
    r = means[a] + 0.1 * torch.randn(8)
    loss = -(pi.log_prob(a) * (r - baseline)).mean() - 0.01 * pi.entropy()
    opt.zero_grad()
    loss.backward()
    opt.step()
    baseline = 0.9 * baseline + 0.1 * r.mean().item()
    print(it, a.tolist(), f"{r.mean():.4f} {loss.item():+.5f}", [round(v, 4) for v in theta.grad.tolist()])
print(torch.softmax(theta, 0), pi, pi.probs.sum())
exact = torch.autograd.grad((torch.softmax(theta, 0) * means).sum(), theta)[0]
print(exact)
mu, log_std = torch.zeros(1, requires_grad=True), torch.zeros(1, requires_grad=True)
d = Normal(mu, log_std.exp())
x = d.sample((4,))
adv = -(x - 1) ** 2
(-(d.log_prob(x) * adv).mean()).backward()
print(mu.grad, log_std.grad, d.entropy(), d.cdf(torch.zeros(1)))
old = d.log_prob(x).detach()
ratio = (Normal(mu + 0.1, log_std.exp()).log_prob(x) - old).exp()
print(ratio.squeeze(), torch.min(ratio * adv, ratio.clamp(0.9, 1.1) * adv).mean().grad_fn.name())
returns, G = [], 0.0
for rew in reversed([1.0, 0.0, 2.0]):
    G = rew + 0.9 * G
    returns.insert(0, G)
print(returns, (torch.tensor(returns) - torch.tensor(returns).mean()) / (torch.tensor(returns).std() + 1e-8))
