"""Reads what a program made without asking it: slots, instance dictionaries and the storage of containers.

Nothing here runs code that a program can replace: no property, no `__getattr__`, no `__iter__`, no `__hash__`, no
method of its classes. What is not there, or is not what the engine put there, reads as None or as empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import GetSetDescriptorType
from typing import Any

import numpy as np

from engine.core.node import AccumulateGrad, Node, VersionCounter
from engine.core.tensor import Tensor
from engine.core.views import DifferentiableViewMeta, regenerate_grad_fn
from engine.document.limits import NAME, class_name
from engine.nn.module import Module, held_by
from engine.nn.parameter import Parameter
from engine.types import dtypes
from engine.types.coo import Coo

_array, _grad_fn, _output_nr, _requires_grad, _version_counter, _view, _tensor_fields = [
    Tensor.__dict__[name].__get__
    for name in ("_array", "_grad_fn", "_output_nr", "_requires_grad", "_version_counter", "_view", "__dict__")
]
module_fields = Module.__dict__["__dict__"].__get__
_class_members, _ancestors = [type.__dict__[name].__get__ for name in ("__dict__", "__mro__")]
_edges, _numbers, _args, _seq = [
    Node.__dict__[name].__get__ for name in ("next_edges", "input_nrs", "args", "sequence_nr")
]
_leaf = AccumulateGrad.__dict__["variable"].__get__

PATH = NAME
"""Characters of a dotted path in a document."""

_VALUES = (np.ndarray, np.generic, Coo)
_PLAIN = frozenset({Tensor, Parameter, int, float, bool, str, type(None), np.dtype, slice})
"""Types that no program makes."""

_NO_EDGE = (None, 0)
_KEYS = frozenset({int, str, float, bool, type(None)})


def is_tensor(value: Any) -> bool:
    """Whether `value` is a tensor with a value in it."""
    kind = type(value)
    return (kind is Tensor or issubclass(kind, Tensor)) and array(value) is not None


def array(t: Tensor) -> Any:
    """The tensor's numpy value; None for an object that was made without one."""
    try:
        found = _array(t)
    except AttributeError:
        return None
    return found if type(found) is np.ndarray or isinstance(found, _VALUES) else None


def _own(t: Tensor, name: str) -> Any:
    return _tensor_fields(t).get(name)


def grad(t: Tensor) -> Any:
    """The numpy value of `.grad`, or None."""
    found = _own(t, "_grad")
    return array(found) if issubclass(type(found), Tensor) else None


def shown(target: Tensor | Node, attribute: str) -> Any:
    """The present value of an attribute: a flag, a gradient, or a node; None for anything else."""
    found = _SHOWN.get(attribute)
    return None if found is None else found(target)


def requires_grad(t: Tensor) -> bool:
    return _slot(_requires_grad, t) is True


def is_leaf(t: Tensor) -> bool:
    """Whether a gradient is accumulated here."""
    return requires_grad(t) and _slot(_grad_fn, t) is None


def retains_grad(t: Tensor) -> bool:
    return _own(t, "_retains") is True


def output_nr(t: Tensor) -> int:
    found = _slot(_output_nr, t)
    return found if type(found) is int else 0


def counter(t: Tensor) -> VersionCounter | None:
    found = _slot(_version_counter, t)
    return found if type(found) is VersionCounter else None


def version(t: Tensor) -> int:
    found = counter(t)
    return 0 if found is None else found.n


def view(t: Tensor) -> DifferentiableViewMeta | None:
    found = _slot(_view, t)
    return found if type(found) is DifferentiableViewMeta else None


def cut(t: Tensor) -> tuple[Tensor | None, str] | None:
    """(what the tensor was taken from, how), for `detach()` and its like."""
    found = _own(t, "_cut")
    return found if type(found) is tuple else None


