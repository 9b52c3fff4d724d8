"""Incomplete gamma functions and the zeta function."""

from __future__ import annotations

from engine import errors
from engine.codegen.op import pointwise, rule


@rule
def unknown_derivative(name: str) -> None:
    raise errors.derivative_missing(name)


_DENSITY = "exp((self - 1) * log(other) - other - lgamma(self))"
pointwise(
    "igamma(self, other)", "IgammaBackward0", "incomplete_gamma('igamma', self, other)", promote="self other",
    numbers=False, self="unknown_derivative('igamma: input')", other=f"g * {_DENSITY}",
    says="the derivative in the upper end is the density of the gamma distribution there", cost=500, opmath="half",
)
pointwise(
    "igammac(self, other)", "IgammacBackward0", "incomplete_gamma('igammac', self, other)", promote="self other",
    numbers=False, self="unknown_derivative('igammac: input')", other=f"-g * {_DENSITY}",
    says="minus the density of the gamma distribution", cost=1500, opmath="half",
)
_ZETA_SAYS = "the derivative of ζ(s, q) in q is −s ζ(s + 1, q)"
pointwise(
    "special_zeta(self, other)", "SpecialZetaBackward0", "zeta_kernel(self, other)", promote="self other",
    real="self other", numbers=False, inplace=False, self="unknown_derivative('zeta')",
    other="g * -self * special_zeta(self + 1.0, other)", says=_ZETA_SAYS, cost=1500, refuses={"h": "zeta_cpu"},
    opmath="half",
)
pointwise(
    "special_zeta.self_scalar(self: Scalar, other)", "SpecialZetaBackward1",
    "zeta_kernel(other.dtype.type(self), other)", real="other", inplace=False,
    other="g * -self * special_zeta_self_scalar(self + 1.0, other)", says=_ZETA_SAYS, keeps_bdim=False, cost=1500,
    opmath="half",
)
pointwise(
    "special_zeta.other_scalar(self, other: Scalar)", "SpecialZetaBackward2",
    "zeta_kernel(self, self.dtype.type(other))", real="self", inplace=False, self="unknown_derivative('zeta')",
    says=_ZETA_SAYS, keeps_bdim=False, cost=1500, opmath="half",
)
