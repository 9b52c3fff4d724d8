"""How texts name things."""

from __future__ import annotations

import re
from types import MethodType

_WRITTEN_IN_C = frozenset({"torch", "torch._C", "torch.return_types"})
"""Modules whose types are written in C in PyTorch, and here in Python."""


def type_name(value: object) -> str:
    """The name of a value's type as C code words it: types that are written in C themselves say where they are from."""
    kind = type(value)
    if kind is MethodType and type(value.__self__).__module__ == "torch":  # type: ignore[attr-defined]
        if "." not in value.__func__.__qualname__:  # type: ignore[attr-defined]
            return "builtin_function_or_method"
    if kind.__module__ in _WRITTEN_IN_C and kind.__name__ != "Tensor" and "." not in kind.__name__:
        return f"{kind.__module__}.{kind.__name__}"
    try:
        "".join([value])  # type: ignore[list-item]
    except TypeError as refused:
        told = str(refused).removeprefix("sequence item 0: expected str instance, ").removesuffix(" found")
        if told.endswith(f".{kind.__name__}"):
            return told
    return kind.__name__


def short_node_name(name: str) -> str:
    """``MulBackward0`` → ``Mul``, ``MaxBackward1`` → ``Max1``, as error texts name nodes."""
    return re.sub(r"Backward(?:0?$|(?=\d+$))", "", name)
