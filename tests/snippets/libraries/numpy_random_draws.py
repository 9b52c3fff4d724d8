"""Distributions of numpy.random, whose numbers follow from the seed."""

import numpy as np
import torch

np.random.seed(0)
mean, cov = [1.0, -1.0], [[1.0, 0.5], [0.5, 2.0]]
points = np.random.multivariate_normal(mean, cov, 4)
print(points.shape, np.random.multivariate_normal(mean=mean, cov=cov).shape)
print(points)
print(np.random.multinomial(20, [1 / 6.0] * 6), np.random.multinomial(n=3, pvals=[0.5, 0.5], size=2))
print(np.random.dirichlet((1.0, 2.0, 3.0), 2))
print(np.random.triangular(-1, 0, 1, 3), np.random.geometric(0.4, size=3), np.random.chisquare(2))
print(np.random.weibull(1.5, 2), np.random.rayleigh(2.0, 2), np.random.gumbel(0, 1, 2), np.random.logistic(size=2))
print(np.random.standard_t(3, size=2), np.random.standard_cauchy(2), np.random.standard_exponential())
print(np.random.standard_gamma(2.0, 2), np.random.pareto(3.0, 2), np.random.power(2.0, 2), np.random.f(3, 5, 2))
print(np.random.negative_binomial(3, 0.5, 3))
print(np.random.ranf(2), np.random.sample((2, 2)), np.random.binomial(10**9, 0.5))
print(np.random.normal(np.zeros((2, 1)), np.ones((1, 3))).shape)

state = np.random.get_state()
first = np.random.rand(3)
np.random.set_state(state)
print((first == np.random.rand(3)).all(), state[0], state[1].shape, state[2])

generator = np.random.default_rng(0)
print(generator.multivariate_normal(mean, cov, 2), generator.poisson(3, 4), generator.binomial(5, 0.5, 3))
print(generator.gamma(2.0, size=2), generator.beta(1, 2), generator.laplace(size=2), generator.random((2, 2)))

for wrong in (lambda: np.random.normal(np.zeros(2), np.ones(3)), lambda: np.random.dirichlet([0.0, 1.0]),
              lambda: np.random.multinomial(2, [0.9, 0.9]), lambda: np.random.normal(0, -1)):
    try:
        print(wrong())
    except ValueError as error:
        print(str(error)[:60])

x = torch.tensor(points, dtype=torch.float32, requires_grad=True)
(x @ torch.tensor(cov)).square().sum().backward()
print(x.grad.shape)
