"""Nested tuples, lists and dicts of tensors, as the transforms of `torch.func` take and return them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.core.tensor import Tensor
from engine.limits import meter


class Spec:
    """The structure of a nested value, printed as PyTorch prints it."""

    def __init__(self, kind: type | None, context: Any, children: Sequence[Spec]) -> None:
        self.kind: Any = kind
        self.context, self.children = context, tuple(children)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spec) and (self.kind, self.context, self.children) == (
            other.kind, other.context, other.children,
        )

    def __hash__(self) -> int:
        return hash(len(self.children))

    def __repr__(self) -> str:
        return self.text()

    def text(self, indent: int = 0) -> str:
        """Children after the first stand on lines of their own."""
        if self.kind is None:
            return "*"
        meter.charge(1 + len(self.children))
        indent += 2
        parts = [child.text(indent) for child in self.children]
        return f"TreeSpec({self.kind.__name__}, {self.context}, [{(',' + chr(10) + ' ' * indent).join(parts)}])"

    def short(self) -> str:
        """`(*, [*, *])`: brackets, and a star for each leaf."""
        if self.kind is None:
            return "*"
        meter.charge(1 + len(self.children))
        parts = [child.short() for child in self.children]
        if issubclass(self.kind, dict):
            return "{" + ", ".join(f"{key!r}: {part}" for key, part in zip(self.context, parts, strict=True)) + "}"
        ends = "[]" if issubclass(self.kind, list) else "()"
        return ends[0] + ", ".join(parts) + ("," if ends == "()" and len(parts) == 1 else "") + ends[1]

    def build(self, leaves: Any) -> Any:
        """The value with this structure and these leaves (an iterator)."""
        if self.kind is None:
            return next(leaves)
        meter.charge(1 + (len(self.children) >> 2))
        items = [child.build(leaves) for child in self.children]
        if issubclass(self.kind, dict):
            return dict(zip(self.context, items, strict=True))
        return self.kind._make(items) if hasattr(self.kind, "_make") else self.kind(items)


LEAF = Spec(None, None, ())


def flatten(value: Any) -> tuple[list[Any], Spec]:
    """The leaves of a nested value, anything but tuples, lists and dicts, and its structure."""
    if isinstance(value, dict):
        keys, items = list(value), list(value.values())
        context: Any = keys
    elif isinstance(value, tuple | list):
        keys, items, context = [], list(value), None
    else:
        return [value], LEAF
    meter.charge(1 + (len(items) >> 2))
    leaves: list[Any] = []
    specs = []
    for item in items:
        found, spec = flatten(item)
        leaves += found
        specs.append(spec)
    return leaves, Spec(type(value), context, specs)


def unflatten(leaves: Sequence[Any], spec: Spec) -> Any:
    """The inverse of `flatten`."""
    return spec.build(iter(leaves))


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """The value with every leaf replaced."""
    leaves, spec = flatten(value)
    return unflatten([function(leaf) for leaf in leaves], spec)


def spread(prefix: Any, spec: Spec) -> list[Any] | None:
    """One entry of `prefix` for every leaf of `spec`: an entry in place of a subtree counts for all of it.

    None when the structures do not fit.
    """
    if spec.kind is None:
        return None if isinstance(prefix, tuple | list | dict) else [prefix]
    if not isinstance(prefix, tuple | list | dict):
        return [prefix] * leaf_count(spec)
    if type(prefix) is not spec.kind or len(prefix) != len(spec.children):
        return None
    items = [prefix[key] for key in spec.context] if isinstance(prefix, dict) else list(prefix)
    found: list[Any] = []
    for item, child in zip(items, spec.children, strict=True):
        part = spread(item, child)
        if part is None:
            return None
        found += part
    return found


def leaf_count(spec: Spec) -> int:
    """How many leaves a structure has."""
    return 1 if spec.kind is None else sum(map(leaf_count, spec.children))


def tensors_of(value: Any) -> list[Tensor]:
    """The tensors among the leaves."""
    return [leaf for leaf in flatten(value)[0] if isinstance(leaf, Tensor)]
