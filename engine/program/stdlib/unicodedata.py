"""`unicodedata`."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from itertools import groupby
from typing import Any

from engine.limits import meter
from engine.program.charges import grow
from engine.program.values import Builtin


def _normalize(form: Any, unistr: str) -> str:
    if not isinstance(unistr, str):
        raise TypeError(f"normalize() argument 2 must be str, not {type(unistr).__name__}")
    grow(18 * len(unistr))
    if not unistr.isascii():  # what combines is sorted by insertion
        runs = [sum(1 for _ in run) for marks, run in groupby(map(unicodedata.combining, unistr), bool) if marks]
        meter.charge((len(unistr) >> 2) + (sum([18 * run * run for run in runs]) >> 10))
    return unicodedata.normalize(form, unistr)


def _of_letter(name: str) -> Builtin:
    native: Callable[..., Any] = getattr(unicodedata, name)
    return Builtin(name, native)


MODULES: dict[str, dict[str, Any]] = {
    "unicodedata": {
        "normalize": Builtin("normalize", _normalize),
        **{
            name: _of_letter(name)
            for name in "category name combining bidirectional decimal digit numeric lookup east_asian_width".split()
        },
    }
}
