# Mixtures, one-hot and relaxed choices, straight-through samples, multinomial counts
import torch
import torch.distributions as D

torch.manual_seed(3)
logits = torch.tensor([0.1, 0.6, -0.4], requires_grad=True)
means = torch.tensor([-2.0, 0.0, 3.0], requires_grad=True)
mix = D.MixtureSameFamily(D.Categorical(logits=logits), D.Normal(means, torch.tensor([0.5, 1.0, 0.7])))
x = mix.sample((5,))
loss = -mix.log_prob(x).mean()
loss.backward()
print(mix)
print(x, loss, logits.grad, means.grad, mix.mean, mix.variance, mix.cdf(torch.tensor(0.0)))

logits.grad = None
hard = D.OneHotCategoricalStraightThrough(logits=logits).rsample()
(hard * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
print(hard, logits.grad)
logits.grad = None
soft = D.RelaxedOneHotCategorical(torch.tensor(0.5), logits=logits)
y = soft.rsample((2,))
print(soft, y, y.sum(-1), soft.log_prob(y.detach()), y.grad_fn)
(y[:, 0]).sum().backward()
print(logits.grad)
coin = D.RelaxedBernoulli(torch.tensor(0.3), probs=torch.tensor([0.2, 0.7]))
print(coin.rsample(), coin.log_prob(torch.tensor([0.5, 0.5])))

counts = D.Multinomial(10, probs=torch.tensor([0.2, 0.3, 0.5]))
n = counts.sample((2,))
print(counts, n, counts.log_prob(n), counts.mean, counts.entropy())
print(D.Binomial(10, torch.tensor(0.3)).sample((4,)), D.NegativeBinomial(5, torch.tensor(0.3)).sample((4,)), D.Geometric(0.25).sample((4,)))
print(D.Categorical(torch.ones(2, 3)).enumerate_support(), D.OneHotCategorical(torch.ones(3)).enumerate_support(expand=False))
print(D.VonMises(torch.tensor(0.0), torch.tensor(4.0)).sample((3,)), D.Gumbel(0.0, 1.0).sample((3,)), D.Weibull(1.0, 2.0).sample((2,)), D.Pareto(1.0, 3.0).sample((2,)))
for bad in (lambda: D.Multinomial(3, torch.ones(2)).log_prob(torch.tensor([1.0, 3.0])), lambda: D.Categorical(torch.ones(3)).rsample(), lambda: D.kl_divergence(D.Normal(0.0, 1.0), D.Categorical(torch.ones(2)))):
    try:
        bad()
    except (ValueError, NotImplementedError) as err:
        print(type(err).__name__, err)
