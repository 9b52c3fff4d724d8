"""The parts of complex numbers, side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine import errors
from engine.kernels.names import kernel
from engine.types import dtypes


@kernel
def view_as_real_kernel(a: Any) -> Any:
    if a.dtype.kind != "c":
        raise errors.view_as_real_type()
    a = np.asarray(a)
    return a.reshape((*a.shape, 1)).view(dtypes.of(a.dtype).to_real().np)


def check_parts(first: Any, second: Any) -> None:
    """Refuse what no complex numbers are made of."""
    names = dtypes.of(first.dtype).type_name, dtypes.of(second.dtype).type_name
    if first.dtype.char not in "efd" or second.dtype.char not in "efd":
        raise errors.complex_parts(*names)
    if first.dtype != second.dtype:
        raise errors.complex_dtypes(*names)
