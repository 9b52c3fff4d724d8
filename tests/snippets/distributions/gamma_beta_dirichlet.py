# Pathwise gradients of gamma, beta, Dirichlet and Student's t; natural parameters; a posterior by variational inference
import torch
from torch.distributions import Beta, Chi2, Dirichlet, Gamma, HalfNormal, InverseGamma, LogNormal, Poisson, StudentT, kl_divergence

torch.manual_seed(1)
a = torch.tensor([0.3, 2.0, 30.0], requires_grad=True)
b = torch.tensor([1.0, 3.0, 0.5], requires_grad=True)
for make in (lambda: Gamma(a, b), lambda: Beta(a, b), lambda: StudentT(a + 1, b, a), lambda: InverseGamma(a, b), lambda: LogNormal(a, b)):
    d = make()
    x = d.rsample((2,))
    print(d, x, x.grad_fn)
    print(d.log_prob(x.detach()), d.mean, d.variance)
    a.grad = b.grad = None
    x.sum().backward()
    print(a.grad, b.grad)

alpha = torch.tensor([[1.0, 2.0, 3.0], [0.2, 0.2, 9.0]], requires_grad=True)
d = Dirichlet(alpha)
x = d.rsample()
print(x, x.sum(-1), x.grad_fn, d.entropy(), d.mode)
(x * torch.tensor([1.0, 2.0, 4.0])).sum().backward()
print(alpha.grad)
print(kl_divergence(d, Dirichlet(torch.ones(3))), kl_divergence(Gamma(a, b), Gamma(b, a)), kl_divergence(Beta(a, b), Beta(2.0, 2.0)))

counts = Poisson(torch.tensor(4.0)).sample((20,))
rate_a, rate_b = torch.tensor(1.0, requires_grad=True), torch.tensor(1.0, requires_grad=True)
optimizer = torch.optim.SGD([rate_a, rate_b], lr=0.02)
prior = Gamma(2.0, 1.0)
for step in range(6):
    q = Gamma(rate_a.exp(), rate_b.exp())
    rate = q.rsample((8,))
    elbo = Poisson(rate.unsqueeze(-1)).log_prob(counts).sum(-1).mean() - kl_divergence(q, prior)
    optimizer.zero_grad()
    (-elbo).backward()
    torch.nn.utils.clip_grad_norm_([rate_a, rate_b], 5.0)
    optimizer.step()
    print(step, round(elbo.item(), 3), round(rate_a.item(), 4), round(rate_b.item(), 4))
print(Chi2(torch.tensor(3.0)).sample((3,)), HalfNormal(2.0).sample((3,)), HalfNormal(2.0).log_prob(torch.tensor(1.0)))
for f in (lambda: Gamma(-1.0, 1.0), lambda: Dirichlet(torch.tensor(1.0)), lambda: Beta(1.0, 1.0).log_prob(torch.tensor(2.0)), lambda: Poisson(-1.0)):
    try:
        f()
    except ValueError as e:
        print(e)
