"""What artists say of themselves: where they are, how lines are dashed, which marker it is."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.markers import MarkerStyle


class Untold(Exception):
    """An artist that no series of a document can tell."""

    def __init__(self, artist: Any) -> None:
        super().__init__(type(artist).__name__)


def check(artist: Any) -> None:
    """Untold for what is drawn with more than lines and colours."""
    hatch = artist.get_hatch() if hasattr(artist, "get_hatch") else None
    gap = artist.get_gapcolor() if hasattr(artist, "get_gapcolor") else None
    odd = artist.get_path_effects(), artist.get_sketch_params(), artist.get_agg_filter(), artist.get_clip_path()
    if hatch or gap is not None or any(odd):
        raise Untold(artist)


def one(artist: Any, value: Any) -> float:
    """A number; Untold where there is one for each part of an artist."""
    if np.ndim(value):
        raise Untold(artist)
    return float(value)


def in_data(axes: Any, transform: Any, xy: Any) -> Any:
    """Points of an artist, in the coordinates of the data."""
    if transform is axes.transData:
        return xy
    found = axes.transData.inverted().transform(transform.transform(xy))
    return np.where(abs(found) < 1e-12 * np.nanmax(abs(found), initial=0), 0.0, found)


_STYLES = {"-": "-", "--": "--", "-.": "-.", ":": ":", "solid": "-", "dashed": "--", "dashdot": "-.", "dotted": ":"}


def dashes(artist: Any) -> str:
    """The style of a line, an empty text for none."""
    style = artist.get_linestyle()
    if isinstance(style, tuple):
        return dashes_of(style)
    return _STYLES.get(style, "")


def dashes_of(pattern: Any) -> str:
    """The style of which a pattern of lengths, drawn and not, is nearest."""
    _, lengths = pattern
    if lengths is None or not len(lengths):
        return "-"
    return "-." if len(lengths) > 2 else "--" if lengths[0] >= lengths[1] else ":"


_MARKERS = frozenset(". , o v ^ < > 1 2 3 4 8 s p P * h H + x X D d | _".split())
_CARETS = "__||<>^v<>^v"


def marker_named(marker: Any) -> str | None:
    """The marker of a line, None for none."""
    if isinstance(marker, str):
        if marker in ("", " ", "None", "none"):
            return None
        if marker in _MARKERS:
            return marker
    elif marker is None:
        return None
    elif isinstance(marker, int | np.integer) and 0 <= marker < len(_CARETS):
        return _CARETS[marker]
    raise Untold(marker)


def _outline(path: Any) -> tuple[Any, ...]:
    codes = () if path.codes is None else path.codes.tolist()
    return tuple(path.vertices.round(6).ravel().tolist()), tuple(codes)


_DRAWN: dict[tuple[Any, ...], str] = {}
for _name in sorted(_MARKERS - {","}):
    _style = MarkerStyle(_name)
    _DRAWN[_outline(_style.get_path().transformed(_style.get_transform()))] = _name


def marker_of(collection: Any) -> str:
    """The marker that all points of a collection have."""
    paths = collection.get_paths()
    name = _DRAWN.get(_outline(paths[0])) if len(paths) == 1 else None
    if name is None:
        raise Untold(collection)
    return name
