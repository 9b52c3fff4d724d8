"""Gamma and Dirichlet numbers, drawn as PyTorch draws them, and how they move with their parameters."""

from __future__ import annotations

from engine.codegen.op import op

op(
    "_standard_gamma(self, generator=None)", "StandardGammaBackward0", "gamma_kernel(self, generator)", inplace=False,
    self="g * _standard_gamma_grad(self, result)", says="the drawn number moves with its shape parameter", cost=500,
    workspace=4,
)
op(
    "_standard_gamma_grad(self: Tensor, output: Tensor)", "NotImplemented", "standard_gamma_grad(self, output)",
    inplace=False, says="PyTorch does not differentiate it", cost=500, workspace=4,
)
op(
    "_sample_dirichlet(self: Tensor, generator=None)", "NotImplemented", "dirichlet_kernel(self, generator)",
    inplace=False, says="what was drawn is not differentiable", cost=500, workspace=4,
)
op(
    "_dirichlet_grad(x: Tensor, alpha: Tensor, total: Tensor)", "NotImplemented", "dirichlet_grad(x, alpha, total)",
    inplace=False, says="PyTorch does not differentiate it", cost=500, workspace=4,
)
