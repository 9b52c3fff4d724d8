"""Publishes ops as what users call: methods of Tensor, functions of `torch` and of `torch.nn.functional`.

`public` publishes a plain function (a composite, or the chooser among an op's overloads); `publish` a row.
The tables are read once by `engine.torch` and by the interpreter's allow-tables.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from engine.codegen.op import Op
from engine.core.registry import OPS, ops
from engine.core.tensor import Tensor

F = TypeVar("F", bound=Callable[..., Any])

TORCH: dict[str, Any] = {}
"""Functions of the `torch` namespace."""

FUNCTIONAL: dict[str, Any] = {}
"""Functions of `torch.nn.functional`."""

SPECIAL: dict[str, Any] = {}
LINALG: dict[str, Any] = {}
FFT: dict[str, Any] = {}
MASKED: dict[str, Any] = {}
SPARSE: dict[str, Any] = {}

NAMESPACES: dict[str, dict[str, Any]] = {
    "torch": TORCH,
    "nn": FUNCTIONAL,
    "special": SPECIAL,
    "linalg": LINALG,
    "fft": FFT,
    "masked": MASKED,
    "sparse": SPARSE,
}


def public(where: str, *names: str, doc: str = "") -> Callable[[F], F]:
    """Publish a function as `names` (default: its own) in each of `where`: method, torch, nn, special …

    One that another function made goes by the first of them, and by `doc`.
    """

    def publish_function(function: F) -> F:
        own = function.__name__
        made = "<locals>" in function.__qualname__
        if names and (made or own == f"{names[0]}_" or own.endswith(f"_{names[0]}")):
            function.__name__ = function.__qualname__ = names[0]  # the rest only keeps the name free for another
        function.__doc__ = doc or function.__doc__
        for name in names or (function.__name__.rstrip("_") if where != "method" else function.__name__,):
            for place in where.split():
                if place == "method":
                    setattr(Tensor, name, function)
                else:
                    NAMESPACES[place][name] = function
        return function

    return publish_function


def publish(where: str, *identifiers: str, names: str = "", inplace: bool = True) -> None:
    """Publish rows by identifier; in-place forms (`mul_`) follow unless the row says otherwise."""
    for identifier in identifiers:
        row: Op = OPS[identifier]
        for name in names.split() or [row.name]:
            for place in where.split():
                if place == "method":
                    setattr(Tensor, name, row.call)
                else:
                    NAMESPACES[place][name] = row.function()
            if inplace and row.inplace and row.node_class is not None and not row.outputs:
                writer = getattr(ops, identifier + "_")
                if name != row.name:
                    writer = _renamed(writer, name + "_")
                if "method" in where:
                    setattr(Tensor, name + "_", writer)
                if "torch" in where:
                    TORCH[name + "_"] = writer


def _renamed(function: FunctionType, name: str) -> FunctionType:
    """The same function under the name that errors are to show."""
    copy = FunctionType(function.__code__, function.__globals__, name, None, function.__closure__)
    copy.__qualname__, copy.__doc__ = name, function.__doc__
    return copy
