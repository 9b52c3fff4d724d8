# A flow of affine and tanh maps, trained by maximum likelihood; log_prob through transforms, cdf and icdf
import torch
import torch.distributions as D
from torch.distributions import constraints
from torch.distributions.transforms import AffineTransform, ExpTransform, SigmoidTransform, TanhTransform, Transform
from torch.distributions.transformed_distribution import TransformedDistribution

torch.manual_seed(0)


class Planar(Transform):
    domain = constraints.real
    codomain = constraints.real
    bijective = True

    def __init__(self, slope):
        super().__init__()
        self.slope = slope

    def _call(self, x):
        return x + self.slope.exp() * x**3

    def _inverse(self, y):
        x = y.clone()
        for _ in range(40):
            x = x - (x + self.slope.exp() * x**3 - y) / (1 + 3 * self.slope.exp() * x**2)
        return x

    def log_abs_det_jacobian(self, x, y):
        return (1 + 3 * self.slope.exp() * x**2).log()


loc = torch.zeros(2, requires_grad=True)
log_scale = torch.zeros(2, requires_grad=True)
slope = torch.tensor(-3.0, requires_grad=True)
data = D.Normal(torch.tensor([1.0, -2.0]), torch.tensor([0.5, 1.5])).sample((64,))


def flow():
    base = D.Independent(D.Normal(torch.zeros(2), torch.ones(2)), 1)
    return TransformedDistribution(base, [Planar(slope), AffineTransform(loc, log_scale.exp())])


optimizer = torch.optim.Adam([loc, log_scale, slope], lr=0.1)
for step in range(8):
    optimizer.zero_grad()
    loss = -flow().log_prob(data).mean()
    loss.backward()
    optimizer.step()
    print(f"{step} {loss.item():.4f} {loc.grad.tolist()[0]:.4f} {slope.grad.item():.4f}")
print(flow().rsample((2,)).grad_fn, flow().event_shape, flow().batch_shape)

logistic = TransformedDistribution(D.Uniform(0.0, 1.0), [SigmoidTransform().inv, AffineTransform(1.0, 2.0)])
x = torch.tensor([0.0, 1.0, 3.0], requires_grad=True)
p = logistic.cdf(x)
print(p, logistic.icdf(p.detach()), logistic.log_prob(x))
p.sum().backward()
print(x.grad, logistic.log_prob(x.detach()).exp())
squashed = TransformedDistribution(D.Normal(loc.detach(), 1.0), TanhTransform(cache_size=1))
action = squashed.rsample()
print(action, squashed.log_prob(action))
print(D.ComposeTransform([ExpTransform(), AffineTransform(0.0, 2.0)]), ExpTransform().inv, squashed)
try:
    logistic.entropy()
except NotImplementedError as e:
    print("NotImplementedError", e)
