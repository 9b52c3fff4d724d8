"""Random counts: Poisson and binomial numbers, drawn as PyTorch draws them."""

from __future__ import annotations

from engine.codegen.op import op

op(
    "poisson(self, generator=None)", "PoissonBackward0", "poisson_kernel(self, generator)", inplace=False,
    self="zeros_like(g)", says="what was drawn is not differentiable: the gradient is 0", cost=500, opmath="bfloat16",
)
op(
    "binomial(count, prob, generator=None)", "NotImplemented", "binomial_kernel(count, prob, generator)", inplace=False,
    count="underivable('binomial')", prob="underivable('binomial')", says="PyTorch has no gradient for it", cost=500,
    opmath="bfloat16",
)
