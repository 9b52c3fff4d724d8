# Constraints, maps to them, a distribution of one's own, and a divergence registered for it
import torch
from torch.distributions import Distribution, Normal, biject_to, constraints, kl_divergence, register_kl, transform_to
from torch.distributions.utils import broadcast_all


class Triangular(Distribution):
    arg_constraints = {"peak": constraints.unit_interval}
    support = constraints.unit_interval
    has_rsample = True

    def __init__(self, peak, validate_args=None):
        (self.peak,) = broadcast_all(peak)
        super().__init__(self.peak.size(), validate_args=validate_args)

    def rsample(self, sample_shape=torch.Size()):
        u = torch.rand(self._extended_shape(sample_shape))
        return torch.where(u < self.peak, (u * self.peak).sqrt(), 1 - ((1 - u) * (1 - self.peak)).sqrt())

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return torch.where(value < self.peak, 2 * value / self.peak, 2 * (1 - value) / (1 - self.peak)).log()


@register_kl(Triangular, Normal)
def _kl(p, q):
    return (p.peak - q.loc) ** 2


torch.manual_seed(0)
peak = torch.tensor([0.25, 0.5], requires_grad=True)
d = Triangular(peak)
x = d.rsample((3,))
x.sum().backward()
print(d, x, peak.grad, d.batch_shape, d.event_shape, d.sample().requires_grad)
print(d.log_prob(torch.tensor(0.4)), kl_divergence(d, Normal(0.0, 1.0)))
for f in (lambda: Triangular(1.5), lambda: d.log_prob(torch.tensor(-1.0)), lambda: d.entropy(), lambda: d.expand((3, 2))):
    try:
        f()
    except (ValueError, NotImplementedError) as e:
        print(type(e).__name__, e)

raw = torch.tensor([0.5, -1.0, 2.0], requires_grad=True)
for region in (constraints.positive, constraints.unit_interval, constraints.simplex, constraints.greater_than(2.0), constraints.interval(-1.0, 3.0), constraints.real):
    to = transform_to(region)
    y = to(raw)
    print(region, to, y, region.check(y), biject_to(region))
to = transform_to(constraints.lower_cholesky)
print(to(torch.tensor([[0.1, 5.0], [2.0, -1.0]])), constraints.positive_definite.check(torch.eye(2)), constraints.simplex.check(torch.tensor([0.3, 0.8])))
print(Normal.arg_constraints, Normal(0.0, 1.0).support, Normal.has_rsample)
