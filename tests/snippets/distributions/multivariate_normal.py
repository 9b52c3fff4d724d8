# Multivariate normals by covariance, precision and Cholesky factor: densities, samples, divergences, gradients
import torch
from torch.distributions import LKJCholesky, LowRankMultivariateNormal, MultivariateNormal, Normal, Independent, kl_divergence


def walk(fn, depth=0):
    if fn is None or depth > 3:
        return
    print("  " * depth + fn.name())
    for nxt, _ in fn.next_functions:
        walk(nxt, depth + 1)


torch.manual_seed(0)
mu = torch.tensor([1.0, -1.0], requires_grad=True)
A = torch.tensor([[1.0, 0.0], [0.5, 0.8]], requires_grad=True)
d = MultivariateNormal(mu, A @ A.T)
x = torch.tensor([[0.0, 0.0], [1.0, -1.0], [2.0, 1.0]])
lp = d.log_prob(x)
print(d, lp, d.entropy(), d.mean, d.variance)
walk(lp.grad_fn)
lp.sum().backward()
print(mu.grad, A.grad)
s = d.rsample((3,))
print(s, s.grad_fn, d.sample().requires_grad)
L = torch.linalg.cholesky((A @ A.T).detach())
e = MultivariateNormal(torch.zeros(2), scale_tril=L)
f = MultivariateNormal(torch.zeros(2), precision_matrix=torch.eye(2) * 4)
print(e.covariance_matrix, e.precision_matrix, f.scale_tril, f.covariance_matrix)
print(kl_divergence(e, f), kl_divergence(f, e), kl_divergence(d, e))
print(e.expand((2,)).batch_shape, e.log_prob(torch.zeros(4, 1, 2)).shape)
low = LowRankMultivariateNormal(torch.zeros(3), torch.tensor([[1.0], [0.5], [0.0]]), torch.ones(3))
print(low, low.log_prob(torch.ones(3)), low.covariance_matrix, low.sample(), kl_divergence(low, MultivariateNormal(torch.zeros(3), torch.eye(3))))
ind = Independent(Normal(torch.zeros(4, 3), torch.ones(4, 3)), 1)
print(ind, ind.batch_shape, ind.event_shape, ind.log_prob(torch.zeros(3)), ind.entropy())
corr = LKJCholesky(3, 2.0).sample()
print(corr @ corr.T)
for bad in (lambda: MultivariateNormal(torch.zeros(2), -torch.eye(2)), lambda: MultivariateNormal(torch.zeros(2)), lambda: d.log_prob(torch.zeros(3)), lambda: MultivariateNormal(torch.zeros(2), torch.zeros(2))):
    try:
        bad()
    except ValueError as err:
        print(err)
