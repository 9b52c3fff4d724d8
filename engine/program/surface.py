"""What of the engine is PyTorch's: the public names of its modules and classes that PyTorch has, too.

`surface.txt` is recorded from PyTorch by `tests.record.surface`: a module or class a line, what bases have left out. A
public name that is not there is the engine's own business, and no program can read it.
"""

from __future__ import annotations

from pathlib import Path


def _recorded() -> dict[str, frozenset[str]]:
    lines = (Path(__file__).parent / "surface.txt").read_text().splitlines()
    return {key: frozenset(names.split()) for key, _, names in (line.partition(":") for line in lines)}


RECORDED = _recorded()
"""Module or class → names. Read at once: a locked-down process opens no files later."""


ONLY_IMPORTED = {"torch.optim": frozenset(("adam", "lbfgs", "optimizer", "sgd"))}
"""Package → modules that `import` finds, and that are no attributes of it."""


def key_of(cls: type) -> str:
    """The line of a class of the engine."""
    return f"{cls.__module__}.{cls.__qualname__}"


def only_here(cls: type) -> frozenset[str]:
    """The public names that an engine class stores in its objects and PyTorch lacks: recorded with a minus."""
    recorded = frozenset().union(*(RECORDED.get(key_of(base), frozenset()) for base in cls.__mro__))
    return frozenset(name[1:] for name in recorded if name.startswith("-"))


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
