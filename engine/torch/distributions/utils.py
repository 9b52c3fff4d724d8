"""What the distributions share: parameters of one shape, probabilities and their logarithms, triangles as vectors."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Number
from types import SimpleNamespace
from typing import Any

from engine import errors
from engine.codegen.publish import FUNCTIONAL, LINALG, SPECIAL, TORCH
from engine.core.grad_mode import enable_grad
from engine.core.tensor import Tensor
from engine.types import dtypes

__all__ = [
    "broadcast_all", "clamp_probs", "lazy_property", "logits_to_probs", "probs_to_logits", "tril_matrix_to_vec",
    "vec_to_tril_matrix",
]  # fmt: skip

torch = SimpleNamespace(**TORCH)
"""The functions that formulas use, by the names users know."""
F = SimpleNamespace(**FUNCTIONAL)
special = SimpleNamespace(**SPECIAL)
linalg = SimpleNamespace(**LINALG)

euler_constant = 0.57721566490153286060


def is_number(value: Any) -> bool:
    """Whether a parameter is given as a plain number."""
    return isinstance(value, Number)


def broadcast_all(*values: Any) -> tuple[Tensor, ...]:
    """The values as tensors of one shape; numbers become tensors of the dtype of the others. ValueError else."""
    if not all(isinstance(value, Tensor) or is_number(value) for value in values):
        raise errors.distribution_arguments()
    like = next((value for value in values if isinstance(value, Tensor)), None)
    dtype = dtypes.get_default() if like is None else like.dtype
    made = (v if isinstance(v, Tensor) else torch.tensor(v, dtype=dtype) for v in values)
    return tuple(torch.broadcast_tensors(*made))


def standard_normal(shape: Any, dtype: Any) -> Any:
    """Normal numbers, mean 0 and deviation 1, as `rsample` draws them."""
    return torch.normal(torch.zeros(shape, dtype=dtype), torch.ones(shape, dtype=dtype))


def sum_rightmost(value: Any, dim: int) -> Any:
    """The sum over the last `dim` dimensions."""
    return value if dim == 0 else value.reshape(value.shape[: value.dim() - dim] + (-1,)).sum(-1)


def clamp_probs(probs: Any) -> Any:
    """Probabilities away from 0 and 1 by the precision of their type."""
    eps = dtypes.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def logits_to_probs(logits: Any, is_binary: bool = False) -> Any:
    """Probabilities from log-odds, or from unnormalised logarithms in the last dimension."""
    return torch.sigmoid(logits) if is_binary else F.softmax(logits, dim=-1)


def probs_to_logits(probs: Any, is_binary: bool = False) -> Any:
    """Log-odds of probabilities, or their logarithms."""
    clamped = clamp_probs(probs)
    return torch.log(clamped) - torch.log1p(-clamped) if is_binary else torch.log(clamped)


def vec_to_tril_matrix(vec: Any, diag: int = 0) -> Any:
    """(…, n(n+1)/2) → (…, n, n): the vector fills the lower triangle by rows."""
    n = (-(1 + 2 * diag) + ((1 + 2 * diag) ** 2 + 8 * vec.shape[-1] + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2
    if round(n) - n > dtypes.finfo(vec.dtype).eps:
        raise errors.not_a_triangle(vec.shape[-1])
    size = round(n)
    matrix = vec.new_zeros(vec.shape[:-1] + (size, size))
    rows = torch.arange(size).view(1, -1) < torch.arange(size).view(-1, 1) + (diag + 1)
    matrix[..., rows] = vec
    return matrix


def tril_matrix_to_vec(mat: Any, diag: int = 0) -> Any:
    """(…, n, n) → (…, n(n+1)/2): the lower triangle by rows."""
    n = mat.shape[-1]
    if not -n <= diag < n:
        raise errors.triangle_diagonal(diag, n)
    rows = torch.arange(n).view(1, -1) < torch.arange(n).view(-1, 1) + (diag + 1)
    return mat[..., rows]


class lazy_property:
    """A value computed when first asked for, always recorded, and kept."""

    __module__ = "torch.distributions.utils"

    def __init__(self, wrapped: Callable[[Any], Any]) -> None:
        self.wrapped = wrapped
        self.__doc__ = wrapped.__doc__

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        with enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value
