"""What the document says of a figure: its axes and their series, or the picture where they cannot be told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from engine.program.figures.axis import axis_of, scaled
from engine.program.figures.numbers import paint, real
from engine.program.figures.pictures import picture_of
from engine.program.figures.places import place_of
from engine.program.figures.reading import Untold
from engine.program.figures.remembered import NAMED
from engine.program.figures.series import Told, alone, series_of
from engine.trace.sizes import shorten

SERIES, AXES = 60, 36
"""What is described of one axes and of one figure."""

Description = dict[str, Any]


@dataclass
class Panel:
    """Axes with those that lie upon them, their colour bars, and what they tell; `told` is None for a picture."""

    axes: list[Any]
    bars: list[Any] = field(default_factory=list)
    told: dict[int, list[Told]] | None = field(default_factory=dict)


def described(figure: Any, points: int, room: int) -> Description:
    """A figure, with at most `points` of each series, and pictures that take no more than `room` characters."""
    panels = list(_panels(figure))
    try:
        if _more(figure) or sum(len(panel.axes) for panel in panels) > AXES:
            raise Untold(figure)
        found = _described(figure, panels, points, room)
    except Untold:
        return _head(figure) | {"axes": [], "left": 0, "picture": picture_of(figure, None, room)}
    return _head(figure) | {"axes": found, "left": 0}


def _head(figure: Any) -> Description:
    suptitle = figure._suptitle
    return {
        "number": getattr(figure, "number", None),
        "name": shorten(str(figure.get_label())) or None,
        "size": [real(side) for side in figure.get_size_inches()],
        "title": "" if suptitle is None else shorten(suptitle.get_text()),
    }


def partly(figure: Any, points: int) -> Description:
    """The same without pictures: what cannot be told is named."""
    found = []
    for panel in list(_panels(figure))[:AXES]:
        axes = panel.axes[0]
        omitted: list[str] = []
        series = []
        for artist in axes._children:
            try:
                series += [told.described(points) for told in alone(axes, artist)]
            except Exception:  # also what matplotlib cannot place
                omitted.append(type(artist).__name__)
        names = list(dict.fromkeys(omitted))
        found.append(_axes(figure, axes) | {"series": series[:SERIES], "omitted": names})
    return _head(figure) | {"axes": found, "left": max(0, len(figure.axes) - len(found))}


def _more(figure: Any) -> bool:
    """Whether something is drawn beside the axes."""
    beside = [*figure.lines, *figure.patches, *figure.images, *figure.artists, *figure.subfigs]
    texts = [text for text in figure.texts if text is not figure._suptitle and text.get_text()]
    return any(artist.get_visible() for artist in [*beside, *texts])


def _panels(figure: Any) -> Iterator[Panel]:
    seen = [axes for axes in figure.axes if axes.get_visible()]
    plots = [axes for axes in seen if getattr(axes, "_colorbar", None) is None]
    bars = [axes._colorbar for axes in seen if getattr(axes, "_colorbar", None) is not None]
    done: set[int] = set()
    for axes in plots:
        if id(axes) in done:
            continue
        twins = [other for other in plots if other in axes._twinned_axes.get_siblings(axes)]
        done.update(map(id, twins))
        yield Panel(twins, [bar for bar in bars if getattr(bar.mappable, "axes", None) in twins])


def _described(figure: Any, panels: list[Panel], points: int, room: int) -> list[Description]:
    placed = [bar for panel in panels for bar in panel.bars]
    if any(getattr(axes, "_colorbar", None) not in (None, *placed) for axes in figure.axes if axes.get_visible()):
        raise Untold(figure)
    found: list[Description] = []
    for panel in panels:
        try:
            found += _told(figure, panel, points, len(found))
        except Exception:  # Untold, or numbers that are none: matplotlib may know better
            panel.told = None
            found.append({"picture": None})
    pictured = [panel for panel in panels if panel.told is None]
    apart = any(place_of(panel.axes[0])[0] is None for panel in pictured)  # it may lie upon others
    if len(pictured) == len(panels) or apart or (pictured and figure.legends):
        raise Untold(figure)
    _share_legends(figure, panels, found)
    at = 0
    for panel in panels:
        if panel.told is None:
            shown = picture_of(figure, [*panel.axes, *[bar.ax for bar in panel.bars]], room // len(pictured))
            found[at] = _axes(figure, panel.axes[0]) | {"picture": shown}
        at += 1 if panel.told is None else len(panel.axes)
    return found


def _told(figure: Any, panel: Panel, points: int, before: int) -> list[Description]:
    """The axes of a panel as data."""
    found = []
    for axes in panel.axes:
        if axes.name != "rectilinear" or axes.child_axes:
            raise Untold(axes)
        told = series_of(axes)
        if len(told) > SERIES:
            raise Untold(axes)
        series = [some.described(points) for some in told]
        panel.told = {**(panel.told or {}), id(axes): told}
        described = _axes(figure, axes)
        described |= {
            "x": axis_of(axes, "x"), "y": axis_of(axes, "y"), "twin": None if axes is panel.axes[0] else before,
            "series": series, "legend": _legend(axes.get_legend(), told, series),
            "colorbars": [
                {"series": at, "label": shorten(bar.ax.get_xlabel() if bar.orientation == "horizontal" else
                                                bar.ax.get_ylabel())}
                for bar in panel.bars if bar.mappable.axes is axes
                for at in [_index(bar.mappable, told)]
            ],
        }  # fmt: skip
        found.append(described)
    return found


def _axes(figure: Any, axes: Any) -> Description:
    place, box = place_of(axes)
    titles = [axes.get_title(where) for where in ("center", "left", "right")]
    grids = [axis.get_tick_params().get("gridOn", False) for axis in (axes.xaxis, axes.yaxis)]
    return {
        "place": place,
        "box": box,
        "title": shorten(next(filter(None, titles), "")),
        "x": scaled(axes, "x"),
        "y": scaled(axes, "y"),
        "frame": bool(axes.axison),
        "grid": any(grids),
        "equal": axes.get_aspect() == 1,
        "twin": None,
        "series": [],
        "left": 0,
        "legend": None,
        "colorbars": [],
        "omitted": [],
    }


# --- legends


def _index(artist: Any, told: list[Told]) -> int:
    for i, series in enumerate(told):
        if any(artist is some for some in series.of):
            return i
    raise Untold(artist)


def _legend(legend: Any, told: list[Told], series: list[Description]) -> Description | None:
    if legend is None or not legend.get_visible():
        return None
    entries = [{"label": shorten(label), "series": _named(handle, told, series)} for handle, label in _handles(legend)]
    return {"title": _title(legend), "entries": entries[:SERIES]}


def _title(legend: Any) -> str | None:
    title = legend.get_title()
    return shorten(title.get_text()) if title.get_visible() and title.get_text() else None


def _handles(legend: Any) -> list[tuple[Any, str]]:
    """What a legend names, and the names it has now."""
    named = NAMED.get(legend)
    if named is None:
        raise Untold(legend)
    texts = [text.get_text() for text in legend.get_texts()]
    labels = texts if len(texts) == len(named) else [label for _, label in named]
    return [(_first(handle), label) for (handle, _), label in zip(named, labels, strict=True)]


def _first(handle: Any) -> Any:
    return handle[0] if type(handle) in (tuple, list) and handle else handle


def _named(handle: Any, told: list[Told], series: list[Description]) -> int:
    """The series that a handle stands for: itself, or one of its colour."""
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


def _share_legends(figure: Any, panels: list[Panel], found: list[Description]) -> None:
    """Let the axes have what legends of the figure name in them."""
    for legend in figure.legends if found else ():
        left = _handles(legend) if legend.get_visible() else []
        described = iter(found)
        for panel in panels:
            for axes in panel.axes:
                some, told = next(described), (panel.told or {})[id(axes)]
                mine = [(handle, label) for handle, label in left if any(handle in series.of for series in told)]
                left = [pair for pair in left if pair not in mine]
                if mine and some["legend"] is not None:
                    raise Untold(legend)
                if mine:
                    entries = [{"label": shorten(label), "series": _index(handle, told)} for handle, label in mine]
                    some["legend"] = {"title": _title(legend), "entries": entries[:SERIES]}
        if left:
            raise Untold(legend)
