"""Complex numbers: their parts, their conjugates, and their making."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.batching import rules
from engine.codegen.op import op, pointwise, rule
from engine.core.complex import conjugate
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.kernels.complexes import check_parts, view_as_real_kernel
from engine.kernels.names import kernel
from engine.ops.arithmetic import zero_like
from engine.types import dtypes
from engine.types.shapes import broadcast


@kernel
def view_as_complex_kernel(a: Any) -> Any:
    if a.dtype.kind != "f":
        raise errors.view_as_complex_type(dtypes.of(a.dtype).type_name)
    if not a.ndim:
        raise errors.view_as_complex_scalar()
    if not a.ndim or a.shape[-1] != 2:
        raise errors.view_as_complex_size()
    kind = dtypes.of(a.dtype).to_complex().np
    state.complex = True
    if not a.size:
        return np.empty(a.shape[:-1], kind)
    if a.strides[-1] != a.itemsize:
        raise errors.view_as_complex_stride()
    if any([stride % (2 * a.itemsize) for stride in a.strides[:-1]]):
        raise errors.view_as_complex_strides()
    return a.view(kind).reshape(a.shape[:-1])


@kernel
def complex_kernel(real: Any, imag: Any) -> Any:
    check_parts(real, imag)
    whole = np.empty(broadcast(real.shape, imag.shape), dtypes.of(real.dtype).to_complex().np)
    whole.real, whole.imag = real, imag
    state.complex = True
    return whole if whole.ndim else whole[()]


@kernel
def polar_kernel(size: Any, angle: Any) -> Any:
    check_parts(size, angle)
    broadcast(size.shape, angle.shape)
    if size.dtype.char == "e":
        raise errors.not_implemented_for("polar_cpu", "Half")
    return complex_kernel(size * np.cos(angle), size * np.sin(angle))


def is_conjugate(x: Tensor) -> bool:
    """Whether PyTorch would only remember that the numbers are to be conjugated."""
    if x._conjugate is not None or x._grad_fn is None:
        return bool(x._conjugate)
    return x._grad_fn.op is not None and x._grad_fn.op.conj_view


@rule
def real_part(x: Any) -> Any:
    """As PyTorch takes it: the first component of the number seen as two real ones."""
    if isinstance(x, Tensor) and is_conjugate(x):
        x = ops.conj(x)
    return ops.select(ops.view_as_real(x), x.ndim, 0) if _dtype(x).kind == "c" else x


@rule
def imaginary_part(x: Any) -> Any:
    """The second component; of a real gradient there is none."""
    if isinstance(x, Tensor) and is_conjugate(x):
        return ops.select(ops._neg_view(ops.view_as_real(ops.conj(x))), x.ndim, 1)
    return ops.select(ops.view_as_real(x), x.ndim, 1) if _dtype(x).kind == "c" else None


@rule
def as_type(g: Any, dtype: Any) -> Any:
    """A gradient in the dtype of what it is the gradient of; real numbers get the real part of a complex one."""
    if dtype.kind != "c":
        g = real_part(g)
    if _dtype(g) == dtype:
        return g
    return ops.to_dtype(g, dtype)


@rule
def parts_of(g: Any, real: Any, imag: Any) -> Any:
    """Both parts. PyTorch keeps the parts of the number too, though the gradient does not need them."""
    return real_part(g), imaginary_part(g)


@rule
def as_complex(x: Any) -> Any:
    """The complex numbers whose parts lie side by side."""
    if isinstance(x, Tensor):
        return ops.view_as_complex(x if x._array.flags.c_contiguous else ops.clone(x, dtypes.contiguous_format))
    return ops.view_as_complex(np.ascontiguousarray(x))


def _dtype(x: Any) -> Any:
    return x._array.dtype if isinstance(x, Tensor) else x.dtype


@rule
def conjugated(x: Any) -> Any:
    return conjugate(x)


@rule
def angle_backward(g: Any, self: Any) -> Any:
    """A step across the direction turns by one over the length; along it, and for real numbers, nothing turns."""
    if _dtype(self).kind != "c":
        return zero_like(g)
    size = ops.abs(self)
    return ops.masked_fill_Scalar(g * self / (size * size) * 1j, size == 0, 0)


@rule
def sgn_backward(g: Any, self: Any, result: Any) -> Any:
    """What of a gradient is across the direction, over the length; for real numbers there is nothing across."""
    if _dtype(self).kind != "c":
        return zero_like(g)
    size = ops.abs(self)
    across = g - real_part(g * conjugate(result)) * result
    return ops.masked_fill_Scalar(across / size, size == 0, 0)


op("view_as_real(self)", "ViewAsRealBackward0", view_as_real_kernel, view=True,
   self="as_complex(g)", says="the two parts' gradients are one complex gradient", vmap=rules.same)
op("view_as_complex(self)", "ViewAsComplexBackward0", view_as_complex_kernel, view=True,
   self="view_as_real(g)", says="the gradient is taken apart into its two parts", vmap=rules.same, autocast="fp32")
pointwise(
    "conj(self)", "ConjBackward0", "np.conj(self)", inplace=False, self="conj(g)",
    says="the gradient is conjugated too", conj_view=True,
)
pointwise("_neg_view(self)", "NegViewBackward0", "-self", inplace=False, self="neg(g)", says="the sign turns around")
pointwise(
    "conj_physical(self)", "ConjPhysicalBackward0", "np.conj(self) if self.dtype.kind == 'c' else self",
    inplace="ConjPhysicalBackward1", self="conj_physical(g)", says="the gradient is conjugated too",
)
pointwise(
    "complex(real, imag)", "ComplexBackward0", complex_kernel, inplace=False,
    together=("real imag", "parts_of(g, real, imag)"), says="each part gets its part of the gradient", broadcasts=True,
    wirtinger=True, memory_format="preserve",
)
pointwise(
    "polar(abs, angle)", "PolarBackward0", "polar_kernel(abs, angle)", inplace=False,
    abs="real_part(conj(g) * sgn(result))", angle="real_part(conj(g) * (result * 1j))",
    says="the derivative of the length is the direction, of the angle the number turned by a quarter", broadcasts=True,
    cost=20,
    workspace=3, backward_cost=1, wirtinger=True, memory_format="preserve", autocast="fp32",
)
