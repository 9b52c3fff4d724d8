"""The engine as the program sees it: `torch` and its submodules, built from what the engine's modules offer."""

from __future__ import annotations

from collections import deque
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any

from engine.program import surface
from engine.program.admission import STANDING_FOR, admit
from engine.program.values import UNSET, Module, Silent

_modules: dict[int, Any] = {}
_paths: dict[int, str] = {}
SILENT_TORCH: frozenset[str] = frozenset(
    {"torch.utils.tensorboard", "torch.profiler", "torch.autograd.profiler", "torch.utils.benchmark"}
)
"""Parts of torch that set up hardware or report: they accept everything and do nothing."""
ONLY_IN_PROGRAMS: dict[str, Any] = {}
"""Paths in `torch` that only programs have; `stdlib.io`, `stdlib.parallel` and `stdlib.torch_modules` have them."""
_SCALARS = (int, float, bool, str, complex)


def torch_module(name: str) -> Any:
    """`torch` or one of its submodules by dotted name; None when there is none."""
    found: Any = module_of(import_module("engine.torch"))
    for part in name.split(".")[1:]:
        if type(found) is not Module:
            return None
        found = found.find(part)
        if not isinstance(found, Module | Silent):
            return None
    return found


def module_of(module: ModuleType) -> Any:
    """The program's module for one of the engine's; UNSET for any other."""
    if module.__name__.partition(".")[0] not in ("engine", "torch"):
        return UNSET
    known = _modules.get(id(module))
    if known is None:
        if not _paths:
            _paths.update({key: path for key, (path, _) in sources().items()})
        public = _paths.get(id(module))
        known = _modules[id(module)] = UNSET if public is None else _wrap(public, module)
    return known


STANDING_FOR[ModuleType] = module_of


def _wrap(public: str, source: Any) -> Module:
    names = offered(source) & surface.module_names(public)

    def find(name: str) -> Any:
        full = f"{public}.{name}"
        if full in ONLY_IN_PROGRAMS:
            return ONLY_IN_PROGRAMS[full]
        if full in SILENT_TORCH:
            return Silent(full)
        if name not in names and name != "__version__":
            return UNSET
        value = vars(source)[name] if name in vars(source) else getattr(source, name, UNSET)
        if isinstance(value, ModuleType):
            return module_of(value)
        return value if type(value) in _SCALARS else admit(value)

    return Module(public, find, lambda: sorted(names - surface.ONLY_IMPORTED.get(public, frozenset())))


def sources() -> dict[int, tuple[str, Any]]:
    """Every module of the engine that `torch` leads to on the shortest way, by id: its public name, and itself."""
    todo: deque[tuple[str, Any]] = deque([("torch", import_module("engine.torch"))])
    found: dict[int, tuple[str, Any]] = {}
    while todo:
        path, source = todo.popleft()
        if id(source) not in found:
            found[id(source)] = path, source
            todo += submodules(path, source, offered(source) & surface.module_names(path))
    return found


def submodules(path: str, source: Any, names: frozenset[str]) -> list[tuple[str, Any]]:
    """The modules among the names of one, by path."""
    contents = vars(source)
    return [(f"{path}.{name}", contents[name]) for name in sorted(names) if isinstance(contents.get(name), ModuleType)]


def offered(source: Any) -> frozenset[str]:
    """The names a module offers: its `__all__` and its own submodules, or else what it defines itself."""
    contents = vars(source)
    own = contents.get("__name__", "")
    submodules = {
        name
        for name, value in contents.items()
        if isinstance(value, ModuleType) and value.__name__ == f"{own}.{name}" and not name.startswith("_")
    }
    listed = contents.get("__all__")
    if listed is not None:
        return frozenset(listed) | submodules
    return frozenset(submodules) | {
        name
        for name, value in contents.items()
        if not name.startswith("_") and (not isinstance(source, ModuleType) or _defined_in(value, own))
    }


def _defined_in(value: Any, module: str) -> bool:
    if isinstance(value, FunctionType | type):
        return value.__module__ == module or value.__module__.startswith("torch")
    return type(value) in _SCALARS
