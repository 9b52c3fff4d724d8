"""`tqdm`: the loop runs, no bar is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.program.operators import finite
from engine.program.values import Builtin


class Bar:
    """A progress bar that shows nothing."""

    __module__ = "tqdm"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, iterable: Any = (), *args: Any, **kwargs: Any) -> None:
        self.iterable = finite(iterable)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.iterable)

    def __len__(self) -> int:
        return len(self.iterable)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *exception: object) -> None:
        return None

    def update(self, n: Any = 1) -> None:
        """Nothing is drawn."""

    def close(self) -> None:
        """Nothing is drawn."""

    def set_description(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is drawn."""

    def set_postfix(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is drawn."""


Bar.__name__ = Bar.__qualname__ = "tqdm"


def _trange(*args: Any, **kwargs: Any) -> Bar:
    return Bar(range(*args))


_CONTENTS: dict[str, Any] = {"tqdm": Bar, "trange": Builtin("trange", _trange)}
MODULES: dict[str, dict[str, Any]] = {name: _CONTENTS for name in ("tqdm", "tqdm.auto", "tqdm.notebook")}
