"""A slice of every attack in each run of the tests; `make attack` does all of it."""

from __future__ import annotations

import pytest

from tests.attack.registry import ATTACKS, SLICE, Attack, carry_out

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_nothing_breaks(attack: Attack) -> None:
    for row in carry_out(attack.name, SLICE):
        assert row.failed == 0, "\n\n".join(row.failures)
        assert row.tried > 0
