"""What of the engine is PyTorch's: the public names of its modules and classes that PyTorch has, too.

`surface.txt` is recorded from PyTorch by `tests.record.surface`: a module or class a line, what bases have left out. A
public name of a package that is not there is the engine's own business, and programs do not find it.
"""

from __future__ import annotations

from pathlib import Path
from types import FunctionType, ModuleType


def _recorded() -> dict[str, frozenset[str]]:
    lines = (Path(__file__).parent / "surface.txt").read_text().splitlines()
    return {key: frozenset(names.split()) for key, _, names in (line.partition(":") for line in lines)}


RECORDED = _recorded()
"""Module or class → names. Read at once: a locked-down process opens no files later."""


def key_of(cls: type) -> str:
    """The line of a class of the engine."""
    return f"{cls.__module__}.{cls.__qualname__}"


_known: dict[type, frozenset[str]] = {}


def names_of(cls: type) -> frozenset[str]:
    """The public names that PyTorch has of an engine class and its bases."""
    names = _known.get(cls)
    if names is None:
        names = _known[cls] = frozenset().union(*(RECORDED.get(key_of(base), ()) for base in cls.__mro__))
    return names


def module_names(path: str) -> frozenset[str]:
    """The public names that PyTorch's module `torch.…` has."""
    return RECORDED.get(path, frozenset())


PACKAGES = ("torch", "torch.nn", "torch.optim", "torch.autograd")
"""Those that have modules of ours beside PyTorch's."""


def hide(modules: dict[str, ModuleType]) -> None:
    """Take from packages what PyTorch's have not: `torch.nn.linear` is a slip, and no file of ours."""
    for path in PACKAGES:
        contents = vars(modules[path])
        needed = {
            name
            for value in contents.values()
            if isinstance(value, FunctionType) and value.__globals__ is contents
            for name in value.__code__.co_names
        }
        for name in contents.keys() - RECORDED[path] - needed:
            if not name.startswith("_") and name != "stand_in":
                del contents[name]
