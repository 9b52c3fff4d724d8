"""`squeeze_`, `unsqueeze_`, `t_`, `transpose_`, `as_strided_`: they change how a tensor sees its memory."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.autograd.inplace import check_inplace
from engine.codegen.op import Op, watch
from engine.codegen.publish import TORCH, public
from engine.core.node import Node
from engine.core.registry import NODES, OPS
from engine.core.state import sequence, state
from engine.core.tensor import Tensor, announce_write, bump_version, report_write
from engine.core.views import geometry, grad_accumulator, regenerate_grad_fn, share
from engine.types.shapes import dims, integer, sizes


def _node_class(row: Op, name: str) -> Any:
    found = NODES.get(name)
    if found is None:
        assert row.node_class is not None
        found = NODES[name] = type(row.node_class)(name, (row.node_class,), {"__module__": "builtins"})
    return found


def _reseen(x: Tensor, identifier: str, node_name: str, *args: Any) -> Tensor:
    """Apply a view to the tensor itself; the node takes its place in the graph."""
    row = OPS[identifier]
    live = state.grad and x._batch is None and x.requires_grad
    check_inplace(x, live)
    if x._view is not None:
        regenerate_grad_fn(x)
        if x._view.steps and x._view.seen is None:
            x._view.seen = geometry(x._array)
    before = share(x)
    after = row.kernel(before, *args)
    node: Node | None = None
    if live:
        node = _node_class(row, node_name)()
        node.sequence_nr = sequence.next()
        node.next_edges = (x._grad_fn or grad_accumulator(x) if x._requires_grad else None,)
        if x._output_nr:
            node.input_nrs = (x._output_nr,)
        bound = row.bind((x, *args), {})
        kept = [bound[name] for name in row.saved_values]
        kept += [getattr(before, name.rpartition("__")[2]) for name in row.saved_attributes]
        node.args = tuple(kept)
        node.shape, node.dtype = after.shape, after.dtype
    if x._batch is None:
        announce_write(x)
    x._array = after
    bump_version(x)
    if x._view is not None and x._version_counter is not None:
        x._view.attr_version = x._version_counter.n
    if node is not None:
        x._grad_fn, x._output_nr = node, 0
    if state.watched:
        watch(row, (x, *args), x, node)
        if x._batch is None:
            report_write(x)
    return x


@public("method")
def squeeze_(self: Tensor, dim: Any = None) -> Tensor:
    """In-place `squeeze`."""
    if dim is None:
        return _reseen(self, "squeeze", "SqueezeBackward3")
    if isinstance(dim, tuple | list):
        return _reseen(self, "squeeze_dims", "SqueezeBackward5", dims(dim))
    return _reseen(self, "squeeze_dim", "SqueezeBackward4", integer(dim))


@public("method")
def unsqueeze_(self: Tensor, dim: int) -> Tensor:
    """In-place `unsqueeze`."""
    return _reseen(self, "unsqueeze", "UnsqueezeBackward1", dim)


@public("method")
def t_(self: Tensor) -> Tensor:
    """In-place `t`."""
    if self._array.ndim > 2:
        raise errors.t_dimensions(self._array.ndim, "t_")
    return _reseen(self, "t", "TBackward1")


@public("method", "transpose_", "swapaxes_", "swapdims_")
def transpose_(self: Tensor, dim0: int, dim1: int) -> Tensor:
    """In-place `transpose`."""
    return _reseen(self, "transpose", "TransposeBackward1", dim0, dim1)


@public("method")
def as_strided_(self: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """In-place `as_strided`."""
    for place, (name, value) in enumerate((("size", size), ("stride", stride)), 1):
        if not isinstance(value, tuple | list):
            raise errors.argument_type("as_strided_", name, place, "tuple of ints", value)
    arguments = sizes((size,)), sizes((stride,)), storage_offset, geometry(share(self))[2]
    return _reseen(self, "as_strided", "AsStridedBackward1", *arguments)


TORCH["squeeze_"], TORCH["unsqueeze_"], TORCH["as_strided_"] = squeeze_, unsqueeze_, as_strided_
