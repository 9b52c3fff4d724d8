"""Distances between all pairs of rows."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.batching import rules
from engine.codegen.op import op, rule
from engine.core.registry import ops


@rule
def unavailable(name: str) -> None:
    """A derivative that PyTorch says it has not."""
    raise errors.derivative_missing(name)


@rule
def euclidean_backward(g: Any, x1: Any, x2: Any, distance: Any) -> Any:
    """The gradient of `x1`; that of `x2` is the same with everything transposed."""
    ratio = ops.masked_fill_Scalar(g / distance, distance == 0, 0)
    total = ops.unsqueeze(ops.sum_dim(ratio, (-1,), False), -1)
    return x1 * total - _product(ratio, x2)


@rule
def euclidean_backward_second(g: Any, x1: Any, x2: Any, distance: Any) -> Any:
    ratio = ops.masked_fill_Scalar(g / distance, distance == 0, 0)
    total = ops.unsqueeze(ops.sum_dim(ratio, (-2,), False), -1)
    return x2 * total - _product(ops.transpose(ratio, -2, -1), x1)


def _product(first: Any, second: Any) -> Any:
    return (ops.mm if first.ndim == 2 else ops.bmm)(first, second)


op(
    "_cdist_forward(x1, x2, p)", "CdistBackward0", "cdist_kernel(x1, x2, p)", inplace=False,
    x1="_cdist_backward(g, x1, x2, p, result)",
    x2="_cdist_backward(in_order(transpose(g, -2, -1)), x2, x1, p, in_order(transpose(result, -2, -1)))",
    says="each point is pushed along its differences to the others", vmap=rules.together, backward_cost=2,
    memory_format="contiguous", refuses={"biuc": "cdist only supports floating-point dtypes, X1 got: {type}"},
    opmath="bfloat16",
)
op(
    "_cdist_backward(grad, x1, x2, p, cdist)", "CdistBackwardBackward0",
    "cdist_backward_kernel(grad, x1, x2, p, cdist)", inplace=False,
    together=("grad x1 x2 cdist", "unavailable('_cdist_backward')"), memory_format="contiguous",
    formula_format="contiguous", opmath="bfloat16",
)
op(
    "_euclidean_dist(x1, x2)", "EuclideanDistBackward0", "euclidean_kernel(x1, x2)", inplace=False,
    x1="euclidean_backward(g, x1, x2, result)", x2="euclidean_backward_second(g, x1, x2, result)",
    says="each point is pushed along its differences to the others", vmap=rules.euclidean_dist, backward_cost=8,
    refuses={"biuc": "cdist only supports floating-point dtypes, X1 got: {type}"}, opmath="bfloat16",
)
op(
    "_pdist_forward(self, p=2)", "PdistBackward0", "pdist_kernel(self, p)", inplace=False,
    self="_pdist_backward(g, self, p, result)", says="each point is pushed along its differences to the others",
    backward_cost=4, opmath="bfloat16",
)
op(
    "_pdist_backward(grad, self, p, pdist)", "PdistBackwardBackward0", "pdist_backward_kernel(grad, self, p, pdist)",
    inplace=False, together=("grad self pdist", "unavailable('_pdist_backward')"), opmath="bfloat16",
)
