"""`tqdm`: the loop runs, no bar is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.program.builtins import BUILTINS
from engine.program.exceptions import EXCEPTIONS, host_exception
from engine.program.operators import finite
from engine.program.text import represent
from engine.program.values import Builtin

KEY_ERROR: Any = type("TqdmKeyError", (EXCEPTIONS["KeyError"],), {"__module__": "tqdm.std"})
_OPTIONS = frozenset(
    "file ncols mininterval maxinterval miniters ascii disable unit unit_scale dynamic_ncols smoothing bar_format"
    " initial position postfix unit_divisor write_bytes lock_args nrows colour delay gui".split()
)


class Bar:
    """A progress bar that shows nothing."""

    __module__ = "tqdm"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(
        self, iterable: Any = None, desc: Any = None, total: Any = None, leave: Any = True, *args: Any, **kwargs: Any
    ) -> None:
        unknown = {name: value for name, value in kwargs.items() if name not in _OPTIONS}
        if unknown:
            raise host_exception(KEY_ERROR(f"Unknown argument(s): {represent(unknown)}"))
        self.iterable = finite(() if iterable is None else iterable)
        self.n, self.desc, self.leave = kwargs.get("initial", 0), desc or "", leave
        self.total = len(iterable) if total is None and hasattr(iterable, "__len__") else total
        self.disable = bool(kwargs.get("disable", False))
        self.postfix: Any = None

    def __iter__(self) -> Iterator[Any]:
        if self.disable:
            yield from self.iterable
            return
        for each in self.iterable:
            yield each
            self.n += 1
        self.close()

    def __len__(self) -> int:
        return len(self.iterable) if self.total is None else int(self.total)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *exception: object) -> None:
        return None

    @staticmethod
    def write(s: Any, file: Any = None, end: Any = "\n", nolock: Any = False) -> None:
        """A line beside the bars."""
        for text in (s, end):
            if not isinstance(text, str):
                raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        BUILTINS["print"].function(s, end=end, file=file)

    def update(self, n: Any = 1) -> None:
        if not self.disable:
            self.n += n

    def close(self) -> None:
        self.disable = True

    def display(self, *args: Any, **kwargs: Any) -> None:
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
    return Bar(range(*args), **kwargs)


_CONTENTS: dict[str, Any] = {"tqdm": Bar, "trange": Builtin("trange", _trange), "TqdmKeyError": KEY_ERROR}
MODULES: dict[str, dict[str, Any]] = {name: _CONTENTS for name in ("tqdm", "tqdm.auto", "tqdm.notebook")}
