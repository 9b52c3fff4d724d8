"""Reductions of consecutive segments of a tensor: `torch.segment_reduce`."""

from __future__ import annotations

from engine.codegen.op import op

op(
    "segment_reduce(data, reduce, lengths: Tensor = None, offsets: Tensor = None, axis=0, unsafe=False, initial=None)",
    "SegmentReduceBackward0", "segment_reduce_kernel(data, reduce, lengths, offsets, axis, unsafe, initial)",
    data="_segment_reduce_backward(g, result, data, reduce, lengths, offsets, axis, initial)", inplace=False,
    says="each element gets what its segment's reduction would give it", backward_cost=2, opmath="bfloat16",
)
op(
    "_segment_reduce_backward(grad, output, data, reduce, lengths: Tensor = None, offsets: Tensor = None, axis=0, "
    "initial=None)", "NotImplemented",
    "segment_reduce_backward_kernel(grad, output, data, reduce, lengths, offsets, axis, initial)", inplace=False,
    grad="underivable('_segment_reduce_backward')", output="underivable('_segment_reduce_backward')",
    data="underivable('_segment_reduce_backward')", says="PyTorch has no gradient for it", opmath="bfloat16",
)
