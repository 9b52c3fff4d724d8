"""A convolution over time of (time, batch, channels): a matrix product for each step of the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.codegen.op import op, rule
from engine.core.registry import ops
from engine.core.tensor import Tensor, constant
from engine.kernels.conv_tbc import steps
from engine.limits import meter


def _rows(x: Any, start: int, count: int) -> Any:
    """`count` times of all batches, one below the other, as a view."""
    part = ops.slice(x, 0, start, start + count)
    shape = (count * x.shape[1], x.shape[2])
    return ops.view(part, shape) if isinstance(x, Tensor) else part.reshape(shape)


@rule
def conv_tbc_backward(g: Any, x: Any, weight: Any, bias: Any, pad: int) -> tuple[Any, Any, Any]:
    """The products with the transposed factors, each added to its part; recorded, in place as in PyTorch."""
    arrays = [t._array if isinstance(t, Tensor) else t for t in (x, weight)]
    on_x, on_weight = (np.zeros_like(array) for array in arrays)
    if isinstance(x, Tensor):
        on_x, on_weight = constant(on_x), constant(on_weight)
    g = ops.clone(g) if isinstance(g, Tensor) else np.ascontiguousarray(g)
    for step, start, place, count in steps(x.shape[0], weight.shape[0], pad):
        rows, columns = _rows(g, place, count), _rows(x, start, count)
        if isinstance(x, Tensor):
            _rows(on_x, start, count).addmm_(rows, weight[step].t())
            on_weight[step].addmm_(columns.t(), rows)
        else:
            meter.product(len(rows), weight.shape[1], weight.shape[2], g.dtype, 2)
            on_x[start : start + count] += (rows @ weight[step].T).reshape(count, *x.shape[1:])
            on_weight[step] += columns.T @ rows
    return on_x, on_weight, ops.sum_dim(ops.sum_dim(g, (0,), False), (0,), False)


op("conv_tbc(self, weight, bias, pad=0)", "ConvTbcBackward0", "conv_tbc_kernel(self, weight, bias, pad)", inplace=False,
   together=("self weight bias", "conv_tbc_backward(g, self, weight, bias, pad)"),
   says="each step of the kernel is a matrix product: its gradients are products with the other factor transposed",
   autocast="lower_precision_fp", opmath="bfloat16")
