"""How numpy writes arrays: `set_printoptions`, `array2string`, `array_str` and `array_repr`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from engine.program import session as sessions
from engine.program.arrays import as_array, printing, unwrap, wrap
from engine.program.calls import call
from engine.program.values import Builtin

_MODES = ("fixed", "unique", "maxprec", "maxprec_equal")
_LEGACY = {"1.13": 113, "1.21": 121, "1.25": 125, "2.1": 201, "2.2": 202}
_LONGEST = 64
"""Characters of what stands for NaN and infinity, between elements and before lines."""
_MOST = 100_000
"""What numbers among the options are at most."""
_DIGITS = 1_000


def _said(
    precision: Any = None, threshold: Any = None, edgeitems: Any = None, linewidth: Any = None, suppress: Any = None,
    nanstr: Any = None, infstr: Any = None, formatter: Any = None, sign: Any = None, floatmode: Any = None, *,
    legacy: Any = None, override_repr: Any = None,
) -> dict[str, Any]:  # fmt: skip
    """The options that are given, as numpy keeps them. Raises TypeError and ValueError in its words."""
    if floatmode not in (*_MODES, None):
        known = ", ".join([f'"{mode}"' for mode in _MODES])
        raise ValueError(f"floatmode option must be one of {known}")
    if sign not in (None, "-", "+", " "):
        raise ValueError("sign option must be one of ' ', '+', or '-'")
    if legacy is not None and legacy is not False and legacy not in _LEGACY:
        warnings.warn(
            "legacy printing option can currently only be '1.13', '1.21', '1.25', '2.1', '2.2' or `False`", stacklevel=1
        )
    most = unwrap(threshold)
    if most is not None and (not isinstance(most, int | float | np.number) or isinstance(most, np.ndarray)):
        raise TypeError("threshold must be numeric")
    if most is not None and most != most:
        raise ValueError("threshold must be non-NAN, try sys.maxsize for untruncated representation")
    digits = unwrap(precision)
    if digits is not None and not isinstance(digits, int | np.integer):
        raise TypeError("precision must be an integer")
    for name, text in (("nanstr", nanstr), ("infstr", infstr)):
        if text is not None and (type(text) is not str or len(text) > _LONGEST):
            raise ValueError(f"{name} is a text of at most {_LONGEST} characters here")
    found = {
        "precision": None if digits is None else int(digits), "threshold": threshold, "edgeitems": edgeitems,
        "linewidth": linewidth, "suppress": None if suppress is None else bool(suppress), "nanstr": nanstr,
        "infstr": infstr, "sign": sign, "formatter": formatter, "floatmode": floatmode, "legacy": legacy,
    }  # fmt: skip
    return {name: value for name, value in found.items() if value is not None}


def _native(said: dict[str, Any]) -> dict[str, Any]:
    """The options as numpy gets them, in bounds."""
    found = dict(said)
    for name, most in (("precision", _DIGITS), ("threshold", _MOST), ("edgeitems", _MOST), ("linewidth", _MOST)):
        if name in found:
            found[name] = max(0, int(min(unwrap(found[name]), most)))  # which may be infinite
    if "formatter" in found:
        found["formatter"] = {key: _calling(value) for key, value in found["formatter"].items() if value is not None}
    if found.get("legacy") not in (*_LEGACY, None, False):
        del found["legacy"]
    return found


def _calling(function: Any) -> Callable[[Any], Any]:
    return lambda element: call(function, [wrap(element)], None)


def _kept() -> dict[str, Any]:
    found: Any = sessions.active.settings.get(("numpy", "printoptions as said"))
    return {} if found is None else found


def _keep(said: dict[str, Any]) -> None:
    sessions.active.settings["numpy", "printoptions as said"] = said
    sessions.active.settings["numpy", "printoptions"] = _native(said)


def set_printoptions(*args: Any, **options: Any) -> None:
    _keep({name: value for name, value in _kept().items() if name != "formatter"} | _said(*args, **options))


set_printoptions.__qualname__ = _said.__qualname__ = "set_printoptions"


def get_printoptions() -> dict[str, Any]:
    return {**np.get_printoptions(), **_kept()}


class PrintOptions:
    """`numpy.printoptions`."""

    __module__ = "numpy"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, *args: Any, **options: Any) -> None:
        self._args, self._options = args, options

    def __enter__(self) -> dict[str, Any]:
        self._before = _kept()
        set_printoptions(*self._args, **self._options)
        return get_printoptions()

    def __exit__(self, *exception: object) -> None:
        _keep(self._before)


def _with(more: dict[str, Any], array: Any) -> AbstractContextManager[Any]:
    """The options of the run and these, for the text of an array, which is charged."""
    return printing(array, {**sessions.active.settings.get(("numpy", "printoptions"), {}), **_native(more)})


def array2string(
    a: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None, separator: str = " ",
    prefix: str = "", *, formatter: Any = None, threshold: Any = None, edgeitems: Any = None, sign: Any = None,
    floatmode: Any = None, suffix: str = "", legacy: Any = None,
) -> str:  # fmt: skip
    array = as_array(a, texts=True)
    for name, text in (("separator", separator), ("prefix", prefix), ("suffix", suffix)):
        if len(text) > _LONGEST:
            raise ValueError(f"{name} has at most {_LONGEST} characters here")
    more = _said(
        precision, threshold, edgeitems, max_line_width, suppress_small, None, None, formatter, sign, floatmode,
        legacy=legacy,
    )  # fmt: skip
    with _with(more, array):
        return np.array2string(array, separator=separator, prefix=prefix, suffix=suffix)


def array_str(a: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None) -> str:
    value = as_array(a, texts=True)
    with _with(_said(precision, None, None, max_line_width, suppress_small), value):
        return np.array_str(value)


def array_repr(arr: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None) -> str:
    value = as_array(arr, texts=True)
    with _with(_said(precision, None, None, max_line_width, suppress_small), value):
        return np.array_repr(value)


PRINTING: dict[str, Any] = {
    "printoptions": PrintOptions,
    **{
        function.__name__: Builtin(function.__name__, function)
        for function in (set_printoptions, get_printoptions, array2string, array_str, array_repr)
    },
}
