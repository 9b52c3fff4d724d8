# The divergence of every pair of types that has a formula, and what is said of the others
import torch
import torch.distributions as D

one = torch.tensor
ds = {
    "bernoulli": D.Bernoulli(0.3), "beta": D.Beta(2.0, 3.0), "binomial": D.Binomial(5, one(0.4)), "categorical": D.Categorical(one([0.2, 0.8])),
    "cauchy": D.Cauchy(0.0, 2.0), "continuous_bernoulli": D.ContinuousBernoulli(0.2), "dirichlet": D.Dirichlet(one([1.0, 2.0, 3.0])),
    "exponential": D.Exponential(one(1.5)), "gamma": D.Gamma(2.0, 1.5), "geometric": D.Geometric(0.3), "gumbel": D.Gumbel(one(0.5), 2.0),
    "half_normal": D.HalfNormal(1.5), "independent": D.Independent(D.Normal(torch.zeros(2), 1.0), 1), "laplace": D.Laplace(one(0.5), 1.5),
    "multivariate": D.MultivariateNormal(torch.ones(2), torch.eye(2) * 2), "low_rank": D.LowRankMultivariateNormal(torch.zeros(2), torch.ones(2, 1), torch.ones(2)),
    "normal": D.Normal(one(0.5), 2.0), "one_hot": D.OneHotCategorical(one([0.2, 0.8])), "pareto": D.Pareto(one(1.0), 3.0), "poisson": D.Poisson(one(2.0)),
    "log_normal": D.LogNormal(0.0, 1.0), "uniform": D.Uniform(one(0.2), 0.9), "chi2": D.Chi2(one(3.0)), "student": D.StudentT(3.0),
}
others = {
    "bernoulli": D.Bernoulli(0.6), "beta": D.Beta(1.0, 1.5), "binomial": D.Binomial(5, one(0.7)), "categorical": D.Categorical(one([0.5, 0.5])),
    "cauchy": D.Cauchy(1.0, 1.0), "continuous_bernoulli": D.ContinuousBernoulli(0.7), "dirichlet": D.Dirichlet(one([1.0, 1.0, 1.0])),
    "exponential": D.Exponential(one(0.5)), "gamma": D.Gamma(1.0, 0.5), "geometric": D.Geometric(0.5), "gumbel": D.Gumbel(one(0.0), 1.0),
    "half_normal": D.HalfNormal(1.0), "independent": D.Independent(D.Normal(torch.ones(2), 1.0), 1), "laplace": D.Laplace(one(0.0), 1.0),
    "multivariate": D.MultivariateNormal(torch.zeros(2), torch.eye(2)), "low_rank": D.LowRankMultivariateNormal(torch.ones(2), torch.ones(2, 1), torch.ones(2)),
    "normal": D.Normal(one(0.0), 1.0), "one_hot": D.OneHotCategorical(one([0.6, 0.4])), "pareto": D.Pareto(one(0.5), 2.0), "poisson": D.Poisson(one(1.0)),
    "log_normal": D.LogNormal(1.0, 1.0), "uniform": D.Uniform(one(0.0), 1.0), "chi2": D.Chi2(one(2.0)), "student": D.StudentT(4.0),
}
refused = {}
for a, p in ds.items():
    for b, q in others.items():
        try:
            print(f"{a} {b} {D.kl_divergence(p, q).item():.3f}")
        except NotImplementedError as e:
            refused[str(e).split(" cannot")[0][:40]] = refused.get(str(e).split(" cannot")[0][:40], 0) + 1
for text, n in sorted(refused.items()):
    print(n, text)

loc = one(0.5, requires_grad=True)
scale = one(1.5, requires_grad=True)
for make in (lambda: D.Normal(loc, scale), lambda: D.Laplace(loc, scale), lambda: D.Gamma(scale, loc), lambda: D.Beta(scale, loc), lambda: D.Gumbel(loc, scale)):
    d = D.kl_divergence(make(), D.Normal(0.0, 1.0))
    print(d, [n and n.name() for n, _ in d.grad_fn.next_functions], torch.autograd.grad(d, (loc, scale)))
