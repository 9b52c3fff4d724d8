# scipy.special beside PyTorch's functions, and the normal distribution of scipy.stats
import numpy as np
import scipy
import scipy.special as sp
import torch
from scipy.special import comb, erf, expit, factorial, log_softmax, logit, logsumexp, softmax, xlogy
from scipy.stats import norm

x = np.array([0.1, 0.5, 2.0])
print(expit, expit(0.5), type(expit(0.5)).__name__, expit([1, 2]), expit(x.astype(np.float32)).dtype)
print(logit(x[:2]), erf(x), sp.gamma(x), sp.gammaln(x), sp.digamma(x), xlogy(x, x), sp.beta(1.0, 2.0))
print(np.allclose(expit(x), torch.sigmoid(torch.from_numpy(x)).numpy()))
print(softmax(x), log_softmax(x), softmax(np.ones((2, 2)), axis=0), softmax(x[None], axis=1).shape)
print(logsumexp(x), logsumexp(np.ones((2, 3)), axis=1, keepdims=True), logsumexp(x, b=x))
print(comb(5, 2), comb(5, 2, exact=True), factorial(5), factorial(5, exact=True), comb(np.array([4, 5]), 2))
print(sp.ndtr(x), sp.ndtri(0.5), sp.j0(x), sp.zeta(2.0), sp.erfinv(0.5), sp.polygamma(1, x), sp.rel_entr(x, x[::-1]))
print(sp.huber(1.0, x), sp.gammainc(1.0, 2.0), sp.betainc(1.0, 2.0, 0.5), sp.multigammaln(3.0, 2), sp.exp1(x))

print(norm.pdf(0.0), norm.cdf(1.96), norm.ppf(0.975), norm.logpdf(x), norm(1, 2).pdf(x))
print(norm.cdf(x, 1, 2), norm.sf(1.0), norm.isf(0.1), norm.interval(0.95), norm.entropy(), norm.std(scale=2))
print(norm.rvs(size=3, random_state=0), norm(3, 2).rvs(2, random_state=0), norm.fit([1, 2, 3]))
np.random.seed(0)
print(norm.rvs(), norm.rvs(1, 2, size=(2, 2)))
print(norm.pdf([0, 1], loc=[0, 1]), norm.pdf(0, 0, -1), norm.ppf([0, 1, 2]), scipy.__version__)
z = torch.linspace(-3, 3, 5, dtype=torch.float64)
print(torch.distributions.Normal(0.0, 1.0).cdf(z), norm.cdf(z.numpy()))
try:
    softmax(np.ones((2, 2)), axis=5)
except Exception as error:
    print(type(error).__name__, error)
