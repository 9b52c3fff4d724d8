# What each distribution prints, its moments, its samples from one seed, and log_prob of them
import torch
import torch.distributions as D

a = torch.tensor([0.4, 2.5], requires_grad=True)
b = torch.tensor([1.2, 3.0], requires_grad=True)
p = torch.tensor([0.3, 0.8], requires_grad=True)
makers = [
    lambda: D.Bernoulli(p), lambda: D.Bernoulli(logits=a), lambda: D.Beta(a, b), lambda: D.Binomial(6, p), lambda: D.Categorical(a),
    lambda: D.Cauchy(a, b), lambda: D.Chi2(b), lambda: D.ContinuousBernoulli(p), lambda: D.Dirichlet(a), lambda: D.Exponential(b),
    lambda: D.FisherSnedecor(a, b), lambda: D.Gamma(a, b), lambda: D.GeneralizedPareto(a, b, p), lambda: D.Geometric(p), lambda: D.Gumbel(a, b),
    lambda: D.HalfCauchy(b), lambda: D.HalfNormal(b), lambda: D.Independent(D.Laplace(a, b), 1), lambda: D.InverseGamma(b, a), lambda: D.Kumaraswamy(a, b),
    lambda: D.Laplace(a, b), lambda: D.LKJCholesky(2, 1.5), lambda: D.LogisticNormal(a, b), lambda: D.LogNormal(a, p), lambda: D.Multinomial(4, a),
    lambda: D.MultivariateNormal(a, torch.diag(b)), lambda: D.NegativeBinomial(3, p), lambda: D.Normal(a, b), lambda: D.OneHotCategorical(a),
    lambda: D.Pareto(a, b), lambda: D.Poisson(b), lambda: D.RelaxedBernoulli(torch.tensor(0.5), p), lambda: D.RelaxedOneHotCategorical(torch.tensor(0.5), a),
    lambda: D.StudentT(b, a, b), lambda: D.Uniform(a, b + 1), lambda: D.VonMises(a, b), lambda: D.Weibull(a, b), lambda: D.Wishart(3.0, torch.eye(2)),
]
for make in makers:
    torch.manual_seed(7)
    d = make()
    print("==", d, d.batch_shape, d.event_shape, d.has_rsample, d.support)
    for name in ("mean", "variance", "mode"):
        try:
            print(name, getattr(d, name))
        except NotImplementedError as e:
            print(name, "NotImplementedError", e)
    x = d.sample((2,))
    print(x)
    lp = d.log_prob(x)
    print(lp)
    a.grad = b.grad = p.grad = None
    if lp.requires_grad:
        lp.sum().backward()
    print(a.grad, b.grad, p.grad)
    try:
        print(d.entropy())
    except NotImplementedError:
        print("no entropy")
    print(torch.rand(1))
