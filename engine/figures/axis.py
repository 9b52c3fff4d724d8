"""What stands along one side of axes: limits, scale, and marks where they were set."""

from __future__ import annotations

from typing import Any

from matplotlib import ticker
from matplotlib.category import StrCategoryLocator

from engine.document.limits import shorten
from engine.figures.numbers import plain, reals
from engine.figures.reading import Untold

_MOST = 60
"""Marks that are told of one axis."""
_SIDES = {"x": ("bottom", "top"), "y": ("left", "right")}
_CHOSEN = (ticker.AutoLocator, ticker.LogLocator, ticker.SymmetricalLogLocator)
_WRITTEN = (
    ticker.ScalarFormatter, ticker.LogFormatter, ticker.LogFormatterMathtext, ticker.LogFormatterSciNotation,
)  # fmt: skip
"""What places marks and writes numbers where the program says nothing of it."""
_KNEE = 2
"""Where the symlog scale of the page goes over from straight to logarithmic."""


def axis_of(axes: Any, which: str) -> dict[str, Any]:
    """One axis; Untold for a scale that the page does not have."""
    found = scaled(axes, which)
    axis = axes.xaxis if which == "x" else axes.yaxis
    if axis.get_scale() != found["scale"]:
        raise Untold(axis)
    if found["scale"] == "symlog" and axis.get_transform().linthresh != _KNEE:
        raise Untold(axis)
    return found


def scaled(axes: Any, which: str) -> dict[str, Any]:
    """One axis, with a scale that is linear if the page does not have it."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    scale, limits = axis.get_scale(), axes.get_xlim() if which == "x" else axes.get_ylim()
    seen = axis.get_visible() or len(axes._twinned_axes.get_siblings(axes)) > 1  # that of the others is shown
    ticks, labels = _marks(axis, which) if seen else ([], [])
    return {
        "scale": scale if scale in ("linear", "log", "symlog") else "linear",
        "limits": reals(limits),
        "label": shorten(axis.label.get_text()) if seen and axis.label.get_visible() else "",
        "ticks": ticks,
        "labels": labels,
    }


def _marks(axis: Any, which: str) -> tuple[list[Any] | None, list[str] | None]:
    locator, formatter = axis.get_major_locator(), axis.get_major_formatter()
    looks = axis.get_tick_params()
    written = any(looks.get(f"label{side}") for side in _SIDES[which])
    marked = any(looks.get(side) for side in _SIDES[which])
    nothing = isinstance(formatter, ticker.NullFormatter)
    if isinstance(locator, ticker.NullLocator) or (not written and not marked):
        return [], []
    if type(locator) in _CHOSEN and (type(formatter) in _WRITTEN or nothing):
        return ([], []) if nothing else (None, None if written else [])
    if isinstance(locator, ticker.FixedLocator):
        places = plain(locator.locs)
    else:
        places = plain(axis.get_majorticklocs())
        if not isinstance(locator, StrCategoryLocator):
            low, high = sorted(axis.get_view_interval())
            places = places[(places >= low) & (places <= high)]
    places = places[:_MOST]
    if type(formatter) in _WRITTEN:
        return reals(places), None if written else []
    words = formatter.format_ticks(places) if written and not nothing else []
    return reals(places), [shorten(str(word)) for word in words]
