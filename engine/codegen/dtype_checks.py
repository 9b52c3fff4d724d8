"""Types of elements that an op's kernel does not take, and what PyTorch says then.

A name without blanks is that of a kernel, which PyTorch reports as `"kernel" not implemented for 'Type'`; anything
else is the text itself. Kinds are numpy's: `c` complex, `b` bool, `i` and `u` integers, `f` floating point; and `h` is
half.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.types import dtypes
from engine.types.shapes import wrap_dim

_TABLE = """
floor | b floor_vml_cpu | c floor is not supported for complex inputs
ceil | b ceil_vml_cpu | c ceil is not supported for complex inputs
trunc | b trunc_vml_cpu | c trunc is not supported for complex inputs
round | bc round_vml_cpu
round_decimals | biuc round_cpu
frac | biuc frac_cpu
sign | c Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.
relu clamp clamp_min clamp_max | c clamp is not supported for complex types
clamp_min_Tensor | c maximum_cpu
clamp_max_Tensor | c minimum_cpu
hardtanh | c clamp is not supported for complex types | b Bool inputs not supported for hardtanh
erf | c erf_vml_cpu
erfc | c erfc_vml_cpu
erfinv | c erfinv_vml_cpu
lgamma | c lgamma_vml_cpu
mvlgamma | b The input tensor may not be a boolean tensor.
digamma | c digamma
i0 | c i0_vml_cpu
logit | c logit_cpu
deg2rad rad2deg | c {op} is not supported for complex tensors.
mvlgamma_ | iu mvlgamma: result type {type} can't be cast to the desired output type Float
ldexp_ | biu ldexp can't be cast to the desired output type {type}
abs_ | c In-place abs is not supported for complex tensors.
bernoulli_p bernoulli__float | c bernoulli_scalar_cpu_
random_ random__to random__from | c random_kernel_cpu
rrelu_with_noise rrelu_with_noise_ | c leaky_relu_cpu
binary_cross_entropy_with_logits | biuc log_sigmoid_cpu
signbit | c signbit is not implemented for complex tensors.
isneginf isposinf | c {op} does not support complex inputs.
max | c max_all
min | c min_all
max_dim | c max(): does not support complex input
min_dim | c min(): does not support complex input
amax | c max_values_cpu
amin | c min_values_cpu
argmax argmin | c {op}(): does not support complex input
aminmax | c aminmax_cpu
median nanmedian | bc median_cpu
median_dim | bc median_out
nanmedian_dim | bc median_out
mode | c mode_cpu
kthvalue | bc kthvalue_cpu
_unique2 | c unique
unique_dim | c unique_dim
sort sort_stable argsort | c  Sort does not support complex dtypes on CPU
topk | c  topk does not support complex dtypes on CPU | b topk does not support bool dtypes on CPU
nansum | c nansum on CPU does not support complex inputs
elu elu_ celu celu_ | c elu_cpu
mish | c mish_cpu
softplus | c softplus_cpu
log_sigmoid | biuc log_sigmoid_cpu
hardsigmoid | biuc hardsigmoid_cpu
hardswish | biuc hardswish_cpu
hardshrink | biuc hardshrink_cpu
softshrink | biuc softshrink_check
leaky_relu leaky_relu_ | c leaky_relu_cpu
threshold | bc threshold_cpu
cummax | c cummax_cpu
cummin | c cummin_cpu
logcumsumexp | biu logcumsumexp_out_cpu
floor_divide | bc div_floor_cpu
floor_divide_Scalar | c div_floor_cpu
remainder | bc remainder_cpu
remainder_Scalar | c remainder_cpu
fmod | bc fmod_cpu
fmod_Scalar | c fmod_cpu
gt gt__Scalar gt__Tensor | c gt_cpu
ge ge__Scalar ge__Tensor | c ge_cpu
lt lt__Scalar lt__Tensor | c lt_cpu
le le__Scalar le__Tensor | c le_cpu
maximum minimum fmax fmin | c {op} not implemented for complex tensors.
atan2 | c atan2_cpu
hypot | biuc hypot_cpu
lerp_Scalar | biu lerp_kernel_scalar
lerp_Tensor | biu lerp_kernel_tensor
addcmul | b addcmul_cpu_out
logaddexp | biu logaddexp_cpu
logaddexp2 | biuc logaddexp2_cpu
nextafter | biuc nextafter_cpu
heaviside | c heaviside is not yet implemented for complex tensors.
copysign | c copysign_cpu
xlogy xlogy_OtherScalar xlogy_SelfScalar | c xlogy_cpu
special_xlog1py | c xlog1py_cpu
special_entr | c entr_cpu
special_erfcx | h erfcx_cpu
special_ndtri | h ndtri_cpu
special_log_ndtr | h log_ndtr_cpu
special_zeta | h zeta_cpu
mse_loss | c mse_cpu
smooth_l1_loss | c smooth_l1_cpu
huber_loss | c huber_cpu
nll_loss | c nll_loss_out_frame
binary_cross_entropy | c binary_cross_entropy
searchsorted | bc searchsorted_out_cpu
isin | b Unsupported input type encountered for isin(): {type} | c Unsupported input type encountered for isin(): {type}
gcd | b gcd_cpu
lcm | b lcm_cpu
max_pool2d_with_indices | c max_pool2d
avg_pool2d | c avg_pool2d
avg_pool3d | c avg_pool3d_out_frame
native_group_norm | c GroupNormKernelImpl
_prelu_kernel | c prelu_cpu
_cdist_forward _euclidean_dist | biuc cdist only supports floating-point dtypes, X1 got: {type}
"""
_MISSING = ("is not supported for complex inputs", "is not supported for complex types", "Unlike NumPy", "signbit is")
"""Parts of the texts that are NotImplementedErrors; the others are RuntimeErrors."""


def _read() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for line in _TABLE.strip().splitlines():
        names, *refused = line.split(" | ")
        for name in names.split():
            for kinds, _, text in (part.partition(" ") for part in refused):
                found.setdefault(name, {}).update(dict.fromkeys(kinds, text.replace("{op}", name)))
    return found


REFUSED = _read()
"""Op → kind → the kernel or the text."""


def kinds(op: str) -> str:
    """The kinds that an op refuses, as one string; empty for most."""
    return "".join(REFUSED.get(op, ()))


def refuse_written(op: str, dtype: Any) -> None:
    """Raise what the in-place form of an op says to elements of a kind that it refuses."""
    for name in (op + "_", op):
        if dtype.kind in REFUSED.get(name, ()):
            raise refused(name, dtype)


UNTAUGHT = frozenset({"nan_to_num", "silu"})
"""Ops of complex numbers that PyTorch refuses to differentiate."""




def mismatch(operands: Sequence[Any]) -> Exception | None:
    """What PyTorch says to operands whose shapes do not broadcast; None if they do."""
    shape: tuple[int, ...] = ()
    for operand in operands:
        other = np.shape(operand)
        width = max(len(shape), len(other))
        a, b = (1,) * (width - len(shape)) + shape, (1,) * (width - len(other)) + other
        for dim in reversed(range(width)):
            if a[dim] != b[dim] and a[dim] != 1 and b[dim] != 1:
                return errors.size_mismatch(a[dim], b[dim], dim)
        shape = tuple(y if x == 1 else x for x, y in zip(a, b, strict=True))
    return None


def by_kernel(error: Exception) -> bool:
    """Whether an error is a kernel's about the type of elements: PyTorch looks at shapes before it comes to that."""
    return isinstance(error, NotImplementedError) and str(error).startswith('"')


