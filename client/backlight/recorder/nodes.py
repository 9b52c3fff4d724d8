"""The nodes of a recording, and what they saved."""

from __future__ import annotations

from typing import Any

import torch

from ..document.sizes import NODE
from .keeping import NARROWER, Keeping, on_ctx
from .values import Values, argument

PACKED = hasattr(torch._C._autograd.SavedTensor, "unpack_hook")
"""Whether a saved tensor says that a hook packed it; it does since PyTorch 2.9."""


class Nodes:
    """Nodes by id. `read` reads the tensors that those saved which were met: they are there until a pass releases them.
    What else nodes saved `describe` reads when the recording is over.

    `refused`: by node, the words in which PyTorch would not give a saved tensor that was written, and that tensor.
    `packed`: first sequence number of nodes whose saved tensors hooks packed, and that of the next which they did not.
    """

    def __init__(self, values: Values) -> None:
        self.list: list[Any] = []
        self.values = values
        self.by_sequence: dict[int, Any] = {}
        self.saved: dict[str, dict[str, Any]] = {}
        self.attributes: dict[str, dict[str, Any]] = {}
        self.refused: dict[str, tuple[str, torch.Tensor]] = {}
        self.packed: list[tuple[int, int | None]] = []
        self.weight = 0
        self.keeping = Keeping()
        self._ids: dict[int, str] = {}
        self._unread: list[tuple[Any, str]] = []

    def ref(self, node: Any) -> str:
        """The id of a node, which is in the document from now on."""
        return self._ids.get(id(node)) or self._add(node)

    def _add(self, node: Any) -> str:
        found = self._ids[id(node)] = f"n{len(self.list)}"
        self.list.append(node)
        self.weight += NODE
        if not is_leaf(node):
            self.by_sequence[node._sequence_nr()] = node
            self._unread.append((node, found))
        return found

    def known(self, node: Any) -> bool:
        """Whether a node has an id."""
        return id(node) in self._ids

    def close(self) -> None:
        """Give an id to every node that an edge leads to."""
        todo = list(self.list)
        while todo:
            for node, _ in todo.pop().next_functions:
                if node is not None and not self.known(node):
                    self.ref(node)
                    todo.append(node)

    def read(self) -> None:
        """Read what nodes saved that were met since the last time."""
        unread, self._unread = self._unread, []
        for node, found in unread:
            for attribute, raw_attribute, name, shown in _saved_attributes(type(node)):
                if raw_attribute is not None:
                    self._read(node, found, attribute, _as_packed(node, raw_attribute), name, shown)
            if isinstance(node, torch.autograd.function.BackwardCFunction):
                self._read_function(node, found)
        self.weight += self.keeping.weight
        self.keeping.weight = 0

    def ask_again(self) -> None:
        """Find out which saved tensors PyTorch refuses to give now: a graph that was kept after a pass may have been
        written to since its nodes were read."""
        for node in self.list:
            for attribute, raw_attribute, _, _ in () if is_leaf(node) else _saved_attributes(type(node)):
                raw = None if raw_attribute is None else _as_packed(node, raw_attribute)
                if raw is None or self._is_packed(node, raw):
                    continue
                try:
                    getattr(node, attribute)
                except RuntimeError as error:
                    data = getattr(raw, "data", None)
                    if isinstance(data, torch.Tensor):
                        self.refused.setdefault(self.ref(node), (str(error), data))

    def describe(self) -> None:
        """Read what nodes saved besides tensors."""
        for node in self.list:
            found = self.ref(node)
            self.attributes[found] = {} if is_leaf(node) else self._described(node, self.attributes.get(found, {}))

    def _described(self, node: Any, known: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for attribute, raw_attribute, _, shown in _saved_attributes(type(node)):
            try:
                value = getattr(node, attribute) if raw_attribute is None else known.get(shown)
            except RuntimeError:
                continue
            if value is not None:
                found[shown] = argument(value)
        return found

    def _read(self, node: Any, found: str, attribute: str, raw: Any, name: str, shown: str) -> None:
        if (raw is not None or not PACKED) and self._is_packed(node, raw):
            for one in raw if isinstance(raw, (tuple, list)) else (raw,):
                self.keeping.keep_packed(found, name, getattr(one, "data", None))
            return
        try:
            value = getattr(node, attribute)
        except RuntimeError as error:
            self._read_written(node, found, name, raw, str(error))
            return
        if isinstance(value, torch.Tensor):
            self.saved.setdefault(found, {})[name] = self.values.ref(value)
            narrower = None if value.dim() else NARROWER.get(value.dtype)
            if narrower is None or torch.result_type(value, narrower) is value.dtype:
                self.keeping.keep(found, name, value)
        elif isinstance(value, (tuple, list)) and any([isinstance(item, torch.Tensor) for item in value]):
            items = [self.values.ref(item) if isinstance(item, torch.Tensor) else None for item in value]
            self.saved.setdefault(found, {})[name] = items
            self.keeping.keep_list(found, name, value)
        elif value is not None:
            self.attributes.setdefault(found, {})[shown] = value

    def _read_written(self, node: Any, found: str, name: str, raw: Any, words: str) -> None:
        """A saved tensor that was written since, which PyTorch refuses to give, or released already."""
        data = getattr(raw, "data", None)
        if isinstance(data, torch.Tensor):
            self.keeping.keep(found, name, data)
            value = self.values.when_saved(data, node._sequence_nr())
            if value is not None:
                self.saved.setdefault(found, {})[name] = value
                self.refused.setdefault(found, (words, data))

    def _is_packed(self, node: Any, raw: Any) -> bool:
        """Whether reading a saved tensor would call a hook, which may compute it again."""
        if not PACKED:
            number = node._sequence_nr()
            return any([first <= number and (end is None or number < end) for first, end in self.packed])
        if isinstance(raw, (tuple, list)):
            return any([getattr(one, "unpack_hook", None) is not None for one in raw])
        return getattr(raw, "unpack_hook", None) is not None

    def _read_function(self, node: Any, found: str) -> None:
        """What `ctx.save_for_backward` of a custom Function kept."""
        raw = _as_packed(node, "_raw_saved_tensors")
        if self._is_packed(node, raw):
            for number, one in enumerate(raw or ()):
                self.keeping.keep_packed(found, f"saved_tensors[{number}]", getattr(one, "data", None))
        else:
            try:
                saved = node.saved_tensors
            except RuntimeError:
                saved = ()
            for number, tensor in enumerate(saved):
                if tensor is not None:
                    self.saved.setdefault(found, {})[f"saved_tensors[{number}]"] = self.values.ref(tensor)
                    self.keeping.keep(found, f"saved_tensors[{number}]", tensor)
        for name, tensor in on_ctx(node):
            self.keeping.keep(found, name, tensor)


def _as_packed(node: Any, attribute: str) -> Any:
    """What a node saved, not unpacked; None also for a list of tensors that was released, which PyTorch refuses."""
    try:
        return getattr(node, attribute, None)
    except RuntimeError:
        return None


def name_of(node: Any) -> str:
    """The name of a node without its namespace."""
    return str(node.name()).rpartition("::")[2]


_ACCUMULATE = type(torch.autograd.graph.get_gradient_edge(torch.empty(0, requires_grad=True)).node)


def is_leaf(node: Any) -> bool:
    """Whether a node accumulates into a leaf."""
    return type(node) is _ACCUMULATE


_ATTRIBUTES: dict[type, list[tuple[str, str | None, str, str]]] = {}


def _saved_attributes(kind: type) -> list[tuple[str, str | None, str, str]]:
    """What nodes of a type saved: the attribute, that of the tensor as it was packed, and its names."""
    found = _ATTRIBUTES.get(kind)
    if found is None:
        found = _ATTRIBUTES[kind] = []
        for attribute in dir(kind):
            if attribute.startswith("_saved_"):
                name, raw = attribute.removeprefix("_saved_"), f"_raw{attribute}"
                shown = name.replace("_sym_sizes", ".shape").replace("_sym_strides", ".strides")
                found.append((attribute, raw if hasattr(kind, raw) else None, name, shown))
    return found
