"""What a program may hold, judged without asking the interpreter that is under attack."""

from __future__ import annotations

import io
import re
import socket
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import engine
from engine.core.state import State
from engine.limits import Limits, Meter
from engine.program.arrays import Array, DType
from engine.program.builtins import ITERATORS
from engine.program.exceptions import ExceptionValue
from engine.program.generators import Generator
from engine.program.methods import METHODS
from engine.program.session import Session
from engine.program.stdlib.numpy.random import BitGenerator, RandomState
from engine.program.values import Builtin, Function, HostMethod, Module, Opaque, Silent, Super

HOST: tuple[type, ...] = (
    types.ModuleType, types.FrameType, types.CodeType, types.TracebackType, types.CellType,
    types.GetSetDescriptorType, types.WrapperDescriptorType, types.MethodDescriptorType,
    types.MethodWrapperType, types.ClassMethodDescriptorType, types.BuiltinFunctionType, types.SimpleNamespace,
    types.CoroutineType, super, memoryview, bytearray,
    np.ndarray, np.generic, np.dtype, np.ufunc, np.random.RandomState, np.random.Generator,
    io.IOBase, socket.socket, BaseException, Path, re.Pattern, State, Meter, Limits, Session,
)  # fmt: skip
"""What no program may hold an instance of."""

OF_THE_INTERPRETER: frozenset[type] = ITERATORS | {
    object, Function, Builtin, HostMethod, Module, Super, Silent, Opaque, Generator, ExceptionValue, property,
    staticmethod, classmethod, types.FunctionType, types.MethodType, types.NoneType, type(...), type(NotImplemented),
}  # fmt: skip
"""Classes that `type()` may show, beside those with a table of methods."""

ARRAYS = (Array, DType, BitGenerator, RandomState)
"""What stands for numpy's classes, under their names."""

PACKAGES = ("engine", "torch")
ENGINE = Path(engine.__file__).parent
INNER = frozenset({"state", "limits", "trace", "op", "observer", "running", "catalogue", "graph", "row", "emit", "vjp"})
"""Modules of the engine that a program has no business with."""

DEPTH = 4
ITEMS = 200

HOST_TEXT = re.compile(
    "|".join(
        [
            *(re.escape(path) for path in {sys.prefix, sys.base_prefix, str(Path(__file__).resolve().parents[2])}),
            r"<module '[^']*' (from|\()",
            r"<(frame|method-wrapper|slot wrapper|attribute) ",
            r"<code (?!object [\w<>]+ at 0x[0-9a-f]{1,8}, file \"<program>\")",
            r"<cell (?!at (?:0x[0-9a-f]{1,8}|0xADDR): )",
            r"<built-in method (?!\w+ of (type|Tensor) object at 0xADDR)",
            r"\b(site-packages|dist-packages|engine\.(program|state|limits|trace)|__pycache__)\b",
            r"\b0x[0-9a-f]{9,}\b",
        ]
    )
)
"""Text that only the host knows: its paths, its objects, its addresses."""


def host_value(value: Any) -> str | None:
    """Why a program may not hold this value; None if it may."""
    if isinstance(value, HOST) or isinstance(value, types.MappingProxyType) and is_of_a_class(value):
        return f"a {type(value).__name__}"
    if isinstance(value, type):
        return None if is_shown(value) else f"the class {value.__module__}.{value.__qualname__}"
    if type(value) is types.FunctionType and not is_shown_function(value):
        return f"the function {value.__code__.co_filename}: {value.__qualname__}"
    return None


def is_of_a_class(members: types.MappingProxyType[str, Any]) -> bool:
    """Whether these are the members of a class itself, not of what a program may see of its own."""
    named = members.get("__module__", "__main__")
    return named != "__main__" or "__program__" in members or any(isinstance(m, HOST) for m in members.values())


def is_shown_function(function: types.FunctionType) -> bool:
    """Whether a program may hold this function: one of the engine's, or the call of an op, written from its row."""
    source = function.__code__.co_filename
    if source == f"<{function.__name__}>":
        return True
    path = Path(source)
    if not path.is_relative_to(ENGINE):
        return False
    return path.relative_to(ENGINE).with_suffix("").parts[0] not in INNER


def is_shown(cls: type) -> bool:
    """Whether a program may hold this class."""
    if cls in OF_THE_INTERPRETER or cls in METHODS or "__program__" in cls.__dict__:
        return True
    if cls is type or issubclass(cls, (BaseException, types.ModuleType)):
        return False
    return issubclass(cls, (ExceptionValue, Builtin, *ARRAYS)) or of_the_engine(cls.__module__)


def of_the_engine(module: str | None) -> bool:
    """Whether a name of PyTorch's may come from this module of the engine."""
    package, *rest = (module or "").split(".")
    return package in PACKAGES and not (rest and rest[0] in INNER)


def host_values(values: dict[str, Any]) -> Iterator[str]:
    """`path: what it is` for everything in a program's variables that it may not hold."""
    todo = [(name, value, 0) for name, value in values.items()]
    seen: set[int] = set()
    while todo:
        path, value, depth = todo.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if (why := host_value(value)) is not None:
            yield f"{path}: {why}"
            continue
        if depth == DEPTH:
            continue
        if isinstance(value, dict | types.MappingProxyType):
            held = [*value.keys(), *value.values()]
        elif isinstance(value, (list, tuple, set, frozenset)):
            held = list(value)
        elif isinstance(value, type):
            held = []  # a class of a metaclass of the program
        elif "__program__" in type(value).__dict__ or isinstance(value, ExceptionValue):
            held = list(vars(value).values()) if hasattr(value, "__dict__") else []
        else:
            held = []
        todo += [(f"{path}[…]", item, depth + 1) for item in held[:ITEMS]]
