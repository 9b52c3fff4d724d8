"""The declaration of the run document: what is made of it is current, and numbers are written as they lie."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.document.numbers import shaped
from tools.document import MADE


@pytest.mark.parametrize("path", MADE, ids=lambda path: path.name)
def test_what_is_made_of_the_declaration_is_current(path: Path) -> None:
    """`python -m tools.document` makes it."""
    assert path.read_text("utf-8") == MADE[path]()


@pytest.mark.parametrize(
    "shape", [(), (3,), (2, 3), (0,), (0, 0), (0, 3, 0), (2, 0), (2, 0, 3), (2, 3, 0)], ids=lambda shape: str(shape)
)
def test_numbers_lie_in_lists_as_those_of_numpy_do(shape: tuple[int, ...]) -> None:
    array = np.arange(np.prod(shape, dtype=int), dtype=float).reshape(shape)
    assert shaped(array.ravel().tolist(), shape) == array.tolist()
