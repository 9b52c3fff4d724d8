"""Special functions: the gamma family, error functions, Bessel functions, entropies."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from engine.codegen.op import pointwise, rule
from engine.core.registry import NUMPY, ops
from engine.core.tensor import Tensor, constant
from engine.kernels.special import digamma_kernel
from engine.types.bfloat16 import limits_of

NUMPY["special"] = special  # forward texts name scipy's functions

pointwise(
    "erf(self)", "ErfBackward0", "erf_kernel(self)", real="self", self="1.1283791670955126 * exp(-self ** 2) * g",
    says="the derivative is the bell curve 2/√π · e^(−x²)", tex=r"\tfrac{2}{\sqrt\pi}\,e^{-\mathrm{self}^2}\,g", cost=8,
    refuses={"c": "erf_vml_cpu"}, opmath="half",
)
pointwise(
    "erfc(self)", "ErfcBackward0", "erfc_kernel(self)", real="self", self="-1.1283791670955126 * exp(-self ** 2) * g",
    says="the derivative is −2/√π · e^(−x²)", tex=r"-\tfrac{2}{\sqrt\pi}\,e^{-\mathrm{self}^2}\,g", cost=50,
    refuses={"c": "erfc_vml_cpu"}, opmath="half",
)
pointwise(
    "erfinv(self)", "ErfinvBackward0", "erfinv_kernel(self)", real="self",
    self="0.886226925452758 * exp(erfinv(self) ** 2) * g", says="the derivative is √π/2 · e^(result²)",
    tex=r"\tfrac{\sqrt\pi}{2}\,e^{\mathrm{result}^2}\,g", cost=50, refuses={"c": "erfinv_vml_cpu"},
    opmath="half",
)
pointwise(
    "special_erfcx(self)", "SpecialErfcxBackward0", "special.erfcx(self)", real="self",
    self="(2.0 * self * result - 1.1283791670955126) * g", inplace=False, says="the derivative is 2x · result − 2/√π",
    cost=50, refuses={"h": "erfcx_cpu"}, opmath="half",
)
pointwise(
    "special_log_ndtr(self)", "SpecialLogNdtrBackward0", "special.log_ndtr(self)", real="self",
    self="g / 2.5066282746310002 * exp(-(result + self ** 2 / 2))", inplace=False,
    says="the derivative of the log of the normal distribution: density over distribution", keeps_bdim=False, cost=50,
    refuses={"h": "log_ndtr_cpu"}, opmath="half",
)
pointwise(
    "special_ndtri(self)", "SpecialNdtriBackward0", "special.ndtri(self)", real="self",
    self="g * 2.5066282746310002 * exp(result ** 2 / 2)", inplace=False,
    says="the derivative of a quantile is 1 over the density there", cost=50, refuses={"h": "ndtri_cpu"},
    opmath="half",
)

pointwise(
    "lgamma(self)", "LgammaBackward0", "log_gamma(self)", real="self", self="g * digamma(self)",
    says="the derivative of log Γ is ψ", cost=150, workspace=3, refuses={"c": "lgamma_vml_cpu"}, opmath="half",
)
pointwise(
    "digamma(self)", "DigammaBackward0", "digamma_kernel(self)", real="self", self="g * polygamma(1, self)",
    says="the derivative of ψ is ψ′", cost=50, workspace=5, refuses={"c": "digamma"}, opmath="half",
)
pointwise(
    "polygamma(n, self)", "PolygammaBackward0", "polygamma_kernel(n, self)", real="self",
    self="g * polygamma(n + 1, self)",
    inplace=False, says="the derivative is the next polygamma function", keeps_bdim=False, cost=1500,
    memory_format="preserve", opmath="half",
)
pointwise(
    "mvlgamma(self, p)", "MvlgammaBackward0", "mvlgamma_kernel(self, p)", real="self",
    self="g * mvlgamma_derivative(self, p)",
    says="the derivative is a sum of ψ at shifted points", keeps_bdim=False, cost=250, backward_cost=1,
    memory_format="contiguous", refuses={"b": "The input tensor may not be a boolean tensor."},
    refuses_inplace={"iu": "mvlgamma: result type {type} can't be cast to the desired output type Float"},
    opmath="half",
)


@rule
def mvlgamma_derivative(self: Any, p: int) -> Any:
    shifts = np.arange(-p / 2 + 0.5, 0.5, 0.5, dtype=self.dtype if not isinstance(self, Tensor) else self._array.dtype)
    if isinstance(self, Tensor):
        return ops.sum_dim(ops.digamma(ops.add(constant(shifts), ops.unsqueeze(self, -1))), -1)
    return digamma_kernel(shifts + np.asarray(self)[..., None]).sum(-1)


pointwise(
    "i0(self)", "I0Backward0", "special.i0(self)", real="self", self="g * special_i1(self)",
    says="the derivative of I₀ is I₁", cost=50, refuses={"c": "i0_vml_cpu"}, opmath="half",
)
pointwise(
    "special_i0e(self)", "SpecialI0EBackward0", "special.i0e(self)", real="self",
    self="g * (special_i1e(self) - sgn(self) * result)", inplace=False,
    says="the derivative of e^(−|x|)·I₀", cost=50, opmath="half",
)
pointwise(
    "special_i1(self)", "SpecialI1Backward0", "special.i1(self)", real="self",
    self="g * i1_derivative(self, result, False)", inplace=False, says="the derivative of I₁ is I₀ − I₁/x", cost=50,
    opmath="half",
)
pointwise(
    "special_i1e(self)", "SpecialI1EBackward0", "special.i1e(self)", real="self",
    self="g * i1_derivative(self, result, True)", inplace=False, says="the derivative of e^(−|x|)·I₁", cost=50,
    backward_cost=2, opmath="half",
)


@rule
def i1_derivative(self: Any, result: Any, scaled: bool) -> Any:
    """The slope of I₁ (or of e^(−|x|)·I₁), ½ at 0 where the formula divides by it."""
    values = self._array if isinstance(self, Tensor) else self
    tiny = limits_of(values.dtype).eps
    clear = (self > tiny) | (self < -tiny)
    safe = ops.where(clear, self, tiny)
    if scaled:
        turned = ops.reciprocal(safe)
        part = result * (ops.sgn(safe) + turned)
        slope = ops.special_i0e(safe) - part
    else:
        part = result * ops.reciprocal(safe)
        slope = ops.i0(safe) - part
    return ops.where(clear, slope, 0.5)


pointwise(
    "special_entr(self)", "SpecialEntrBackward0", "special.entr(self)", real="self", self="g * -(1 + log(self))",
    inplace=False, says="the derivative of −x·log x is −1 − log x", cost=50, refuses={"c": "entr_cpu"},
    opmath="half",
)
pointwise(
    "xlogy(self, other)", "XlogyBackward0", "times_log(self, other)", promote="self other", real="self other",
    numbers=False, self="masked_fill_Scalar(xlogy(g, other), (self == 0.0) & (other <= 0.0), 0.0)",
    other="g * self / other", says="derivative log other for the factor, self/other inside the logarithm", cost=50,
    backward_cost=1, gradient_format="other", refuses={"c": "xlogy_cpu"},
)
pointwise(
    "xlogy.OtherScalar(self, other: Scalar)", "XlogyBackward2", "times_log(self, other)",
    real="self",
    self="xlogy_OtherScalar(g, other) if other > 0.0 "
         "else masked_fill_Scalar(xlogy_OtherScalar(g, other), self == 0.0, 0.0)",
    says="the derivative is the logarithm of the number", cost=50, refuses={"c": "xlogy_cpu"},
)
pointwise(
    "xlogy.SelfScalar(self: Scalar, other)", "XlogyBackward1", "times_log(self, other)",
    real="other",
    other="g * self / other", inplace=False, says="the derivative is number/x", keeps_bdim=False, cost=50,
    refuses={"c": "xlogy_cpu"},
)
pointwise(
    "special_xlog1py(self, other)", "SpecialXlog1PyBackward0", "times_log1p(self, other)", promote="self other",
    real="self other", numbers=False, inplace=False,
    self="masked_fill_Scalar(special_xlog1py(g, other), (self == 0.0) & (other <= -1.0), 0.0)",
    other="g * self / (other + 1)",
    says="derivative log(1 + other) for the factor, self/(1 + other) inside the logarithm",
    cost=50, gradient_format="other", refuses={"c": "xlog1py_cpu"},
)
pointwise(
    "special_xlog1py.other_scalar(self, other: Scalar)", "SpecialXlog1PyBackward2",
    "times_log1p(self, other)", real="self", inplace=False,
    self="special_xlog1py_other_scalar(g, other) if other > -1.0 "
         "else masked_fill_Scalar(special_xlog1py_other_scalar(g, other), self == 0.0, 0.0)",
    says="the derivative is the logarithm of 1 + the number", cost=50,
)
pointwise(
    "special_xlog1py.self_scalar(self: Scalar, other)", "SpecialXlog1PyBackward1",
    "times_log1p(self, other)", real="other", other="g * self / (other + 1)", inplace=False,
    says="the derivative is number/(1 + x)", keeps_bdim=False, cost=50,
)
