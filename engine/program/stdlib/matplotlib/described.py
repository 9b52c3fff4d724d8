"""What the document says of a figure: its numbers, few enough to be read, and how they look (docs/trace.md)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.stdlib.matplotlib.artists import Artist, range_of
from engine.program.stdlib.matplotlib.axes import Axes, Axis
from engine.program.stdlib.matplotlib.colors import color
from engine.program.stdlib.matplotlib.figures import Figure
from engine.trace.sizes import shorten

SERIES, AXES = 60, 36
"""What is described of one axes and of one figure."""
_EXACT = 400
"""Cells of an image up to which the document has their numbers, and not only their colours."""


def described(figure: Figure, points: int) -> dict[str, Any]:
    """A figure, with at most `points` of each series and ten times as many cells of an image."""
    axes = [some for some in figure.axes if some.visible]
    return {
        "number": figure.number,
        "name": None if figure.name is None else shorten(figure.name),
        "size": [_short(side) for side in figure.inches],
        "title": shorten(figure.title),
        "axes": [_axes(some, axes, points) for some in axes[:AXES]],
        "left": max(0, len(axes) - AXES),
    }


def _axes(self: Axes, others: list[Axes], points: int) -> dict[str, Any]:
    place = self.place
    artists = [artist for artist in self.artists if artist.visible and artist.kind in _DESCRIBE]
    shown = sorted(artists[:SERIES], key=lambda artist: artist.order)
    numbers = {id(artist): i for i, artist in enumerate(shown)}
    found: dict[str, Any] = {
        "place": None if place is None else {
            "grid": list(place.grid), "row": place.row, "column": place.column, "rows": place.rows,
            "columns": place.columns,
        },
        "box": None if self.box is None else [_short(side) for side in self.box],
        "title": shorten(self.title),
        "x": _axis(self.x),
        "y": _axis(self.y),
        "frame": self.shown,
        "grid": self.grid,
        "equal": self.aspect == "equal",
        "twin": others.index(self.twin) if self.twin is not None and self.twin in others else None,
        "series": [_series(artist, points) for artist in shown],
        "left": len(artists) - len(shown),
        "legend": None,
        "colorbars": [
            {"series": numbers[id(artist)], "label": shorten(label)}
            for artist, label in self.colorbars if id(artist) in numbers
        ],
        "omitted": [shorten(name) for name in self.omitted][:SERIES],
    }  # fmt: skip
    if self.legend is not None:
        entries = [(label, numbers[id(artist)]) for artist, label in self.legend.entries if id(artist) in numbers]
        title = self.legend.title
        found["legend"] = {
            "title": None if title is None else shorten(title),
            "entries": [{"label": shorten(label), "series": number} for label, number in entries[:SERIES]],
        }
    return found


def _axis(self: Axis) -> dict[str, Any]:
    scale = self.scale
    ticks, labels = self.ticks, self.labels
    if ticks is None and scale.categories.places and labels is None:
        ticks, labels = list(map(float, scale.categories.places.values())), list(scale.categories.places)
    return {
        "scale": scale.kind,
        "limits": short(np.array(scale.limits())),
        "label": shorten(self.label),
        "ticks": None if ticks is None else short(np.array(ticks[:SERIES])),
        "labels": None if labels is None else [shorten(label) for label in labels[:SERIES]],
    }


# --- numbers


def _short(value: float, digits: int = 6) -> Any:
    if not math.isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    found = float(f"{value:.{digits}g}")
    return int(found) if found == int(found) and abs(found) < 1e15 else found


def short(values: Any) -> list[Any]:
    """Numbers with as many digits as a picture of them can show."""
    digits = 6
    finite = values[np.isfinite(values)]
    if finite.size:
        most, span = float(np.abs(finite).max()), float(finite.max() - finite.min())
        if most > span > 1e-9 * most:
            digits = min(15, 6 + math.ceil(math.log10(most / span)))
    meter.charge(int(values.size) >> 4)
    return [_short(value, digits) for value in values.tolist()]


def _chosen(x: Any, y: Any, points: int) -> Any:
    """Which points of a line are kept: where it is lowest and highest in each of as many parts as fit, if x grows."""
    meter.charge(int(x.size) >> 6)
    grows = bool((np.diff(x) >= 0).all())
    if not grows:
        return np.unique(np.linspace(0, len(x) - 1, points).round().astype(int))
    parts = np.linspace(0, len(x), points // 2 + 1).astype(int)
    low, high = np.where(np.isnan(y), np.inf, y), np.where(np.isnan(y), -np.inf, y)
    kept = [0, len(x) - 1]
    for first, last in zip(parts[:-1], parts[1:], strict=True):
        if last > first:
            kept += [first + int(low[first:last].argmin()), first + int(high[first:last].argmax())]
    return np.unique(kept)


def _evenly(count: int, points: int) -> Any:
    return np.unique(np.linspace(0, count - 1, points).round().astype(int)) if count > points else np.arange(count)


# --- series


def _paint(value: Any, alpha: float | None) -> tuple[str | None, float]:
    found = color(value) if value is not None else None
    if found is None or found.hex is None:
        return None, 1.0 if alpha is None else alpha
    own = 1.0 if found.alpha is None else found.alpha
    return found.hex, _short(own if alpha is None else alpha, 3)


def _series(self: Artist, points: int) -> dict[str, Any]:
    label = self.label
    named = None if label is None or label.startswith("_") else shorten(label)
    return {"kind": self.kind, "label": named, **_DESCRIBE[self.kind](self, points)}


def _line(self: Artist, points: int) -> dict[str, Any]:
    x, y, style = self.data["x"], self.data["y"], self.style
    count = min(len(x), len(y))
    x, y = x[:count], y[:count]
    if count > points:
        kept = _chosen(x, y, points)
        x, y = x[kept], y[kept]
    paint, alpha = _paint(style.get("color"), style.get("alpha"))
    faces = style.get("markerfacecolor")
    return {
        "x": short(x),
        "y": short(y),
        "of": count,
        "color": paint,
        "alpha": alpha,
        "style": _none(style.get("linestyle", "-")) or "",
        "width": _short(style.get("linewidth", 1.5)),
        "marker": _none(style.get("marker")),
        "size": _short(style.get("markersize", 6.0)),
        "hollow": type(faces) is str and faces.lower() in ("none", "w", "white"),
        "steps": str(style["drawstyle"])[6:] if str(style.get("drawstyle", "")).startswith("steps-") else None,
    }


def _none(value: Any) -> str | None:
    return None if value in (None, "None") else value


def _points(self: Artist, points: int) -> dict[str, Any]:
    x, y, style = self.data["x"], self.data["y"], self.style
    kept = _evenly(len(x), points)
    sizes = style.get("sizes")
    paint, alpha = _paint(style.get("color"), style.get("alpha"))
    colours = style.get("colors")
    found: dict[str, Any] = {
        "x": short(x[kept]),
        "y": short(y[kept]),
        "of": len(x),
        "color": paint,
        "alpha": alpha,
        "marker": _none(style["marker"]),
        "sizes": [36] if sizes is None else short(sizes[kept] if len(sizes) == len(x) else sizes[:1]),
        "edge": None if style.get("edge") is None else _paint(style["edge"], None)[0],
    }
    if colours is not None:
        found["colors"] = [_paint(colours[i % len(colours)], None)[0] for i in kept.tolist()]
    if "values" in self.data:
        found |= {"values": short(self.data["values"][kept]), **_map(self)}
    return found


def _map(self: Artist) -> dict[str, Any]:
    return {"range": short(np.array(range_of(self))), "colormap": self.style["cmap"].described()}


def _bars(self: Artist, points: int) -> dict[str, Any]:
    style, data = self.style, self.data
    kept = _evenly(len(data["x"]), max(points // 2, 1))
    paint, alpha = _paint(style.get("color"), style.get("alpha"))
    sides = {name: data[name][kept] for name in ("x", "y", "width", "height")}
    if len(kept) < len(data["x"]):
        along, wide = ("x", "width") if style["upright"] else ("y", "height")
        sides[wide] = np.append(np.diff(sides[along]), sides[wide][-1:])
    colours = style.get("colors")
    return {
        **{name: short(side) for name, side in sides.items()},
        "of": len(data["x"]),
        "upright": style["upright"],
        "color": paint,
        "alpha": alpha,
        "edge": None if style.get("edge") is None else _paint(style["edge"], None)[0],
        "hollow": style.get("hollow", False),
        **({} if colours is None else {"colors": [_paint(colours[i], None)[0] for i in kept.tolist()]}),
    }


def _fill(self: Artist, points: int) -> dict[str, Any]:
    data, style = self.data, self.style
    kept = _chosen(data["x"], data["high"], points) if len(data["x"]) > points else np.arange(len(data["x"]))
    paint, alpha = _paint(style["color"], style.get("alpha"))
    return {
        "x": short(data["x"][kept]), "low": short(data["low"][kept]), "high": short(data["high"][kept]),
        "of": len(data["x"]), "upright": style.get("upright", True), "outline": style.get("outline", False),
        "color": paint, "alpha": alpha,
    }  # fmt: skip


def _segments(self: Artist, points: int) -> dict[str, Any]:
    rows, style = self.data["rows"], self.style
    kept = rows[_evenly(len(rows), max(points // 2, 1))]
    paint, alpha = _paint(style.get("color"), style.get("alpha"))
    return {
        "from": [short(kept[:, 0]), short(kept[:, 1])], "to": [short(kept[:, 2]), short(kept[:, 3])], "of": len(rows),
        "color": paint, "alpha": alpha, "style": _none(style["linestyle"]) or "", "width": _short(style["linewidth"]),
        "caps": style.get("caps", False),
    }  # fmt: skip


def _rule(self: Artist, points: int) -> dict[str, Any]:
    style = self.style
    paint, alpha = _paint(style["color"], style.get("alpha"))
    return {
        "axis": style["axis"], "at": _short(style["at"]), "part": [_short(end) for end in style["part"]],
        "color": paint, "alpha": alpha, "style": _none(style["linestyle"]) or "", "width": _short(style["linewidth"]),
    }  # fmt: skip


def _span(self: Artist, points: int) -> dict[str, Any]:
    paint, alpha = _paint(self.style["color"], self.style.get("alpha"))
    ends = [_short(end) for end in self.style["span"]]
    return {"axis": self.style["axis"], "span": ends, "color": paint, "alpha": alpha}


def _text(self: Artist, points: int) -> dict[str, Any]:
    style = self.style
    paint, alpha = _paint(style.get("color", "black"), style.get("alpha"))
    to, offset = style.get("to"), style.get("offset")
    return {
        "text": shorten(style["text"]), "x": _short(style["x"]), "y": _short(style["y"]), "where": style["where"],
        "across": style.get("horizontalalignment", "left"), "upward": style.get("verticalalignment", "baseline"),
        "to": None if to is None else [_short(end) for end in to],
        "offset": None if offset is None else [_short(end) for end in offset],
        "color": paint, "alpha": alpha,
    }  # fmt: skip


def _image(self: Artist, points: int) -> dict[str, Any]:
    rgb = self.data.get("rgb")
    cells = self.data["values"] if rgb is None else rgb
    rows, columns = cells.shape[:2]
    meter.charge(int(cells.size) >> 7)
    step = max(1, math.ceil(math.sqrt(rows * columns * (1 if rgb is None else 3) / (10 * points))))
    kept = cells[step // 2 :: step, step // 2 :: step]
    found: dict[str, Any] = {
        "extent": short(np.array(self.style["extent"])),
        "rows": kept.shape[0],
        "columns": kept.shape[1],
        "of": [rows, columns],
        "alpha": 1 if self.style.get("alpha") is None else _short(self.style["alpha"], 3),
    }
    meter.charge(int(kept.size) >> 3)
    if rgb is not None:
        return {**found, "rgb": [row.tobytes().hex() for row in kept]}
    low, high = range_of(self)
    if kept.size <= _EXACT:
        found["values"] = [short(row) for row in kept]
    else:
        share = np.clip((kept - low) / ((high - low) or 1.0), 0, 1)
        levels = np.where(np.isnan(share), -1, np.nan_to_num(share) * 255).round().astype(int)
        found["levels"] = levels.tolist()
    return {**found, **_map(self)}


def _contour(self: Artist, points: int) -> dict[str, Any]:
    data, style = self.data, self.style
    rows, columns = data["z"].shape
    most = max(2, math.isqrt(4 * points))
    at, along = _evenly(rows, most), _evenly(columns, most)
    z = data["z"][np.ix_(at, along)]
    return {
        "x": short(data["x"][along]), "y": short(data["y"][at]),
        "z": [[_short(value, 5) for value in row] for row in z.tolist()], "of": [rows, columns],
        "levels": short(data["levels"]), "filled": style["filled"], "colors": style["colors"],
        "extend": style["extend"] if style["extend"] in ("both", "min", "max") else "neither",
        "alpha": 1 if style.get("alpha") is None else _short(style["alpha"], 3),
        "width": _short(style["linewidth"]), "style": _none(style["linestyle"]) or "",
    }  # fmt: skip


_DESCRIBE = {
    "line": _line, "points": _points, "bars": _bars, "fill": _fill, "segments": _segments, "rule": _rule,
    "span": _span, "text": _text, "image": _image, "contour": _contour,
}  # fmt: skip
