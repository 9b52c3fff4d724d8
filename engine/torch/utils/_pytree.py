"""`torch.utils._pytree`: nested tuples, lists and dicts taken apart and put together. Private, and used by many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.torch.trees import Spec, flatten, unflatten

__all__ = ["tree_flatten", "tree_leaves", "tree_map", "tree_unflatten"]


def tree_flatten(tree: Any) -> tuple[list[Any], Spec]:
    """(leaves, structure)."""
    return flatten(tree)


def tree_leaves(tree: Any) -> list[Any]:
    """The leaves in order."""
    return flatten(tree)[0]


def tree_unflatten(leaves: Sequence[Any], treespec: Spec) -> Any:
    """The value with this structure and these leaves."""
    return unflatten(list(leaves), treespec)


def tree_map(func: Callable[..., Any], tree: Any, *rests: Any) -> Any:
    """The value with `func` of every leaf, and of the leaves of `rests` in the same places."""
    leaves, spec = flatten(tree)
    others = [flatten(rest)[0] for rest in rests]
    return unflatten([func(*parts) for parts in zip(leaves, *others, strict=True)], spec)
