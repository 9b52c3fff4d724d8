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

    def __init__(
        self, iterable: Any = None, desc: Any = None, total: Any = None, leave: Any = True, *args: Any, **kwargs: Any
    ) -> None:
        self.iterable = finite(() if iterable is None else iterable)
        self.n, self.desc, self.leave = 0, desc or "", leave
        self.total = len(iterable) if total is None and hasattr(iterable, "__len__") else total
        self.postfix: Any = None

    def __iter__(self) -> Iterator[Any]:
        for each in self.iterable:
            yield each
            self.n += 1

    def __len__(self) -> int:
        return len(self.iterable) if self.total is None else int(self.total)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *exception: object) -> None:
        return None

    def update(self, n: Any = 1) -> None:
        self.n += n

    def close(self) -> None:
        """Nothing is drawn."""

    def set_description(self, desc: Any = None, refresh: Any = True) -> None:
        self.desc = f"{desc}: " if desc else ""

    def set_description_str(self, desc: Any = None, refresh: Any = True) -> None:
        self.desc = desc or ""

    def set_postfix(self, ordered_dict: Any = None, refresh: Any = True, **kwargs: Any) -> None:
        """Nothing is drawn."""

    def set_postfix_str(self, s: Any = "", refresh: Any = True) -> None:
        self.postfix = s

    def refresh(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is drawn."""

    def clear(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is drawn."""

    def unpause(self) -> None:
        """Nothing is drawn."""

    def reset(self, total: Any = None) -> None:
        self.n = 0
        self.total = self.total if total is None else total


Bar.__name__ = Bar.__qualname__ = "tqdm"


def _trange(*args: Any, **kwargs: Any) -> Bar:
    return Bar(range(*args))


_CONTENTS: dict[str, Any] = {"tqdm": Bar, "trange": Builtin("trange", _trange)}
MODULES: dict[str, dict[str, Any]] = {name: _CONTENTS for name in ("tqdm", "tqdm.auto", "tqdm.notebook")}
