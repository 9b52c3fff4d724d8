"""PyTorch's parser of arguments: which calls fit a signature, and what it says to those that do not.

Signatures are written as PyTorch writes them: `add(Tensor input, Tensor other, *, Scalar alpha=1, Tensor out=None)`.
`Tensor?` may be None, `IntArrayRef[2]` may be one int, `|deprecated` and `|hidden` signatures are not shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.composites.storage import Storage
from engine.core.tensor import Tensor
from engine.errors.wording import type_name
from engine.kernels.random import Generator
from engine.types import dtypes, shapes
from engine.types.devices import device, layout, memory_format

ALIASES = {"dim": ("axis",), "keepdim": ("keepdims",), "input": ("x", "a", "x1"), "other": ("x2",)}
"""numpy's names of parameters."""

NUMBERS_AS_TENSORS = frozenset(
    name + suffix
    for name in "add sub subtract mul multiply div divide true_divide floor_divide copy".split()
    for suffix in ("", "_")
) | {"to"}
"""Functions whose tensors may be numbers."""


class Refusal(Exception):
    """Why a call does not fit a signature. `final`: no other signature is tried."""

    def __init__(self, text: str, final: bool = False) -> None:
        super().__init__(text)
        self.final = final


class Parameter:
    """One parameter of a signature."""

    __slots__ = ("default", "fits", "is_list", "keyword_only", "name", "names", "nullable", "optional", "type", "word")

    def __init__(self, text: str, keyword_only: bool, function: str) -> None:
        kind, _, rest = text.partition(" ")
        self.name, equals, self.default = rest.partition("=")
        self.type = re.split(r"[\[?]", kind)[0]
        self.word = WORDS[self.type]
        self.names = (self.name, *ALIASES.get(self.name, ()))
        self.optional = bool(equals)
        self.nullable = kind.endswith("?") or self.default == "None"
        self.keyword_only = keyword_only
        self.is_list = self.type in ("IntArrayRef", "SymIntArrayRef")
        self.fits = _fitting(self.type, "[" in kind, function in NUMBERS_AS_TENSORS)

    def __str__(self) -> str:
        return f"{self.word} {self.name}" + (f" = {self.default}" if self.optional else "")