REAL = {
    "hardshrink": "lambd", "threshold": "threshold value", "leaky_relu": "negative_slope", "softshrink": "lambd",
    "elu": "alpha scale input_scale", "elu_": "alpha scale input_scale", "celu": "alpha", "softplus": "beta threshold",
    "addcmul": "value", "addcdiv": "value", "lerp_Scalar": "weight", "masked_fill_Scalar": "value",
}  # fmt: skip
"""Numbers that ops convert to the type of their first operand."""


def unfit(op: str, dtype: Any) -> Exception:
    """What PyTorch says to a complex number where it wants one of `dtype`."""
    own = dtypes.of(dtype)
    name = own.cpp_name if dtype.kind not in "iu" else "int" if own.name == "int32" else f"{own.name}_t"
    kind = "double" if op in ("celu", "softshrink") else name
    return errors.conversion_overflow("float" if op == "softplus" and dtype.char == "e" else kind)


ALONG = frozenset("cummax cummin sort sort_stable argsort mode kthvalue topk max_dim min_dim amax amin aminmax".split())
"""Ops that look at their `dim` before they look at the type."""


def refused_along(op: str, a: Any, dim: Any) -> Exception:
    """As `refused` for ops of `ALONG`. Raises IndexError for a dimension that is not there."""
    for place in dim if isinstance(dim, tuple | list) else () if dim is None else (dim,):
        wrap_dim(place, a.ndim)
    return refused(op, a.dtype)


def refused(op: str, dtype: Any, *operands: Any) -> Exception:
    """The error of an op that was given elements of a kind it refuses; `operands` are those that must broadcast."""
    text = REFUSED[op]["h" if dtype.char == "e" else dtype.kind]
    name = dtypes.of(dtype).type_name
    if " " not in text:
        return mismatch(operands) or errors.not_implemented_for(text, name)
    return errors.refused_kind(text.replace("{type}", name), implemented=not any(part in text for part in _MISSING))
