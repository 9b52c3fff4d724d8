"""Nested tuples, lists, dicts and their kin, as transforms of `torch.func` take and return them; and their leaves."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque, namedtuple
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import index
from typing import Any, NamedTuple

from engine import errors, settings
from engine.core.tensor import Tensor
from engine.types.return_types import NamedResult
from engine.types.sizes import Size

IsLeaf = Callable[[Any], Any] | None


class NodeKind(NamedTuple):
    """How values of a type are taken apart, to (children, context), and made from these again.

    `keys`: of a value, what leads to its children; None where nobody has said it.
    """

    flatten: Callable[[Any], tuple[Sequence[Any], Any]]
    unflatten: Callable[[Any, Any], Any]
    keys: Callable[[Any], Sequence[Any]] | None = None


class SequenceKey(NamedTuple):
    """A place in a sequence."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"

    def get(self, sequence: Any) -> Any:
        """What is there."""
        if not isinstance(sequence, list | tuple | deque):
            raise TypeError(f"'{errors.type_name(sequence)}' object is not subscriptable")
        return sequence[index(self.idx)]


class MappingKey(NamedTuple):
    """A key of a dict."""

    key: Any

    def __str__(self) -> str:
        return f"[{self.key!r}]"

    def get(self, mapping: Any) -> Any:
        """What stands under it."""
        if not isinstance(mapping, dict):
            raise TypeError(f"'{errors.type_name(mapping)}' object is not subscriptable")
        return mapping[self.key]


class GetAttrKey(NamedTuple):
    """A field of a named tuple."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"

    def get(self, obj: Any) -> Any:
        """Its value."""
        if not isinstance(obj, tuple) or self.name not in getattr(obj, "_fields", ()):
            raise errors.object_attribute(errors.type_name(obj), self.name)
        return obj[obj._fields.index(self.name)]  # type: ignore[attr-defined]


for _key in (SequenceKey, MappingKey, GetAttrKey):
    _key.__module__ = "torch.utils._pytree"


def _places(values: Sequence[Any]) -> list[SequenceKey]:
    return [SequenceKey(place) for place in range(len(values))]


def _keyed(values: dict[Any, Any]) -> list[MappingKey]:
    return [MappingKey(key) for key in values]


KINDS: dict[Any, NodeKind] = {
    tuple: NodeKind(lambda t: (t, None), lambda items, _: tuple(items), _places),
    Size: NodeKind(lambda t: (t, None), lambda items, _: tuple(items), _places),
    list: NodeKind(lambda t: (t, None), lambda items, _: list(items), _places),
    dict: NodeKind(
        lambda t: (list(t.values()), list(t)), lambda items, keys: dict(zip(keys, items, strict=True)), _keyed
    ),
    OrderedDict: NodeKind(
        lambda t: (list(t.values()), list(t)), lambda items, keys: OrderedDict(zip(keys, items, strict=True)), _keyed
    ),
    defaultdict: NodeKind(
        lambda t: (list(t.values()), [t.default_factory, list(t)]),
        lambda items, context: defaultdict(context[0], zip(context[1], items, strict=True)), _keyed,
    ),
    deque: NodeKind(lambda t: (list(t), t.maxlen), lambda items, most: deque(items, maxlen=most), _places),
    namedtuple: NodeKind(
        lambda t: (t, type(t)), lambda items, kind: kind._make(items), lambda t: list(map(GetAttrKey, t._fields))
    ),
}  # fmt: skip
"""Python's own, by type; `namedtuple` stands for all of those."""

REGISTERED: dict[Any, NodeKind] = settings.contents({})
"""What the program has registered."""


def node_type(value: Any) -> Any:
    """What a value is in a tree: its type, `namedtuple`, or None for a leaf."""
    kind = type(value)
    if kind in KINDS or kind in REGISTERED:
        return kind
    if isinstance(value, NamedResult):
        return kind
    return namedtuple if isinstance(value, tuple) and hasattr(kind, "_make") and hasattr(kind, "_asdict") else None


def _of(kind: Any) -> NodeKind:
    found = KINDS.get(kind) or REGISTERED.get(kind)
    return found or NodeKind(lambda t: (t, None), lambda items, _: kind(items), _places)  # a NamedResult


def children_of(value: Any, kind: Any) -> tuple[Sequence[Any], Any]:
    """The children of a value of this kind, and what else is needed to make it again."""
    items, context = _of(kind).flatten(value)
    return items, context


