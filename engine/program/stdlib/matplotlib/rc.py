"""`rcParams`: what programs set and read back. Each run has its own copy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.program.shared import own
from engine.program.stdlib.matplotlib import given
from engine.program.stdlib.matplotlib.colors import CYCLE
from engine.program.text import represent


class Cycler:
    """`cycler.Cycler`: what series take in turn, by property."""

    __slots__ = ("properties",)
    __module__ = "cycler"

    def __init__(self, properties: dict[str, list[Any]]) -> None:
        self.properties = properties

    def by_key(self) -> dict[str, list[Any]]:
        return {key: list(values) for key, values in self.properties.items()}

    def __len__(self) -> int:
        return min([len(values) for values in self.properties.values()], default=0)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter([{key: values[i] for key, values in self.properties.items()} for i in range(len(self))])

    def __repr__(self) -> str:
        return " + ".join([f"cycler({key!r}, {represent(values)})" for key, values in self.properties.items()])


def cycler(*args: Any, **properties: Any) -> Cycler:
    """`cycler(color=[…])`, `cycler("color", […])`."""
    if len(args) == 1 and isinstance(args[0], Cycler):
        return args[0]
    if len(args) == 2:
        properties = {args[0]: args[1]}
    return Cycler({key: given.several(list(v) if type(v) is str else v) or [] for key, v in properties.items()})


SETTINGS: dict[str, Any] = {
    "figure.figsize": [6.4, 4.8], "figure.dpi": 100.0, "figure.facecolor": "white", "figure.autolayout": False,
    "font.size": 10.0, "font.family": ["sans-serif"], "font.sans-serif": ["DejaVu Sans"], "font.weight": "normal",
    "axes.prop_cycle": Cycler({"color": list(CYCLE)}), "axes.grid": False, "axes.titlesize": "large",
    "axes.labelsize": "medium", "axes.unicode_minus": True, "axes.facecolor": "white", "axes.linewidth": 0.8,
    "axes.spines.top": True, "axes.spines.right": True, "lines.linewidth": 1.5, "lines.markersize": 6.0,
    "legend.fontsize": "medium", "legend.loc": "best", "xtick.labelsize": "medium", "ytick.labelsize": "medium",
    "image.cmap": "viridis", "image.interpolation": "auto", "image.origin": "upper", "savefig.dpi": "figure",
    "text.usetex": False, "mathtext.fontset": "dejavusans", "grid.alpha": 1.0, "grid.linestyle": "-",
}  # fmt: skip


def setting(name: str) -> Any:
    """What a setting is in this run."""
    settings = own(SETTINGS)
    return settings.get(name, SETTINGS[name]) if isinstance(settings, dict) else SETTINGS[name]


def size(value: Any) -> tuple[float, float]:
    """Width and height in inches. TypeError for what is no pair."""
    pair = given.several(value)
    if pair is None:
        raise TypeError(f"object of type '{type(value).__name__}' has no len()")
    if len(pair) != 2:
        raise ValueError(
            f"Key figure.figsize: Expected 2 values, but there are {len(pair)} values in {represent(value)}"
        )
    return given.number(pair[0]), given.number(pair[1])
