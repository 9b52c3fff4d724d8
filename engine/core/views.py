"""A tensor's place in the graph: where its gradient goes, and views, whose place moves when their memory is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from engine import errors
from engine.core.node import LEAF_SEQUENCE, AccumulateGrad, Node, VersionCounter, modified, saved_version
from engine.core.registry import GRAPH, NODES
from engine.core.state import sequence, state
from engine.types.coo import Coo
from engine.types.shapes import address

if TYPE_CHECKING:
    from engine.core.tensor import Tensor

new, ndarray = object.__new__, np.ndarray


class DifferentiableViewMeta:
    """A view's relation to the tensor whose memory it shares.

    `base` is never itself a view. `attr_version` is the counter when `_grad_fn` was last right: a later write through
    any alias makes it stale. `creation_meta`: default, no_grad, multiple (of unbind, split …), function, inference.
    `borrowed`: it requires grad only because its base does, so its own gradient goes nowhere. `steps`: what leads to a
    view of other elements than its base's, the parts of complex numbers or the numbers made of parts: names of rows,
    and before each the geometry that its input had, if it was not the base or what the step before gave. `seen`: the
    geometry that these steps led to before the tensor was made to see its memory in another way (`transpose_`), which
    PyTorch does not add to them.
    """

    __slots__ = ("attr_version", "base", "borrowed", "creation_meta", "seen", "steps")
    base: Tensor
    creation_meta: str
    attr_version: int
    borrowed: bool
    steps: tuple[Any, ...]
    seen: Any


def grad_accumulator(t: Tensor) -> AccumulateGrad | None:
    """The AccumulateGrad of a leaf, made when it is first needed; None where only the base of a view requires grad."""
    if t._grad_accumulator is None:
        if t._view is not None and t._view.borrowed:
            return None
        t._grad_accumulator = node = new(AccumulateGrad)
        node.variable, node.sequence_nr = t, LEAF_SEQUENCE
        node.shape, node.dtype = t._array.shape, t._array.dtype
        node.input_nrs = node.outputs = node.versions = node.hooks = None
        node.next_edges = node.saved = node.args = ()
    return t._grad_accumulator


def gradient_edge(t: Tensor) -> tuple[Node | None, int]:
    """(node, output number) that this tensor's gradient goes to; (None, 0) when it wants none."""
    if t._view is not None:
        regenerate_grad_fn(t, always=True)
    if not t._requires_grad:
        return None, 0
    return (t._grad_fn or grad_accumulator(t)), t._output_nr


def share(t: Tensor) -> Any:
    """The tensor's memory as an array that aliases may write to, with a version counter."""
    a = t._array
    if type(a) is not ndarray:
        a = in_memory(t)
    if t._version_counter is None:
        t._version_counter = counter = new(VersionCounter)
        counter.n = 0
    return a


def in_memory(t: Tensor) -> Any:
    """The number of a 0-d tensor as an array that aliases may write to; its node keeps no other."""
    value = t._array
    if type(value) is Coo:  # which nothing writes to
        return value
    a = t._array = np.asarray(value)
    if t._grad_fn is not None and t._grad_fn.saved:
        kept = [(a, *s[1:]) if type(s) is tuple and s and s[0] is value else s for s in t._grad_fn.saved]
        t._grad_fn.saved = tuple(kept)
    return a


def as_view(out: Tensor, source: Tensor, multiple: bool) -> None:
    """Make `out`, whose array shares memory with `source`, a view of it."""
    out._version_counter = source._version_counter
    out._view = made = new(DifferentiableViewMeta)
    made.attr_version = source._version_counter.n  # type: ignore[union-attr]  # the source has been shared
    made.borrowed = False
    made.seen = None
    view = source._view
    if view is None:
        made.base, made.creation_meta, made.steps = source, "default", ()
    else:
        made.base, made.creation_meta, made.steps = view.base, view.creation_meta, view.steps
    if out._array.dtype is not source._array.dtype:
        made.steps = _reinterpreted(out, source)
    if state._inference or not state.grad:
        made.creation_meta = "inference" if state._inference else "no_grad"
        if made.base._requires_grad:
            out._requires_grad = made.borrowed = True
    elif multiple:
        made.creation_meta = "multiple"


def attach_alias(out: Tensor, source: Tensor) -> None:
    """Make `out` share the version counter of `source`, whose memory it sees as numbers without a gradient."""
    out._version_counter = source._version_counter
    out._cut = (source, "not_differentiable")


