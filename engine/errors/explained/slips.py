"""The name that was meant where one is asked for that is not there, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

ALIKE = 0.8
"""How alike two names are, by `difflib`, of which one is a slip of the other."""

LONGEST = 40
MOST = 5_000
"""Characters of a name, and names, that are looked into."""


GONE = {
    "asscalar": "item", "cumproduct": "cumprod", "in1d": "isin", "product": "prod", "trapz": "trapezoid",
    "bool8": "bool_", "int0": "intp", "msort": "sort",
}  # fmt: skip
"""Names that libraries have no more, and what took their place."""

NO_SLIPS = frozenset({"names", "requires_grad"})
"""Names that are like others, and are meant: texts about them say what became of them."""


def meant(name: str, names: Iterable[object]) -> str | None:
    """The one of `names` that is very like `name`; None where none is."""
    if len(name) > LONGEST or name in NO_SLIPS:
        return None
    known = {each for each in names if type(each) is str and (name.startswith("_") or not each.startswith("_"))}
    if len(known) > MOST:
        return None
    if name in GONE:
        return GONE[name] if GONE[name] in known else None
    same = [each for each in known if each != name and sorted(each.lower()) == sorted(name.lower())]
    found = same if len(same) == 1 else get_close_matches(name, known - {name}, 1, ALIKE)
    return found[0] if found else None


def fix(meant: str) -> str:
    """What helps, for readers: to write the name that was meant, or to begin with the import that gives it."""
    return f"Begin with {meant}." if " " in meant else f"Write {meant}, if that is what is meant."
