"""Statements in which random programs once printed something else than under torch."""

import pytest

import engine
from tests.engine.random_calls import FOUND, found, program_of
from tests.engine.random_uses import statements


@pytest.mark.parametrize("group", range(len(found())))
def test_what_random_programs_found_prints_what_torch_printed(group: int) -> None:
    document = engine.run(code=program_of(found()[group]), seed=1).document
    assert document["error"] is None
    expected = statements(FOUND.read_text())[1:][40 * group : 40 * group + 40]
    for theirs, ours in zip(expected, statements(document["stdout"])[1:], strict=True):
        assert ours == theirs
