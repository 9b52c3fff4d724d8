"""`numpy.testing`: assertions about arrays, in numpy's words."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import testing

from engine.limits import meter
from engine.program.arrays import as_array, unwrap
from engine.program.values import HostMethod

_PASSES = 16
"""How often a comparison looks at each element, about."""
_NAMES = (
    "assert_allclose assert_almost_equal assert_array_almost_equal assert_equal assert_array_equal assert_array_less"
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


TESTING: dict[str, Any] = {name: _assertion(name) for name in _NAMES.split()}
