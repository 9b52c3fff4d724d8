"""`numpy.errstate`, `seterr` and `geterr`: what numpy does about divisions by zero and their like."""

from __future__ import annotations

from typing import Any

from engine.program import session as sessions
from engine.program.arrays import ERRORS
from engine.program.calls import call
from engine.program.values import Builtin


def _geterr() -> dict[str, str]:
    return dict(sessions.active.settings.get(("numpy", "errors"), ERRORS))


def _seterr(
    all: Any = None, divide: Any = None, over: Any = None, under: Any = None, invalid: Any = None  # noqa: A002
) -> dict[str, str]:
    before = _geterr()
    asked = {"divide": divide, "over": over, "under": under, "invalid": invalid}
    wanted = {kind: asked[kind] or all or before[kind] for kind in before}
    for mode in wanted.values():
        if mode not in ("ignore", "warn", "raise"):
            raise ValueError(f"{mode!r} is not available here: errors are to ignore, warn or raise")
    sessions.active.settings["numpy", "errors"] = wanted
    return before


class _Errstate:
    """`numpy.errstate`."""

    __module__ = "numpy"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = kwargs

    def __enter__(self) -> None:
        self._before = _seterr(**self._kwargs)

    def __exit__(self, *exception: object) -> None:
        sessions.active.settings["numpy", "errors"] = self._before

    def __call__(self, func: Any) -> Any:
        def run(*args: Any, **kwargs: Any) -> Any:
            with _Errstate(**self._kwargs):
                return call(func, args, kwargs or None)

        return Builtin(getattr(func, "__name__", "run"), run)


ERRSTATE: dict[str, Any] = {
    "seterr": Builtin("seterr", _seterr), "errstate": _Errstate, "geterr": Builtin("geterr", _geterr),
}  # fmt: skip
