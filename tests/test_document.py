"""What is made of the declaration of the run document is current."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.document import MADE


@pytest.mark.parametrize("path", MADE, ids=lambda path: path.name)
def test_what_is_made_of_the_declaration_is_current(path: Path) -> None:
    """`python -m tools.document` makes it."""
    assert path.read_text("utf-8") == MADE[path]()
