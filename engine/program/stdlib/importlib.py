"""`importlib`: modules by name, and the versions that those which are here stand for."""

from __future__ import annotations

from typing import Any

from engine.program.exceptions import EXCEPTIONS, host_exception
from engine.program.stdlib import find
from engine.program.values import UNSET, Builtin, Module, Opaque

PACKAGE_NOT_FOUND: Any = type(
    "PackageNotFoundError", (EXCEPTIONS["ModuleNotFoundError"],), {"__module__": "importlib.metadata"}
)
_DISTRIBUTIONS = {"scikit-learn": "sklearn"}


def _checked(name: Any) -> str:
    if not isinstance(name, str):
        raise AttributeError(f"'{type(name).__name__}' object has no attribute 'startswith'")
    return name


def _import_module(name: Any, package: Any = None) -> Any:
    found = find(_checked(name))
    if found is None:
        raise host_exception(EXCEPTIONS["ModuleNotFoundError"](f"No module named '{name.partition('.')[0]}'"))
    return found


def _find_spec(name: Any, package: Any = None) -> Any:
    return None if find(_checked(name)) is None else Opaque(f"ModuleSpec(name={name!r})")


def _version(distribution_name: Any) -> str:
    module = find(_DISTRIBUTIONS.get(_checked(distribution_name), distribution_name))
    found = module.find("__version__") if type(module) is Module else UNSET
    if not isinstance(found, str):
        raise host_exception(PACKAGE_NOT_FOUND(f"No package metadata was found for {distribution_name}"))
    return found


def _reload(module: Any) -> Any:
    """Nothing can have changed it."""
    if type(module) is not Module:
        raise TypeError("reload() argument must be a module")
    return module


_METADATA: dict[str, Any] = {"version": Builtin("version", _version), "PackageNotFoundError": PACKAGE_NOT_FOUND}
_UTIL: dict[str, Any] = {"find_spec": Builtin("find_spec", _find_spec)}
MODULES: dict[str, dict[str, Any]] = {
    "importlib": {
        "import_module": Builtin("import_module", _import_module), "reload": Builtin("reload", _reload),
        "metadata": Module.of("importlib.metadata", _METADATA), "util": Module.of("importlib.util", _UTIL),
    },
    "importlib.metadata": _METADATA,
    "importlib.util": _UTIL,
}  # fmt: skip
