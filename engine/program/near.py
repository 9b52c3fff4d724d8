"""The name that was meant where a program asks for one that is not there, or the import that gives it."""

from __future__ import annotations

import ast
import builtins
import re
import sys
import warnings
from collections.abc import Iterable
from types import GetSetDescriptorType, ModuleType
from typing import Any

from engine.errors.explained import slips
from engine.errors.explained.imports import IMPORTS
from engine.program import surface

LARGEST = 50_000
"""Characters of a program that is looked into."""


def meant(error: BaseException, source: str) -> str | None:
    """What an error misses: the import that by custom gives its name, or the one name that is very like it.

    None for any other error.
    """
    if type(error) in (ImportError, ModuleNotFoundError):
        return _importable(error)
    name = getattr(error, "name", None)
    if type(name) is not str or len(name) > slips.LONGEST:
        return None
    if type(error) is NameError:
        bound = _bound(source)
        if name in IMPORTS and name not in bound:
            return IMPORTS[name]
        if f"self.{name}" in bound:
            return f"self.{name}"
        names: Iterable[str] = bound | vars(builtins).keys()
    elif type(error) is AttributeError and error.obj is not None:
        names = _attributes(error.obj)
    else:
        return None
    return slips.meant(name, names)


_IMPORTED = re.compile(
    r"cannot import name '(\w{1,40})' from '([\w.]+)'|No module named '(torch\.[\w.]*?)\.?(\w{1,40})'$"
)


def _importable(error: BaseException) -> str | None:
    """What an import of the engine, or of another module that is there, meant."""
    found = _IMPORTED.match(error.msg) if isinstance(error, ImportError) and type(error.msg) is str else None
    if found is None:
        return None
    name, path, package, last = found.groups()
    if name is None:
        inside = f"{package.rstrip('.')}."
        names: Iterable[str] = {each.removeprefix(inside) for each in surface.RECORDED if each.startswith(inside)}
        return slips.meant(last, [each for each in names if "." not in each])
    module = sys.modules.get(path)
    return None if type(module) is not ModuleType else slips.meant(name, _attributes(module))


def _bound(source: str) -> set[str]:
    """All that a program gives a name; what is found by `self` has it in front."""
    if len(source) > LARGEST:
        return set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            nodes = list(ast.walk(ast.parse(source)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return set()
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
            if isinstance(node, ast.ClassDef):
                names.update(f"self.{each.name}" for each in node.body if isinstance(each, ast.FunctionDef))
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                names.add(f"self.{node.attr}")
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name.partition(".")[0])
    return names


def _attributes(owner: Any) -> set[Any]:
    """What can be read of an object, found without running code of the program."""
    if isinstance(owner, ModuleType):
        return set(surface.module_names(owner.__name__) or vars(owner))
    kind = owner if isinstance(owner, type) else type(owner)
    names = set(surface.names_of(kind))
    for base in type.__getattribute__(kind, "__mro__"):
        if surface.key_of(base) not in surface.RECORDED:
            names.update(base.__dict__)
    held = {} if kind is owner else _fields(owner)
    for table in (held, *[held.get(each) for each in ("_parameters", "_buffers", "_modules")]):
        if type(table) is dict:
            names.update(table)
    return names


def _fields(owner: Any) -> dict[Any, Any]:
    for base in type(owner).__mro__:
        slot = base.__dict__.get("__dict__")
        if type(slot) is GetSetDescriptorType:
            found: dict[Any, Any] = slot.__get__(owner)
            return found
    return {}
