"""`tqdm` where no thread can watch it and no notebook draws it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


def _unwatched(module: Any) -> None:
    module.tqdm.monitor_interval = 0


def _in_letters(module: Any) -> None:
    plain = sys.modules["tqdm.std"]
    module.tqdm = module.tqdm_notebook = plain.tqdm
    module.trange = module.tnrange = plain.trange


MENDS: dict[str, Callable[[ModuleType], None]] = {"tqdm": _unwatched, "tqdm.notebook": _in_letters}