def grad_fn(t: Tensor) -> Node | None:
    """The node PyTorch would show; a view whose grad_fn may not be read any more keeps its last one."""
    if _slot(_view, t) is not None and type(t).__module__ != "__main__":
        try:
            regenerate_grad_fn(t, always=True)
        except RuntimeError:
            pass  # the view was invalidated, which its next use would say
    found = _slot(_grad_fn, t)
    return found if isinstance(found, Node) else None


def _slot(read: Any, owner: Any) -> Any:
    try:
        return read(owner)
    except AttributeError:
        return None


_SHOWN: dict[str, Callable[[Any], Any]] = {
    "is_leaf": lambda t: grad_fn(t) is None,
    "requires_grad": requires_grad,
    "retains_grad": retains_grad,
    "grad": grad,
    "grad_fn": grad_fn,
}


def dtype_name(kind: Any) -> str:
    """PyTorch's name of a numpy dtype; numpy's own where PyTorch has none."""
    try:
        return dtypes.of(kind).name
    except (AttributeError, KeyError, TypeError, ValueError):
        return str(kind)


class Fields:
    """What a tensor is in the end, as the functions above read it."""

    __slots__ = ("array", "cut", "grad", "grad_fn", "output_nr", "requires_grad", "retains_grad", "version", "view")

    def __init__(self, t: Tensor) -> None:
        own = _tensor_fields(t)
        given, cut = own.get("_grad"), own.get("_cut")
        self.array, self.view, self.version = array(t), view(t), version(t)
        self.grad = None if given is None else grad(t)
        self.grad_fn = grad_fn(t)
        self.requires_grad, self.output_nr = requires_grad(t), output_nr(t)
        self.retains_grad = own.get("_retains") is True
        self.cut: tuple[Tensor | None, str] | None = cut if type(cut) is tuple else None


def edges(node: Node) -> tuple[tuple[Node | None, int], ...]:
    """(node or None, output number) of each input."""
    found, numbers = _slot(_edges, node), _slot(_numbers, node)
    if type(found) is not tuple:
        return ()
    if type(numbers) is not tuple or len(numbers) != len(found):
        return tuple([(edge, 0) if edge is not None and isinstance(edge, Node) else _NO_EDGE for edge in found])
    return tuple(
        [(edge if isinstance(edge, Node) else None, number) for edge, number in zip(found, numbers, strict=True)]
    )


def variable(node: Node) -> Tensor | None:
    """The leaf of an AccumulateGrad."""
    found = _slot(_leaf, node) if isinstance(node, AccumulateGrad) else None
    return found if is_tensor(found) else None


def arguments(node: Node) -> tuple[Any, ...]:
    found = _slot(_args, node)
    return found if type(found) is tuple else ()


def sequence_nr(node: Node) -> int | None:
    found = _slot(_seq, node)
    return found if type(found) is int else None


def items(value: Any) -> Iterator[tuple[Any, Any]]:
    """(key, member) of a list, tuple or dict, whatever class a program made of it."""
    kind = type(value)
    if issubclass(kind, dict):
        yield from dict.items(value)
    elif issubclass(kind, list):
        yield from enumerate(list.__iter__(value))
    elif issubclass(kind, tuple):
        yield from enumerate(tuple.__iter__(value))


def length(value: Any) -> int:
    """Length of a list, tuple or dict; 0 for anything else."""
    for kind in (dict, list, tuple):
        if issubclass(type(value), kind):
            return int(kind.__len__(value))
    return 0


def attributes(value: Any) -> dict[str, Any] | None:
    """Attributes of an object whose class a program made; None for an object that has none."""
    kind = type(value)
    if _is_made_by_program(_class_members(kind)):
        for base in _ancestors(kind):
            own = _class_members(base).get("__dict__")
            if type(own) is GetSetDescriptorType:
                return own.__get__(value)  # type: ignore[no-any-return]
    return None


def holds(value: Any) -> bool:
    """Whether names are found in it: a module, a container, or an object of a program's class."""
    return issubclass(type(value), (Module, list, tuple, dict)) or attributes(value) is not None


