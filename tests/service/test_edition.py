"""The edition names all that a result depends on besides its input."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from app.runs import Runs

HELLO: dict[str, Any] = {
    "engine": "1", "source": "a", "numpy": "2.0", "machine": ["3.12", "1.15", "x86_64", "AVX2"], "limits": {},
}  # fmt: skip


def edition(hello: dict[str, Any]) -> str:
    pool: Any = SimpleNamespace(hello=hello)
    nothing: Any = None
    return Runs(pool, nothing, nothing, values_bytes=1, result_bytes=1, counts=nothing).edition


@pytest.mark.parametrize("part", HELLO)
def test_another_engine_library_machine_or_limit_is_another_edition(part: str) -> None:
    assert edition(HELLO) == edition(dict(HELLO))
    assert edition({**HELLO, part: "another"}) != edition(HELLO)
