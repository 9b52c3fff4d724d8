"""What names mean in the texts of rows, where they stand for functions of numpy values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

NUMPY: dict[str, Any] = {"np": np, "inf": float("inf"), "nan": float("nan")}
"""What names mean in kernels and in formulas of an ordinary backward pass. Ops and rules enter themselves too."""


def kernel(function: F) -> F:
    """A function of numpy values that the texts of rows may call by its name."""
    NUMPY[function.__name__] = function
    return function
