"""What the document says of a figure: its axes and their series, or the picture where they cannot be told."""

from __future__ import annotations

from typing import Any

from engine.document.limits import shorten
from engine.figures.axis import axis_of, scaled
from engine.figures.numbers import paint, real
from engine.figures.pictures import picture_of
from engine.figures.places import place_of
from engine.figures.reading import Untold
from engine.figures.remembered import NAMED
from engine.figures.series import Told, series_of

SERIES, AXES = 60, 36
"""What is described of one axes and of one figure; what has more is a picture."""

Description = dict[str, Any]


def described(figure: Any, points: int, room: int) -> Description:
    """A figure, with at most `points` of each series, and pictures that take no more than `room` characters."""
    title = figure._suptitle
    head = {
        "number": getattr(figure, "number", None),
        "name": shorten(str(figure.get_label())) or None,
        "size": [real(side) for side in figure.get_size_inches()],
        "title": "" if title is None else shorten(title.get_text()),
        "axes": [],
        "left": 0,
    }
    try:
        return head | {"axes": _panels(figure, points, room)}
    except Untold:
        return head | {"picture": picture_of(figure, None, room)}


def _panels(figure: Any, points: int, room: int) -> list[Description]:
    """The axes, those that cannot be told as pictures. Untold for what is drawn beside them, or if none can be told."""
    beside = [
        *figure.lines, *figure.patches, *figure.images, *figure.artists, *figure.subfigs, *figure.legends,
        *(text for text in figure.texts if text is not figure._suptitle and text.get_text()),
    ]  # fmt: skip
    seen = [axes for axes in figure.axes if axes.get_visible()]
    bars = {id(axes): axes._colorbar for axes in seen if getattr(axes, "_colorbar", None) is not None}
    plots = [axes for axes in seen if id(axes) not in bars]
    of = {id(bar): getattr(bar.mappable, "axes", None) for bar in bars.values()}
    if any(artist.get_visible() for artist in beside) or len(plots) > AXES or not all(map(plots.count, of.values())):
        raise Untold(figure)
    found: list[Description] = []
    pictured: dict[int, list[Any]] = {}
    for base in plots:
        upon = [axes for axes in plots if axes in base._twinned_axes.get_siblings(base)]
        if base is not upon[0]:
            continue
        own = [bar for bar in bars.values() if of[id(bar)] in upon]
        try:
            found += [_told(axes, None if axes is base else len(found), own, points) for axes in upon]
        except Exception:  # Untold, or places that are no numbers: matplotlib may know better
            if place_of(base)[0] is None:  # it may lie upon others
                raise Untold(base) from None
            pictured[len(found)] = [*upon, *[bar.ax for bar in own]]
            found.append(_described(base))
    if len(pictured) == len(found):
        raise Untold(figure)
    for at, axes in pictured.items():
        found[at]["picture"] = picture_of(figure, axes, room // len(pictured))
    return found


def _described(axes: Any) -> Description:
    """What is said of axes whatever is in them."""
    place, box = place_of(axes)
    titles = [axes.get_title(where) for where in ("center", "left", "right")]
    return {
        "place": place,
        "box": box,
        "title": shorten(next(filter(None, titles), "")),
        "x": scaled(axes, "x"),
        "y": scaled(axes, "y"),
        "frame": bool(axes.axison),
        "grid": any(axis.get_tick_params().get("gridOn", False) for axis in (axes.xaxis, axes.yaxis)),
        "equal": axes.get_aspect() == 1,
        "twin": None,
        "series": [],
        "left": 0,
        "legend": None,
        "colorbars": [],
        "omitted": [],
    }


def _told(axes: Any, twin: int | None, bars: list[Any], points: int) -> Description:
    """Axes as data."""
    told = series_of(axes)
    if axes.name != "rectilinear" or axes.child_axes or len(told) > SERIES:
        raise Untold(axes)
    series = [some.described(points) for some in told]
    return _described(axes) | {
        "x": axis_of(axes, "x"),
        "y": axis_of(axes, "y"),
        "twin": twin,
        "series": series,
        "legend": _legend(axes.get_legend(), told, series),
        "colorbars": [
            {"series": _index(bar.mappable, told), "label": shorten(bar.long_axis.label.get_text())}
            for bar in bars
            if bar.mappable.axes is axes
        ],
    }


def _index(artist: Any, told: list[Told]) -> int:
    for i, series in enumerate(told):
        if any(artist is some for some in series.of):
            return i
    raise Untold(artist)


def _legend(legend: Any, told: list[Told], series: list[Description]) -> Description | None:
    if legend is None or not legend.get_visible():
        return None
    named = NAMED.get(legend)
    if named is None:
        raise Untold(legend)
    texts = [text.get_text() for text in legend.get_texts()]
    labels = texts if len(texts) == len(named) else [label for _, label in named]
    title = legend.get_title()
    return {
        "title": shorten(title.get_text()) if title.get_visible() and title.get_text() else None,
        "entries": [
            {"label": shorten(label), "series": _named(handle, told, series)}
            for (handle, _), label in zip(named[:SERIES], labels, strict=False)
        ],
    }


def _named(handle: Any, told: list[Told], series: list[Description]) -> int:
    """The series that a handle stands for: itself, or one of its colour."""
    if type(handle) in (tuple, list):
        handle = handle[0]
    try:
        at = _index(handle, told)
    except Untold:
        colour = _colour(handle)
        for i, some in enumerate(series):
            if colour is not None and some.get("color") == colour and some["kind"] != "text":
                return i
        raise
    if "colors" in series[at] and handle not in told[at].of[:2]:
        raise Untold(handle)  # one bar of several colours
    return at


def _colour(handle: Any) -> str | None:
    read = getattr(handle, "get_color", None) or getattr(handle, "get_facecolor", None)
    try:
        return paint(read())[0] if read is not None else None
    except ValueError:  # several colours
        return None