class Signature:
    """A list of parameters. `shown` is how PyTorch prints it, `least` how many arguments it needs."""

    def __init__(self, text: str) -> None:
        head, _, rest = text.partition("(")
        inner, _, mark = rest.rpartition(")")
        self.name = head
        self.hidden, self.deprecated = bool(mark), mark == "|deprecated"
        self.parameters: list[Parameter] = []
        parts = inner.split(", ") if inner else []
        for part in parts:
            if part != "*":
                self.parameters.append(Parameter(part, "*" in parts[: parts.index(part)], head))
        self.positional = [p for p in self.parameters if not p.keyword_only]
        self.least = sum(not p.optional for p in self.parameters)
        words = [str(p) for p in self.parameters]
        if "*" in parts:
            words.insert(parts.index("*"), "*")
        self.words = words or [""]
        self.shown = f"({', '.join(words)})"

    def check(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """Raises Refusal when the call does not fit."""
        listed = len(self.positional) == 1 and self.parameters[0].is_list and bool(args) and is_index(args[0])
        if len(args) > len(self.positional) and not listed:
            raise self._too_many(args)
        position = used = 0
        lists: list[tuple[Parameter, Sequence[Any]]] = []
        for index, parameter in enumerate(self.parameters):
            given = position < len(args)
            if given and parameter.keyword_only:
                raise self._too_many(args)
            key = None if given else next((key for key in parameter.names if key in kwargs), None)
            if not given and key is None:
                if parameter.optional:
                    continue
                raise self._missing(index)
            value = args[position] if given else kwargs[key]  # type: ignore[index]
            used += not given
            if value is None and parameter.nullable or parameter.fits(value):
                position += given
            elif listed and given and position == 0:
                value, position = args, len(args)
            else:
                raise self._misfit(parameter, position if given else None, value, index)
            if parameter.is_list and isinstance(value, tuple | list):
                lists.append((parameter, value))
        if used < len(kwargs):
            raise self._unknown(kwargs, len(args))
        for parameter, items in lists:
            self._unpack(parameter, items)

    def _unpack(self, parameter: Parameter, items: Sequence[Any]) -> None:
        """The first item decides that a list is one of numbers; the others are looked at when it is read."""
        for position, item in enumerate(items, 1):
            if not isinstance(item, bool) and not is_index(item):
                text = f"{self.name}(): argument '{parameter.name}' failed to unpack the object at pos {position} with"
                raise Refusal(f'{text} error "type must be {parameter.word},but got {type_name(item)}"', final=True)

    def _misfit(self, parameter: Parameter, position: int | None, value: Any, index: int) -> Refusal:
        if parameter.word == "tuple of Tensors" and isinstance(value, tuple | list):
            at, found = next((i, item) for i, item in enumerate(value) if not isinstance(item, Tensor))
            text = f"expected Tensor as element {at} in argument {index}, but got {type_name(found)}"
            return Refusal(text, final=True)
        where = "" if position is None else f" (position {position + 1})"
        text = f"{self.name}(): argument '{parameter.name}'{where} must be {parameter.word}, "
        if position is not None and parameter.is_list and isinstance(value, tuple | list):
            return Refusal(text + f"but found element of type {type_name(value[0])} at pos 0")
        return Refusal(text + f"not {type_name(value)}")

    def _too_many(self, args: Sequence[Any]) -> Refusal:
        most, given = len(self.positional), len(args)
        if self.least != most:
            text = f"from {self.least} to {most} positional arguments but {given} were given"
        else:
            plural, was = ("" if most == 1 else "s"), ("was" if given == 1 else "were")
            text = f"{most} positional argument{plural} but {given} {was} given"
        return Refusal(f"{self.name}() takes {text}")

    def _missing(self, index: int) -> Refusal:
        names = [f'"{p.name}"' for p in self.parameters[index:] if not p.optional]
        plural = "s" if len(names) == 1 else ""  # the parser has it the wrong way round
        return Refusal(f"{self.name}() missing {len(names)} required positional argument{plural}: {', '.join(names)}")

    def _unknown(self, kwargs: Mapping[str, Any], given: int) -> Refusal:
        names = [p.name for p in self.parameters]
        for key in kwargs:
            if key not in names:
                return Refusal(f"{self.name}() got an unexpected keyword argument '{key}'")
            if names.index(key) < given:
                return Refusal(f"{self.name}() got multiple values for argument '{key}'")
        return Refusal("invalid keyword arguments")


WORDS = {
    "Tensor": "Tensor",
    "Scalar": "Number",
    "int64_t": "int",
    "SymInt": "int",
    "double": "float",
    "complex": "complex",
    "bool": "bool",
    "TensorList": "tuple of Tensors",
    "IntArrayRef": "tuple of ints",
    "SymIntArrayRef": "tuple of ints",
    "ArrayRef<double>": "tuple of floats",
    "ScalarList": "tuple of Scalars",
    "Generator": "torch.Generator",
    "Storage": "torch.Storage",
    "PyObject*": "object",
    "ScalarType": "torch.dtype",
    "Layout": "torch.layout",
    "MemoryFormat": "torch.memory_format",
    "QScheme": "torch.qscheme",
    "Device": "torch.device",
    "DeviceIndex": "int",
    "std::string": "str",
    "std::string_view": "str",
    "c10::string_view": "str",
    "Stream": "torch.Stream",
    "DispatchKeySet": "DispatchKeySet",
    "c10::List<::std::optional<Tensor>>": "tuple of Tensors",
}
"""The types of the signatures, and how the parser words them."""


def _zero_dimensional(value: Any, kinds: str) -> bool:
    return (
        isinstance(value, Tensor)
        and not value._array.ndim
        and not value._requires_grad
        and value._array.dtype.kind in kinds
    )


def is_long(value: Any) -> bool:
    """A whole number that is no bool."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_index(value: Any) -> bool:
    """What may stand for a whole number: also a tensor with one."""
    if isinstance(value, Tensor):
        return value._array.size == 1 and value._array.dtype.kind in "iub"
    return is_long(value) or not isinstance(value, bool) and shapes.is_index(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, float | int | complex | np.generic)


def _is_sequence_of(check: Callable[[Any], bool], whole: bool = False) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        return isinstance(value, tuple | list) and all(check(item) for item in (value if whole else value[:1]))

    return fits


def _is_instance(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kinds)


def _is_dtype(value: Any) -> bool:
    return isinstance(value, dtypes.dtype) or any(value is kind for kind in (float, int, bool, complex))


CHECKS: dict[str, Callable[[Any], bool]] = {
    "Tensor": _is_instance(Tensor),
    "Storage": _is_instance(Storage),
    "Scalar": lambda value: _is_number(value) or _zero_dimensional(value, "biufc"),
    "complex": lambda value: _is_number(value) or _zero_dimensional(value, "biufc"),
    "double": lambda value: isinstance(value, float | int | np.generic) or _zero_dimensional(value, "biufc"),
    "int64_t": lambda value: is_long(value) or _zero_dimensional(value, "iu"),
    "SymInt": is_index,
    "DeviceIndex": is_long,
    "bool": lambda value: isinstance(value, bool | np.bool_) or _zero_dimensional(value, "b"),
    "TensorList": _is_sequence_of(_is_instance(Tensor), whole=True),
    "c10::List<::std::optional<Tensor>>": _is_sequence_of(_is_instance(Tensor), whole=True),
    "IntArrayRef": _is_sequence_of(is_index),
    "SymIntArrayRef": _is_sequence_of(is_index),
    "ArrayRef<double>": _is_sequence_of(_is_number),
    "ScalarList": _is_sequence_of(_is_number, whole=True),
    "Generator": _is_instance(Generator),
    "ScalarType": _is_dtype,
    "Device": _is_instance(device, str, int),
    "Layout": _is_instance(layout),
    "MemoryFormat": _is_instance(memory_format),
    "std::string": _is_instance(str),
    "std::string_view": _is_instance(str),
    "c10::string_view": _is_instance(str),
}


def _fitting(kind: str, sized: bool, numbers: bool) -> Callable[[Any], bool]:
    """Whether a value fits a type. Lists of a given size may be one int; some functions take numbers for tensors."""
    check = CHECKS.get(kind)
    if check is None:
        return lambda value: True
    if kind == "Tensor" and numbers:
        return lambda value: isinstance(value, Tensor) or _is_number(value)
    if sized and kind in ("IntArrayRef", "SymIntArrayRef"):
        return lambda value: check(value) or is_long(value)
    return check