def members(value: Any) -> Iterator[tuple[str, bool, Any]]:
    """Members of a container or object: (the text that leads to it, whether that is a word, it). Of a module only
    what it did not register."""
    own = "_" if issubclass(type(value), Module) else "__"
    for name, member in (attributes(value) or {}).items():
        if type(name) is str and not name.startswith(own):
            yield f".{name}" if len(name) <= PATH else f".{name[:PATH]}…", True, member
    for key, member in items(value):
        if type(key) in (int, str):
            yield f"[{key_text(key)}]", type(key) is str, member


_ADDRESSES = 40
"""Bits from which on a key may well be an address, which differs from run to run."""


def key_text(key: Any) -> str:
    """A key as a reader of the program would write it; of what only the program could write, the class."""
    kind = type(key)
    if kind not in _KEYS:
        return f"<{class_name(kind)}>"
    if kind is int and key.bit_length() > _ADDRESSES:
        return "…"
    if kind is str and len(key) > PATH:
        return repr(key[:PATH]) + "…"
    return repr(key)


def is_programs(kind: type) -> bool:
    """Whether a class was made by a program."""
    return any([_is_made_by_program(vars(base)) for base in kind.__mro__])


def _is_made_by_program(members: Mapping[str, Any]) -> bool:
    return members.get("__module__") == "__main__"


def plain(value: Any, depth: int = 4) -> Any:
    """A value that can be compared: in the place of what a program's classes make, the number that it is or a name."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind in (list, tuple):
        return kind([plain(item, depth - 1) for item in value]) if depth else kind()
    if not is_programs(kind):
        return value
    if issubclass(kind, int):
        return int.__int__(value)
    if issubclass(kind, float):
        return float.__float__(value)
    return value if is_tensor(value) else f"<{class_name(kind)}>"


class Part:
    """A module as it is: its path below another, its parameters and buffers, and whether all of it could be read."""

    __slots__ = ("buffers", "module", "parameters", "path", "whole")

    def __init__(self, module: Module, path: str) -> None:
        fields = module_fields(module)
        self.module, self.path = module, path
        self.parameters, readable = _tensors(fields.get("_parameters"))
        self.buffers, also = _tensors(fields.get("_buffers"))
        self.whole = readable and also and issubclass(type(fields.get("_modules")), dict)


def _tensors(table: Any) -> tuple[dict[str, Tensor], bool]:
    if not issubclass(type(table), dict):
        return {}, False
    found = {name: t for name, t in dict.items(table) if type(name) is str and is_tensor(t)}
    empty = sum([t is None for t in dict.values(table)])
    return found, len(found) + empty == dict.__len__(table)


def parts(root: Module, most: int) -> Iterator[Part]:
    """The module and all below it, depth first, each once; no more than `most`."""
    seen: set[int] = set()
    todo: list[tuple[str, Module]] = [("", root)]
    while todo and len(seen) < most:
        path, module = todo.pop()
        if id(module) not in seen:
            seen.add(id(module))
            yield Part(module, path)
            todo.extend([(join(path, name), child) for name, child in reversed(held_by(module))])


def join(path: str, name: str) -> str:
    """A dotted path; the start of a long one is left out, so that a deep module still has its own name."""
    whole = f"{path}.{name}" if path else name
    return whole if len(whole) <= PATH else "…" + whole[1 - PATH :]


def held_tensors(parts: list[Part]) -> list[tuple[str, Tensor]]:
    """(dotted path, tensor) of all parameters of modules, then of all buffers, each once."""
    found: dict[int, tuple[str, Tensor]] = {}
    for table in ("parameters", "buffers"):
        for part in parts:
            for name, t in getattr(part, table).items():
                found.setdefault(id(t), (join(part.path, name), t))
    return list(found.values())


def is_parameter(t: Tensor) -> bool:
    return issubclass(type(t), Parameter)
