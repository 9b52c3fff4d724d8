"""Stand-ins for data that real libraries would fetch, each of which says so, put into the libraries once loaded; and
for libraries that are not here and only dress a program."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType

_MENDS = {
    "pandas": "clocks",
    "seaborn": "tables",
    "sklearn.datasets": "tables",
    "torchvision": "vision",
    "torchvision.models.feature_extraction": "models",
    "torchvision.models": "models",
    "tqdm": "bars",
    "tqdm.notebook": "bars",
}
"""Modules of libraries, and what here mends them: `MENDS[name](module)`."""
_mended = set[str]()


def prepare(name: str) -> None:
    """Before a library is imported: what torchvision registers for compiled code is left out."""
    if name.partition(".")[0] == "torchvision" and "torchvision" not in sys.modules:
        from engine.libraries import models  # noqa: PLC0415 - only where torchvision is used

        models.leave_out_registrations()


def mend() -> None:
    """After an import: put stand-ins into what has been loaded."""
    for name, room in _MENDS.items():
        module = sys.modules.get(name)
        if module is not None and name not in _mended:
            _mended.add(name)
            mends: dict[str, Callable[[ModuleType], None]] = import_module(f"{__name__}.{room}").MENDS
            mends[name](module)
