"""What an attack has found is kept in docs/security.md by the command alone, and every attack is there."""

from __future__ import annotations

import re
from pathlib import Path

from tests.attack.__main__ import BEGIN, END, keep
from tests.attack.registry import ATTACKS
from tests.attack.report import HEAD, Result, attack_of

PAGE = Path(__file__).parents[2] / "docs" / "security.md"


def kept() -> list[str]:
    table = PAGE.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]
    assert table.startswith(f"\n{HEAD}\n")
    return table.splitlines()[3:]


def test_every_attack_is_described_and_has_a_row() -> None:
    described = PAGE.read_text("utf-8").partition("## The attacks")[2].partition("\n\nEach is")[0]
    assert sorted(re.findall(r"^\| `(\w+)` \|", described, re.M)) == sorted(ATTACKS)
    assert list(dict.fromkeys(attack_of(row) for row in kept())) == list(ATTACKS)
    assert all(row.count(" | ") == 7 for row in kept())


def test_rows_take_the_place_of_those_before(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.read_text("utf-8"), "utf-8")
    first, *others = [row for row in kept() if attack_of(row) != "cell"]
    keep(page, [Result("cell, Landlock 1", "holds", 7, 1, [], {"locks": "all", "share": 0.5}, 3.2, 0.25)])
    rows = page.read_text("utf-8").partition(BEGIN)[2].partition(END)[0].splitlines()[3:]
    assert [row for row in rows if attack_of(row) != "cell"] == [first, *others]
    [row] = [row for row in rows if attack_of(row) == "cell"]
    assert row.startswith("| cell, Landlock 1 | holds | 7 | 1 | locks all, share 0.5 | 0.25 | 3 | 20")
    assert page.read_text("utf-8").partition(END)[2] == PAGE.read_text("utf-8").partition(END)[2]