class TreeSpec:
    """The structure of a nested value, printed as PyTorch prints it."""

    __module__ = "torch.utils._pytree"

    def __init__(self, type: Any, context: Any, children_specs: Sequence[TreeSpec]) -> None:
        self.type, self.context = type, context
        self._children = tuple(children_specs)
        self.num_children = len(self._children)
        leaf = type is None
        self.num_nodes: int = 1 + sum([child.num_nodes for child in self._children])
        self.num_leaves: int = 1 if leaf else sum([child.num_leaves for child in self._children])

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, TreeSpec) or self.type != other.type:
            return False
        if self.type is None:
            return True
        return self.context == other.context and self._children == other._children

    def __hash__(self) -> int:
        return hash(self.num_leaves)

    def __repr__(self) -> str:
        return self._text()

    def _text(self, indent: int = 0) -> str:
        """Children after the first stand on lines of their own."""
        if self.type is None:
            return "*"
        indent += 2
        parts = [child._text(indent) for child in self._children]
        context = self.context if isinstance(self.context, str) else repr(self.context)
        return f"TreeSpec({self.type.__name__}, {context}, [{(',' + chr(10) + ' ' * indent).join(parts)}])"

    def _short(self) -> str:
        """`(*, [*, *])`: brackets, and a star for each leaf."""
        if self.type is None:
            return "*"
        parts = [child._short() for child in self._children]
        if self.type in (dict, OrderedDict):
            named = zip(map(repr, self.context), parts, strict=True)
            return "{" + ", ".join(f"{key}: {part}" for key, part in named) + "}"
        ends = "[]" if self.type is list else "()"
        return ends[0] + ", ".join(parts) + ("," if ends == "()" and len(parts) == 1 else "") + ends[1]

    def _build(self, leaves: Iterator[Any]) -> Any:
        if self.type is None:
            return next(leaves)
        return _of(self.type).unflatten([child._build(leaves) for child in self._children], self.context)

    def is_leaf(self) -> bool:
        """Whether it is the structure of a leaf."""
        return self.num_nodes == 1 and self.num_leaves == 1

    def children(self) -> list[TreeSpec]:
        """The structures of the children."""
        return list(self._children)

    def child(self, index: int) -> TreeSpec:
        """The structure of one child."""
        return self._children[index]

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """The value with this structure and these leaves."""
        found = leaves if isinstance(leaves, list | tuple) else list(leaves)
        if len(found) != self.num_leaves:
            raise errors.tree_leaves(len(found), self.num_leaves, self)
        return self._build(iter(found))

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """What of another tree stands in the places of the leaves. ValueError for one of another structure."""
        found: list[Any] = []
        self._take(tree, found)
        return found

    def _take(self, tree: Any, found: list[Any]) -> None:
        if self.type is None:
            found.append(tree)
            return
        kind = node_type(tree)
        dicts = kind in _DICTS and self.type in _DICTS
        if kind is not self.type and not dicts:
            wanted, got = map(repr, (self.type, kind or type(tree)))
            raise errors.tree_node_type(wanted, got, self.type in KINDS)
        items, context = children_of(tree, kind)
        if len(items) != self.num_children:
            raise errors.tree_node_arity(self.num_children, len(items))
        if dicts:
            keys = self.context[1] if self.type is defaultdict else self.context
            known = dict.fromkeys(keys)
            missing, extra = [key for key in known if key not in tree], [key for key in tree if key not in known]
            if missing or extra:
                raise errors.tree_node_keys(*[repr(set(each)) if each else "" for each in (missing, extra)])
            items = [tree[key] for key in keys]
        elif kind is not deque and context != self.context:
            kind, wanted, got = map(repr, (self.type, self.context, context))
            raise errors.tree_node_context(kind, wanted, got, self.type in KINDS)
        for child, item in zip(self._children, items, strict=True):
            child._take(item, found)


_DICTS = dict, OrderedDict, defaultdict
LEAF = TreeSpec(None, None, ())


def flatten(value: Any, is_leaf: IsLeaf = None) -> tuple[list[Any], TreeSpec]:
    """The leaves of a nested value, and its structure."""
    leaves: list[Any] = []
    return leaves, _flatten_into(leaves, value, is_leaf)


def _flatten_into(leaves: list[Any], value: Any, is_leaf: IsLeaf) -> TreeSpec:
    kind = None if is_leaf is not None and is_leaf(value) else node_type(value)
    if kind is None:
        leaves.append(value)
        return LEAF
    items, context = children_of(value, kind)
    return TreeSpec(kind, context, [_flatten_into(leaves, item, is_leaf) for item in items])


def flatten_with_path(value: Any, is_leaf: IsLeaf = None, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, Any]]:
    """(keys that lead to a leaf, the leaf) for every leaf."""
    kind = None if is_leaf is not None and is_leaf(value) else node_type(value)
    if kind is None:
        yield path, value
        return
    keys = _of(kind).keys
    if keys is None:
        raise errors.tree_without_keys(kind)
    found = keys(value)
    items = [item for _, item in found] if kind in REGISTERED else children_of(value, kind)[0]
    names = [key for key, _ in found] if kind in REGISTERED else found
    for key, item in zip(names, items, strict=True):
        yield from flatten_with_path(item, is_leaf, (*path, key))


def unflatten(leaves: Sequence[Any], spec: TreeSpec) -> Any:
    """The inverse of `flatten`."""
    return spec._build(iter(leaves))


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """The value with every leaf replaced."""
    leaves, spec = flatten(value)
    return unflatten([function(leaf) for leaf in leaves], spec)


def spread(prefix: Any, spec: TreeSpec) -> list[Any] | None:
    """One entry of `prefix` for every leaf of `spec`: an entry in place of a subtree counts for all of it.

    None when the structures do not fit.
    """
    kind = node_type(prefix)
    if spec.type is None:
        return None if kind is not None else [prefix]
    if kind is None:
        return [prefix] * spec.num_leaves
    if kind is not spec.type:
        return None
    items, context = children_of(prefix, kind)
    if kind in (dict, OrderedDict):
        if set(context) != set(spec.context):
            return None
        items = [prefix[key] for key in spec.context]
    elif len(items) != spec.num_children or context != spec.context:
        return None
    found: list[Any] = []
    for item, child in zip(items, spec._children, strict=True):
        part = spread(item, child)
        if part is None:
            return None
        found += part
    return found


def tensors_of(value: Any) -> list[Tensor]:
    """The tensors among the leaves."""
    return [leaf for leaf in flatten(value)[0] if isinstance(leaf, Tensor)]
