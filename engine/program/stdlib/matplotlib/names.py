"""What matplotlib has, recorded by `tests.record.pyplot`: what is not drawn here is still no mistake of the program."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from engine.limits import meter
from engine.program.text import represent


def _recorded() -> dict[str, frozenset[str]]:
    lines = (Path(__file__).parent / "names.txt").read_text().splitlines()
    return {key: frozenset(names.split()) for key, _, names in (line.partition(": ") for line in lines)}


NAMES = _recorded()
"""Module or class → its names; `Line2D.set` → the properties that can be given when one is made."""

ALIASES: dict[str, str] = {
    "lw": "linewidth", "linewidths": "linewidth", "ls": "linestyle", "linestyles": "linestyle", "c": "color",
    "colors": "color", "fc": "facecolor", "facecolors": "facecolor", "ec": "edgecolor", "edgecolors": "edgecolor",
    "ms": "markersize", "mec": "markeredgecolor", "mew": "markeredgewidth", "mfc": "markerfacecolor",
    "ds": "drawstyle", "ha": "horizontalalignment", "va": "verticalalignment", "size": "fontsize",
}  # fmt: skip


def properties(kind: str, given: dict[str, Any], also: str = "") -> dict[str, Any]:
    """Properties by their full names. AttributeError for one that this kind of thing does not have."""
    known = NAMES.get(f"{kind}.set", frozenset())
    found: dict[str, Any] = {}
    for key, value in given.items():
        if key not in known and key not in also.split():
            raise AttributeError(f"{kind}.set() got an unexpected keyword argument '{key}'")
        found[key if kind == "Line2D" and key in ("colors",) else ALIASES.get(key, key)] = value
    return found


def one_of(value: Any, supported: tuple[Any, ...], name: str) -> Any:
    """The value, if it is among these. ValueError in matplotlib's words if not."""
    if value in supported:
        return value
    listed = ", ".join(map(repr, supported))
    raise ValueError(f"{value!r} is not a valid value for {name}. Supported values are {listed}")


def unknown(value: Any, name: str, known: Collection[str]) -> str:
    """What matplotlib says of a text that is none of those that it knows."""
    meter.charge(len(known) >> 1)
    near = get_close_matches(value[:80], known, cutoff=0.5) if type(value) is str else []
    meant = "" if not near else f" Did you mean{'' if len(near) == 1 else ' one of'}: {', '.join(map(repr, near))}?"
    return f"{represent(value)} is not a valid value for {name}.{meant}"