def _reinterpreted(out: Tensor, source: Tensor) -> tuple[Any, ...]:
    """`DifferentiableViewMeta.steps` of complex numbers seen as pairs, or of pairs seen as complex numbers."""
    name = "view_as_real" if source._array.dtype.kind == "c" else "view_as_complex"
    view = source._view
    if view is None:
        return (name,)
    here = geometry(source._array)
    return (*view.steps, name) if geometry(replay(view.base, view.steps)._array) == here else (*view.steps, here, name)


def replay(base: Tensor, steps: Sequence[Any], before: int = 0) -> Tensor:
    """The view of `base` that `steps` lead to, where `before` bytes of the memory they speak of are left out."""
    for step in steps:
        if isinstance(step, str):
            base = GRAPH[step](base)
        else:
            shape, strides, offset = step
            offset -= before // base._array.itemsize
            base = GRAPH["as_strided"](base, shape, strides, offset, geometry(base._array)[2])
    return base


def regenerate_grad_fn(t: Tensor, always: bool = False) -> None:
    """Bring a view's `_grad_fn` up to date after a write to its base or to another view of it.

    As in PyTorch, the new grad_fn is AsStridedBackward0 on whatever now produces the base, and it is made when someone
    asks for it: ops do so only when they record, unless `always`.
    """
    view, counter = t._view, t._version_counter
    if view is None or counter is None or view.attr_version == counter.n or not (state.grad or always):
        return
    base = view.base
    if t._grad_fn is None and not base._requires_grad:
        return
    if view.creation_meta != "default":
        name = None if t._grad_fn is None else t._grad_fn.name()
        raise errors.view_modified(view.creation_meta, name, t._output_nr, indirect=True)
    old, number = t._grad_fn, t._output_nr
    t._grad_fn = _through_steps(t, view) if view.steps else as_strided_node(t, base)
    t._output_nr = 0
    t._requires_grad = True
    view.attr_version = counter.n
    if t._retains:
        move_retain(t, old, number)


def _through_steps(t: Tensor, view: DifferentiableViewMeta) -> Node | None:
    watched, grad, state.watched, state.grad = state.watched, state.grad, False, True  # not a step of the program
    try:
        source = replay(view.base, view.steps)
    finally:
        state.watched, state.grad = watched, grad
    seen = view.seen or geometry(t._array)
    return source._grad_fn if geometry(source._array) == seen else as_strided_node(t, source, seen)


def move_retain(t: Tensor, old: Node | None, number: int) -> None:
    """`retain_grad` follows the tensor to its new grad_fn."""
    if old is not None and old.hooks is not None and t._grad_fn is not None:
        old.hooks.retains_grad.pop(number, None)
        t._grad_fn.ensure_hooks().retains_grad[t._output_nr] = t


def geometry(array: Any) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """(shape, strides in elements, offset in elements from the start of the memory it lives in)."""
    item = array.itemsize
    root = array
    while isinstance(root.base, np.ndarray):
        root = root.base
    # Asking for an address takes longer than all the rest.
    offset = 0 if root is array else (address(array) - address(root)) // item
    return array.shape, tuple([s // item for s in array.strides]), offset


def as_strided_node(t: Tensor, base: Tensor, seen: Any = None) -> Node:
    cls = NODES["AsStridedBackward0"]
    node: Node = cls()
    node.sequence_nr = sequence.next()
    edge, nr = gradient_edge(base)
    node.next_edges = (edge,)
    if nr:
        node.input_nrs = (nr,)
    shape, strides, offset = seen or geometry(t._array)
    node.shape, node.dtype = shape, t._array.dtype
    op = cls.op  # type: ignore[attr-defined]
    base_shape, base_strides, base_offset = geometry(base._array)
    values = {
        "size": shape,
        "stride": strides,
        "storage_offset": offset,
        "self__shape": base_shape,
        "self__strides": base._array.strides,
        "self__dtype": base._array.dtype,
        "self__ndim": base._array.ndim,
        "origin": base_offset,
    }
    node.args = tuple(values[name] for name in op.saved_values + op.saved_attributes)
    return node


def check_version(node: Node, index: int, saved: Tensor) -> None:
    """Raise PyTorch's in-place error when a saved tensor was written to since it was saved."""
    expected = saved_version(node, index)
    counter = saved._version_counter
    if counter is not None and counter.n != expected:
        modified_tensor(saved, expected, node)


def modified_tensor(saved: Tensor, expected: int, saver: Node) -> NoReturn:
    """The same for a tensor that is at hand: a view has become AsStrided of its base by the write."""
    assert saved._version_counter is not None
    if saved._view is not None:
        regenerate_grad_fn(saved, always=True)
    modified(saved._array, saved._grad_fn, saved._output_nr, saved._version_counter, expected, saver)
