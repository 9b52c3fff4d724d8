"""Calls of hooks during a pass, as `call_tensor_pre_hooks`, `call_pre_hooks` and `call_post_hooks` of engine.cpp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.core.hooks import HookDict
from engine.core.node import AccumulateGrad, Node
from engine.core.registry import GRAPH
from engine.core.state import state
from engine.core.tensor import Tensor, constant
from engine.types.coo import Coo


def raw(value: Any) -> Any:
    """The numpy value of a gradient, whether the pass is recorded or not."""
    return value._array if isinstance(value, Tensor) else value


def _as_tensor(value: Any) -> Any:
    if value is None or isinstance(value, Tensor):
        return value
    return constant(value)


def _checked(result: Any, before: Tensor | None, hook: Any) -> Any:
    """Check what a hook returned in place of a gradient. TypeError or RuntimeError when it cannot stand in for it."""
    if before is None:
        raise errors.hook_replaced_none()
    if not isinstance(result, Tensor):
        raise errors.hook_returned_non_tensor(result)
    name = getattr(hook, "__name__", "<unknown>")
    was, got = _type_of(before), _type_of(result)
    if was != got:
        raise errors.hook_changed_type(name, was, got)
    if result._array.shape != before._array.shape:
        raise errors.hook_changed_size(name)
    return result


def _type_of(t: Tensor) -> str:
    """The type of a tensor as C++ calls it."""
    return t.dtype.cpp_type.replace("torch.", "torch.sparse.") if type(t._array) is Coo else t.dtype.cpp_type


def _call_hooks(hooks: HookDict, target: Any, value: Any, create_graph: bool) -> Any:
    """Pass a gradient through the hooks of one tensor; `target` is the leaf, or (node, output number)."""
    observer = state.observer
    tensor = _as_tensor(value)
    for number, hook in list(hooks.items()):
        result = hook(tensor)
        before = tensor
        if observer is not None:
            left = result if isinstance(result, Tensor) else before
            observer.hook("tensor", target, (raw(before),), (raw(left),), hooks.place(number))
        if result is not None:
            tensor = _checked(result, before, hook)
    return tensor if create_graph else raw(tensor)


def call_tensor_pre_hooks(node: Node, g: Any, create_graph: bool) -> Any:
    """Hooks of the tensors this node made, or of its leaf, then `retain_grad`."""
    if isinstance(node, AccumulateGrad):
        return _call_hooks(node.variable._hooks, node.variable, g, create_graph) if node.variable._hooks else g
    assert node.hooks is not None
    many = node.outputs is not None
    slots = list(g) if many else [g]
    for number, hooks in node.hooks.tensor_pre.items():
        slots[number] = _call_hooks(hooks, (node, number), slots[number], create_graph)
    for number, tensor in node.hooks.retains_grad.items():
        value = slots[number]
        if value is None:
            continue
        before = tensor._grad
        if create_graph:
            tensor._grad = GRAPH["clone"](value) if before is None else before + value
        else:
            kept = _as_tensor(np.array(value, copy=True)[()] if type(value) is np.ndarray else value)
            tensor._grad = kept if before is None else _as_tensor(before._array + value)
        if state.observer is not None:
            state.observer.grad_changed(tensor, before, tensor._grad, "retain_grad")
    return slots if many else slots[0]


def call_pre_hooks(node: Node, g: Any, create_graph: bool) -> Any:
    assert node.hooks is not None
    many = node.outputs is not None
    grads = tuple(map(_as_tensor, g)) if many else (_as_tensor(g),)
    hooks = node.hooks.pre
    for number, hook in list(hooks.items()):
        result = hook(grads)
        if state.observer is not None:
            state.observer.hook("node_pre", node, _raw_all(grads), _left(result, grads), hooks.place(number))
        grads = _replace(result, grads, hook, create_graph)
    values = grads if create_graph else tuple(map(raw, grads))
    return list(values) if many else values[0]


def call_post_hooks(node: Node, grads: Sequence[Any], g: Any, create_graph: bool) -> Sequence[Any]:
    assert node.hooks is not None
    outputs = tuple(map(_as_tensor, grads))
    inputs = tuple(map(_as_tensor, g)) if node.outputs is not None else (_as_tensor(g),)
    hooks = node.hooks.post
    for number, hook in list(hooks.items()):
        result = hook(outputs, inputs)
        if state.observer is not None and not hooks.is_own(number):
            state.observer.hook("node", node, _raw_all(outputs), _left(result, outputs), hooks.place(number))
        outputs = _replace(result, outputs, hook, create_graph)
    return outputs if create_graph else tuple(map(raw, outputs))


def _raw_all(values: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(map(raw, values))


def _left(result: Any, before: tuple[Any, ...]) -> tuple[Any, ...]:
    """The result of a node hook as the observer is told it, valid or not."""
    values = before if result is None else result if isinstance(result, tuple) else (result,)
    return tuple(value._array if isinstance(value, Tensor) else None for value in values)


def _replace(result: Any, before: tuple[Any, ...], hook: Any, create_graph: bool) -> tuple[Any, ...]:
    """The tuple a node hook returned, checked against what it replaces; None keeps it."""
    if result is None:
        return before
    if not isinstance(result, tuple):
        raise errors.hook_returned_non_tuple(result)
    values = result
    if len(values) != len(before):
        raise errors.hook_wrong_count(getattr(hook, "__name__", "<unknown>"), len(values), len(before))
    return tuple(
        old if value is None and old is None else None if value is None else _checked(value, old, hook)
        for value, old in zip(values, before, strict=True)
    )
