"""The end of every path: what arrives at a leaf is added to its `.grad`, or becomes it."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from engine import errors
from engine.core.node import AccumulateGrad
from engine.core.registry import GRAPH
from engine.core.state import state
from engine.core.tensor import Tensor, announce_write, bump_version, constant
from engine.costs import USUAL, work
from engine.limits import meter
from engine.types.coo import Coo
from engine.types.shapes import is_dense

new, ndarray = object.__new__, np.ndarray


def accumulate(node: AccumulateGrad, g: Any, create_graph: bool) -> None:
    """Add `g` to the leaf's `.grad`; the first gradient is taken over when nothing else holds it.

    A leaf that no longer requires grad takes none.
    """
    variable = node.variable
    if g is None or not variable._requires_grad:
        return
    if variable._grad_fn is not None:
        raise errors.leaf_moved()
    grad = variable._grad
    observer = state.observer
    if type(variable._array) is ndarray and variable._array.size > 1024:
        work(USUAL, variable._array)
    if create_graph:
        before = None if grad is None else grad._array
        incoming = g._array
        variable._grad = _clone_obey_contract(g, variable._array) if grad is None else grad + g
    elif grad is None:
        before, incoming = None, g
        variable._grad = constant(_steal_or_clone(g, variable._array))
    elif type(g) is Coo or type(grad._array) is Coo:
        before, incoming = grad._array, g
        if type(before) is ndarray:
            before = before.copy()
        _accumulate_sparse(grad, g)
    else:
        before, incoming = grad._array, g
        a = grad._array
        if observer is not None:
            observer.before_write(a)
        if type(a) is ndarray:
            if observer is not None and observer.edges:
                before = a.copy()
            try:
                np.add(a, g, out=a)
            except ValueError:
                raise errors.copy_shape(a.shape, g.shape) from None
        else:
            grad._array = a + g
        bump_version(grad)
    if observer is not None:
        assert variable._grad is not None
        observer.accumulate(node, variable, before, incoming, variable._grad._array)
    if variable._post_hooks:
        hooks = variable._post_hooks
        for number, hook in list(hooks.items()):
            result = hook(variable)
            if observer is not None:
                observer.hook("post_accumulate", variable, (), (), hooks.place(number))
            if result is not None and result is not variable:
                if isinstance(result, Tensor):
                    raise errors.post_accumulate_hook_returned()
                raise errors.hook_returned_non_tensor(result)


def _accumulate_sparse(grad: Tensor, g: Any) -> None:
    """Add to a gradient where one of the two is sparse: the sum with a dense one is dense."""
    a = grad._array
    total = g + a if type(a) is Coo and type(g) is not Coo else a + g
    if type(a) is not ndarray:
        grad._array = total
    else:
        announce_write(grad)
        a[...] = total
    bump_version(grad)


def _steal_or_clone(g: Any, like: Any) -> Any:
    """A gradient array that nothing else will write to or see written: `g` itself when we hold the only reference."""
    if type(g) is not ndarray:
        return Coo(g.indices, np.ascontiguousarray(g.values), g.shape) if type(g) is Coo else g
    if type(like) is Coo:
        meter.allocate(g.size, g.itemsize)
        return np.array(g, order="C")
    # A transposed view counts as its own memory when nothing but the view holds that memory.
    owner = g.base
    alone = sys.getrefcount(g) <= _EXPECTED_REFS and (owner is None or sys.getrefcount(owner) <= _EXPECTED_BASE_REFS)
    if alone and g.strides == like.strides and (owner is None or owner.size == g.size) and not _shown():
        return g
    if not like.flags.c_contiguous and not is_dense(like):  # an expanded leaf has no layout to follow
        return np.array(g, order="C")
    copy = np.empty_like(like, dtype=g.dtype)
    copy[...] = g
    return copy


def _shown() -> bool:
    """Whether somebody keeps what travels along the edges."""
    return state.observer is not None and state.observer.edges


def _expected_refs() -> tuple[int, int]:
    """Number of references `_steal_or_clone` finds to a gradient that nothing else holds, and to the memory it views.

    They are those of its callers' variables, of which Pythons count some or none: one gradient is handed in to see.
    """
    global _steal_or_clone
    found: list[tuple[int, int]] = []

    def count(g: Any, like: Any) -> Any:
        owner = g.base
        found.append((sys.getrefcount(g), sys.getrefcount(owner)))
        return g

    node = new(AccumulateGrad)
    node.variable = constant(np.zeros((1, 2)))
    node.variable._requires_grad = True
    real, _steal_or_clone = _steal_or_clone, count
    try:
        g = np.zeros((2, 1)).T
        accumulate(node, g, False)
    finally:
        _steal_or_clone = real
    return found[0]


_EXPECTED_REFS, _EXPECTED_BASE_REFS = _expected_refs()


def _clone_obey_contract(g: Tensor, like: Any) -> Tensor:
    """The same for a gradient with a history: PyTorch copies it into a tensor laid out as the leaf."""
    if type(g._array) is Coo or type(like) is Coo:
        return g
    if g._grad_fn is None and not g._requires_grad:
        if type(g._array) is not ndarray:
            return constant(g._array)
        if like.shape != g._array.shape or not is_dense(like):
            return constant(np.array(g._array, order="C"))
        copy = np.empty_like(like, dtype=g._array.dtype)
        copy[...] = g._array
        return constant(copy)
    if not is_dense(like):
        return GRAPH["clone"](g)  # type: ignore[no-any-return]
    t = constant(np.empty_like(like, dtype=g._array.dtype)[()])
    return t.copy_(g)  # type: ignore[no-any-return]
