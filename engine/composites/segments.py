"""`torch.segment_reduce`."""

from __future__ import annotations

from engine import errors
from engine.codegen.publish import public
from engine.composites.losses import check_weight
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.kernels.segments import EMPTY
from engine.types.shapes import wrap_dim


@public("torch")
def segment_reduce(
    data: Tensor,
    reduce: str,
    *,
    lengths: Tensor | None = None,
    indices: Tensor | None = None,
    offsets: Tensor | None = None,
    axis: int = 0,
    unsafe: bool = False,
    initial: float | None = None,
) -> Tensor:
    """Segments of `data` along `axis`, given by their lengths or their bounds, each reduced to one element.

    `reduce` is sum, mean, prod, max or min; `initial` takes part in every segment.
    """
    check_weight("segment_reduce", lengths=lengths, indices=indices, offsets=offsets)
    wrap_dim(axis, data.ndim)
    if indices is not None:
        raise errors.segments_indices()
    kind = {"amax": "max", "amin": "min"}.get(reduce, reduce)
    if kind not in EMPTY:
        raise errors.reduce_modes(reduce)
    return ops.segment_reduce(data, kind, lengths, offsets, axis, unsafe, initial)
