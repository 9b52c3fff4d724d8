"""Record which names modules have that programs can import, and that are not here.

    .venv/bin/python -m tests.record.absent | <python with all of them> -m tests.record.absent --compare

The first half lists what the engine offers; the second compares with what the modules of Python, numpy, PyTorch,
torchvision, matplotlib, scikit-learn, einops and tqdm have, all installed there, and writes
`engine/program/absent.txt`: a module a line.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import pkgutil
import sys
import warnings
from pathlib import Path
from types import ModuleType

TARGET = Path(__file__).parent.parent.parent / "engine" / "program" / "absent.txt"


def offered() -> dict[str, list[str]]:
    """The names of every module that a program can import, by path."""
    from engine.program.bridge import module_of, sources
    from engine.program.stdlib import find, provided

    modules = {path: module_of(source).names() for path, source in sources().values()}
    return modules | {name: find(name).names() for name in provided()}


def names_in(path: str) -> set[str]:
    """What the real module has, its own submodules among them; nothing where it cannot be imported."""
    try:
        with warnings.catch_warnings(), contextlib.redirect_stderr(None):
            warnings.simplefilter("ignore")
            module = importlib.import_module(path)
    except Exception:
        return set()
    inside = {found.name for found in pkgutil.iter_modules(getattr(module, "__path__", ()))}
    own = {name for name in dir(module) if not imported(module, name)}
    return {name for name in own | inside if not name.startswith("__")}


def imported(module: ModuleType, name: str) -> bool:
    """Whether a name is a module that stands elsewhere: `torch.os`."""
    value = getattr(module, name, None)
    return isinstance(value, ModuleType) and not value.__name__.startswith(module.__name__)


def lacking(modules: dict[str, list[str]]) -> dict[str, list[str]]:
    """Per module the names that only the real one has."""
    found = {path: sorted(names_in(path) - set(names)) for path, names in modules.items()}
    return {path: names for path, names in found.items() if names}


def superfluous(modules: dict[str, list[str]]) -> dict[str, list[str]]:
    """Per module of other people the names that the real one has not."""
    roots = ("einops", "functorch", "scipy", "sklearn", "torchvision")
    others = [path for path in modules if path.partition(".")[0] in roots]
    found = {path: [n for n in modules[path] if not hasattr(importlib.import_module(path), n)] for path in others}
    return {path: names for path, names in found.items() if names}


def main() -> None:
    if "--compare" not in sys.argv:
        json.dump(offered(), sys.stdout)
        return
    modules: dict[str, list[str]] = json.load(sys.stdin)
    ours = superfluous(modules)
    if ours:
        raise SystemExit(f"names that the real modules have not: {ours}")
    found = lacking(modules)
    TARGET.write_text("".join(f"{path}: {' '.join(names)}\n" for path, names in sorted(found.items())))


if __name__ == "__main__":
    main()
