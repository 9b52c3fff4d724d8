"""`numpy.testing`: assertions about arrays, in numpy's words."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import testing

from engine.limits import meter
from engine.program.arrays import as_array, unwrap
from engine.program.calls import call, callable_value
from engine.program.stdlib.unittest import raising
from engine.program.text import represent, to_text
from engine.program.values import HostMethod

_PASSES = 16
"""How often a comparison looks at each element, about."""
_NAMES = (
    "assert_allclose assert_almost_equal assert_array_almost_equal assert_equal assert_array_equal assert_array_less"
    " assert_approx_equal"
)


def _compared(value: Any) -> Any:
    found = unwrap(value)
    return found if isinstance(found, str | bool | int | float | complex | None) else as_array(value, texts=True)


def _assertion(name: str) -> HostMethod:
    native = getattr(testing, name)

    def run(actual: Any, desired: Any, *args: Any, **options: Any) -> None:
        left, right = _compared(actual), _compared(desired)
        size = max(np.size(left), np.size(right))
        meter.reserve(4 * size, 8)
        meter.charge(8 + (_PASSES * size >> 10))
        try:
            native(left, right, *map(unwrap, args), **{key: unwrap(option) for key, option in options.items()})
        except AssertionError as error:
            raise AssertionError(str(error)) from None

    return HostMethod(name, run)


def assert_(val: Any, msg: Any = "") -> None:
    if not val:
        raise AssertionError(to_text(call(msg, [], None) if callable_value(msg) else msg))


def assert_string_equal(actual: Any, desired: Any) -> None:
    if type(actual) is not str or type(desired) is not str:
        raise AssertionError(repr(type(actual if type(actual) is not str else desired)))
    meter.charge(1 + (len(actual) + len(desired)) ** 2 >> 4)
    testing.assert_string_equal(actual, desired)


def assert_raises(exception_class: Any, *args: Any, **kwargs: Any) -> Any:
    """As `unittest.TestCase.assertRaises`: a context, or a call that is to raise."""
    return raising(exception_class, None, None, args, kwargs)


def assert_raises_regex(exception_class: Any, expected_regexp: Any, *args: Any, **kwargs: Any) -> Any:
    return raising(exception_class, expected_regexp, None, args, kwargs)


def _assert_equal(actual: Any, desired: Any, err_msg: str = "", verbose: Any = True, *, strict: Any = False) -> None:
    """Lists and dictionaries item by item, everything else as arrays and numbers."""
    meter.charge(2)
    kind = next((kind for kind in (dict, list, tuple) if type(actual) is type(desired) is kind), None)
    if kind is None:
        _ASSERT_EQUAL.function(actual, desired, to_text(err_msg), verbose, strict=strict)
        return
    _assert_equal(len(actual), len(desired), err_msg, verbose)
    for key in desired if kind is dict else range(len(desired)):
        if kind is dict and key not in actual:
            raise AssertionError(represent(key))
        item = f"{'key' if kind is dict else 'item'}={represent(key)}\n{to_text(err_msg)}"
        _assert_equal(actual[key], desired[key], item, verbose)


_ASSERT_EQUAL = _assertion("assert_equal")
TESTING: dict[str, Any] = {
    **{name: _assertion(name) for name in _NAMES.split()},
    **{
        function.__name__: HostMethod(function.__name__, function)
        for function in (assert_, assert_raises, assert_raises_regex, assert_string_equal)
    },
    "assert_equal": HostMethod("assert_equal", _assert_equal),
}
