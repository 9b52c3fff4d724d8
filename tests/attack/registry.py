"""The attacks there are, and what each takes. An attack is a module here with `attack(size) -> Result` (or several)."""

from __future__ import annotations

import importlib
import traceback
from dataclasses import dataclass

from tests.attack.report import Result

SLICE = 0.01
"""The size that `make test` does: a few seconds each."""


@dataclass(frozen=True)
class Attack:
    """One module. `seconds` is what size 1.0 takes on one ordinary core.

    An attack that judges clock times runs `alone`: nothing else runs beside it.
    """

    name: str
    seconds: float
    alone: bool = False


ATTACKS: dict[str, Attack] = {
    attack.name: attack
    for attack in (
        Attack("purity", 450),
        Attack("mutation", 300),
        Attack("memory", 260),
        Attack("cell", 60),
        Attack("bodies", 20),
        Attack("api", 30),
        Attack("damage", 60),
        Attack("replies", 90),
        Attack("load", 190, alone=True),
        Attack("neighbours", 90),
        Attack("networks", 450, alone=True),
        Attack("unread", 140, alone=True),
        Attack("kills", 20, alone=True),
        Attack("sockets", 20, alone=True),
    )
}


def carry_out(name: str, size: float) -> list[Result]:
    """The rows of one attack. One that cannot be loaded, or that breaks itself, is a broken row and never left out."""
    try:
        found = importlib.import_module(f"tests.attack.{name}").attack(size)
    except Exception:
        return [broken(name, traceback.format_exc(limit=-6))]
    return [found] if isinstance(found, Result) else list(found)


def broken(name: str, why: str) -> Result:
    """The row of an attack that did not come to an end."""
    row = Result(name, "the attack itself runs")
    row.expect(False, why)
    return row
