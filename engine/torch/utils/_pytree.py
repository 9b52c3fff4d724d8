"""`torch.utils._pytree`: nested tuples, lists and dicts taken apart and put together. Private, and used by many."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine import errors
from engine.torch.trees import (
    KINDS,
    LEAF,
    REGISTERED,
    GetAttrKey,
    IsLeaf,
    MappingKey,
    NodeKind,
    SequenceKey,
    TreeSpec,
    flatten,
    flatten_with_path,
    node_type,
)

__all__ = [
    "GetAttrKey", "MappingKey", "SequenceKey", "TreeSpec", "arg_tree_leaves", "key_get", "keystr", "map_only",
    "register_pytree_node", "tree_all", "tree_all_only", "tree_any", "tree_any_only", "tree_flatten",
    "tree_flatten_with_path", "tree_is_leaf", "tree_iter", "tree_leaves", "tree_leaves_with_path", "tree_map",
    "tree_map_", "tree_map_only", "tree_map_only_", "tree_map_with_path", "tree_structure", "tree_unflatten",
    "treespec_leaf",
]  # fmt: skip


def register_pytree_node(
    cls: Any,
    flatten_fn: Callable[[Any], Any],
    unflatten_fn: Callable[[Any, Any], Any],
    *,
    serialized_type_name: str | None = None,
    to_dumpable_context: Any = None,
    from_dumpable_context: Any = None,
    flatten_with_keys_fn: Callable[[Any], Any] | None = None,
) -> None:
    """Take values of a class apart: `flatten_fn` gives (children, context), of which `unflatten_fn` makes a value."""
    if not isinstance(cls, type):
        raise TypeError("a node of trees is a class")
    if cls in KINDS or cls in REGISTERED:
        raise errors.tree_registered(cls)
    keys = None if flatten_with_keys_fn is None else lambda value: flatten_with_keys_fn(value)[0]
    REGISTERED[cls] = NodeKind(lambda value: tuple(flatten_fn(value)), unflatten_fn, keys)


def tree_flatten(tree: Any, is_leaf: IsLeaf = None) -> tuple[list[Any], TreeSpec]:
    """(leaves, structure)."""
    return flatten(tree, is_leaf)


def tree_leaves(tree: Any, is_leaf: IsLeaf = None) -> list[Any]:
    """The leaves in order."""
    return flatten(tree, is_leaf)[0]


def tree_iter(tree: Any, is_leaf: IsLeaf = None) -> Iterable[Any]:
    """The leaves one after another."""
    return iter(tree_leaves(tree, is_leaf))


def arg_tree_leaves(*args: Any, **kwargs: Any) -> list[Any]:
    """The leaves of all arguments."""
    return flatten(list(args))[0] + flatten(list(kwargs.values()))[0]


def tree_structure(tree: Any, is_leaf: IsLeaf = None) -> TreeSpec:
    """The structure alone."""
    return flatten(tree, is_leaf)[1]


def tree_is_leaf(tree: Any, is_leaf: IsLeaf = None) -> bool:
    """Whether a value is no node."""
    return bool(is_leaf is not None and is_leaf(tree)) or node_type(tree) is None


def treespec_leaf() -> TreeSpec:
    """The structure of a leaf."""
    return LEAF


def tree_unflatten(leaves: Iterable[Any], treespec: TreeSpec) -> Any:
    """The value with this structure and these leaves, which may come in the other order."""
    if not isinstance(treespec, TreeSpec):
        if not isinstance(leaves, TreeSpec):
            raise errors.tree_spec(treespec)
        leaves, treespec = treespec, leaves
    return treespec.unflatten(leaves)


def tree_map(func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: IsLeaf = None) -> Any:
    """The value with `func` of every leaf, and of what `rests` have in the same places."""
    leaves, spec = flatten(tree, is_leaf)
    others = [spec.flatten_up_to(rest) for rest in rests]
    return spec.unflatten([func(*parts) for parts in zip(leaves, *others, strict=True)])


def tree_map_(func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: IsLeaf = None) -> Any:
    """Call `func` with every leaf; gives the tree itself."""
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def _predicate(asked: Any) -> Callable[[Any], Any]:
    if isinstance(asked, type | tuple):
        return lambda value: isinstance(value, asked)
    if not callable(asked):
        raise TypeError("Argument must be a type, a tuple of types, or a callable.")
    return asked  # type: ignore[no-any-return]


def map_only(type_or_types_or_pred: Any, /) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """A decorator: the function leaves alone what is of another type, or what a predicate does not hold for."""
    chosen = _predicate(type_or_types_or_pred)

    def wrapper(func: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda value: func(value) if chosen(value) else value

    return wrapper


def tree_map_only(type_or_types_or_pred: Any, /, func: Any, tree: Any, is_leaf: IsLeaf = None) -> Any:
    """`tree_map` of the leaves of a type, of several, or for which a predicate holds."""
    leaves, spec = flatten(tree, is_leaf)
    changed = map_only(type_or_types_or_pred)(func)
    return spec.unflatten([changed(leaf) for leaf in leaves])


def tree_map_only_(type_or_types_or_pred: Any, /, func: Any, tree: Any, is_leaf: IsLeaf = None) -> Any:
    """Call `func` with those leaves; gives the tree itself."""
    tree_map_only(type_or_types_or_pred, func, tree, is_leaf)
    return tree


def tree_all(pred: Callable[[Any], bool], tree: Any, is_leaf: IsLeaf = None) -> bool:
    """Whether all leaves are so."""
    return all(map(pred, tree_leaves(tree, is_leaf)))


def tree_any(pred: Callable[[Any], bool], tree: Any, is_leaf: IsLeaf = None) -> bool:
    """Whether any leaf is so."""
    return any(map(pred, tree_leaves(tree, is_leaf)))


def tree_all_only(type_or_types: Any, /, pred: Any, tree: Any, is_leaf: IsLeaf = None) -> bool:
    """Whether all leaves of a type are so."""
    return all(map(pred, filter(_predicate(type_or_types), tree_leaves(tree, is_leaf))))


def tree_any_only(type_or_types: Any, /, pred: Any, tree: Any, is_leaf: IsLeaf = None) -> bool:
    """Whether any leaf of a type is so."""
    return any(map(pred, filter(_predicate(type_or_types), tree_leaves(tree, is_leaf))))


def tree_leaves_with_path(tree: Any, is_leaf: IsLeaf = None) -> list[tuple[Any, Any]]:
    """(keys that lead there, leaf) for every leaf."""
    return list(flatten_with_path(tree, is_leaf))


def tree_flatten_with_path(tree: Any, is_leaf: IsLeaf = None) -> tuple[list[tuple[Any, Any]], TreeSpec]:
    """The same, and the structure."""
    return tree_leaves_with_path(tree, is_leaf), tree_structure(tree, is_leaf)


def tree_map_with_path(func: Callable[..., Any], tree: Any, *rests: Any, is_leaf: IsLeaf = None) -> Any:
    """`tree_map` of a function that is told the way to the leaf first."""
    found, spec = tree_flatten_with_path(tree, is_leaf)
    others = [spec.flatten_up_to(rest) for rest in rests]
    return spec.unflatten([func(*at, *parts) for at, *parts in zip(found, *others, strict=True)])


def keystr(kp: Iterable[Any]) -> str:
    """The way to a leaf as Python writes it."""
    text = "".join(map(str, kp))
    return text


def key_get(obj: Any, kp: Iterable[Any]) -> Any:
    """What the keys lead to."""
    for key in kp:
        obj = key.get(obj)
    return obj
