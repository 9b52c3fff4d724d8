"""`validate_outputs` of engine.cpp, and `InputMetadata::maybe_reduce` of input_metadata.cpp.

Every gradient gets the shape and dtype of the tensor that it belongs to, or is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from engine import errors
from engine.core.node import Node
from engine.core.registry import GRAPH, NUMPY
from engine.kernels.summation import column_sums, total
from engine.types import dtypes


def validate_outputs(
    node: Node, grads: Sequence[Any], edges: Sequence[Node | None], create_graph: bool
) -> Sequence[Any]:
    """Give every gradient that is wanted the shape and dtype of the tensor it belongs to."""
    if len(grads) != len(edges):
        raise errors.wrong_gradient_count(node.name(), len(edges), len(grads))
    fixed = list(grads)
    numbers = node.input_nrs
    for index, edge in enumerate(edges):
        if edge is not None and fixed[index] is not None:
            shape, dtype = edge.input_metadata(0 if numbers is None else numbers[index])
            fixed[index] = maybe_reduce(node, index, fixed[index], shape, dtype, create_graph)
    return fixed


_OF_ONE_KIND = "isFloatingType(grad.scalar_type()) || (input_is_complex == grad_is_complex)"


def maybe_reduce(node: Node, index: int, d: Any, shape: tuple[int, ...], dtype: Any, create_graph: bool) -> Any:
    """A gradient in the shape and dtype of its tensor: what was broadcast is summed, anything else is refused.

    Of complex numbers the real part is taken before they are summed.
    """
    a = d._array if create_graph else d
    repeated = a.shape != shape
    if repeated and _expanded_dims(a.shape, shape) is None:
        raise errors.invalid_gradient(node.name(), index, a.shape, shape)
    if a.dtype.kind == "c" and dtype is not None and dtype.kind in dtypes.FLOATING:
        if node.op is not None and not node.op.handle_r_to_c:
            raise errors.unworded_check(_OF_ONE_KIND)
        if repeated:
            d = (GRAPH if create_graph else NUMPY)["as_type"](d, a.real.dtype)
    if repeated:
        d = GRAPH["sum_to_size"](d, shape) if create_graph else sum_to_array(d, shape)
        a = d._array if create_graph else d
    if a.dtype is not dtype and a.dtype != dtype:
        d = (GRAPH if create_graph else NUMPY)["as_type"](d, dtype)
    return d


@lru_cache(maxsize=1024)
def _expanded_dims(target: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """The dimensions of `target` along which broadcasting repeats a tensor of `shape`; None when it does not fit."""
    extra = len(target) - len(shape)
    if extra < 0 or any(s not in (1, t) for s, t in zip(shape, target[extra:], strict=True)):
        return None
    return (*range(extra), *(i + extra for i, s in enumerate(shape) if s == 1 and target[i + extra] != 1))


_LARGE, _FEW = 1 << 12, 1 << 10
"""From so many elements on, sums of so few rows are left to BLAS, which adds them several times as fast. The gradient
of a bias is mostly such a sum, and what arrives there has gone through products of matrices: no bit is PyTorch's."""


def sum_to_array(d: Any, shape: tuple[int, ...]) -> Any:
    """Sum a numpy gradient over what broadcasting added, to `shape`."""
    if d.shape == shape:
        return d
    axes = _expanded_dims(d.shape, tuple(shape))
    if d.size >= _LARGE and axes == (0,) and len(d) <= _FEW and d.ndim == 2 and d.dtype.char == "f":
        summed = column_sums(d)
    else:
        summed = total(d, axes) if axes else d
        if axes and type(summed) is np.ndarray and not summed.flags.c_contiguous:
            summed = np.ascontiguousarray(summed)
    return summed if summed.shape == shape else np.reshape(summed, shape)
