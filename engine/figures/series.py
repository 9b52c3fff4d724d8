"""What is drawn in axes as series of the document, read from matplotlib's artists (docs/trace.md).

Raises `Untold` for what no series can tell: the picture that matplotlib itself draws has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.collections import EventCollection, FillBetweenPolyCollection, LineCollection, PathCollection, QuadMesh
from matplotlib.container import BarContainer, ErrorbarContainer, StemContainer
from matplotlib.contour import QuadContourSet
from matplotlib.image import AxesImage
from matplotlib.lines import AxLine, Line2D
from matplotlib.patches import Polygon, Rectangle, StepPatch
from matplotlib.text import Annotation, Text

from engine.document.limits import shorten
from engine.figures.numbers import evenly, paint, paints, plain, real, reals, telling
from engine.figures.reading import Untold, check, dashes, dashes_of, in_data, marker_named, marker_of, one
from engine.figures.surfaces import contours, image, mapped, mesh

Description = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Told:
    """A series: the artists and containers it stands for, and its description with so many points."""

    of: tuple[Any, ...]
    order: float
    label: str | None
    tell: Callable[[int], Description]

    def described(self, points: int) -> Description:
        found = self.tell(points)
        return {"kind": found.pop("kind"), "label": self.label, **found}


def series_of(axes: Any) -> list[Told]:
    """All that is to be seen in axes, lowest first."""
    held = {id(artist): container for container in axes.containers for artist in _artists(container)}
    told: list[Told] = []
    done: set[int] = set()
    for artist in axes._children:
        container = held.get(id(artist))
        if container is not None:
            if id(container) not in done:
                done.add(id(container))
                told += _contained(axes, container)
        elif artist.get_visible():
            told += _alone(axes, artist)
    return sorted(told, key=lambda some: some.order)


def _artists(container: Any) -> Iterator[Any]:
    for part in container:
        if isinstance(part, tuple | list):
            yield from part
        elif part is not None:
            yield part


def _label(artist: Any) -> str | None:
    text = artist.get_label()
    return None if text in (None, "") or str(text).startswith("_") else shorten(str(text))


def _contained(axes: Any, container: Any) -> Iterator[Told]:
    parts = [artist for artist in _artists(container) if artist.get_visible() and artist.axes is not None]
    if not parts:
        return
    for artist in parts:
        check(artist)
    if isinstance(container, BarContainer):
        upright = container.orientation != "horizontal"
        labels = [label for part in (container, *parts) if (label := _label(part)) is not None]
        yield Told((container, *parts), parts[0].get_zorder(), labels[0] if len(labels) == 1 else None,
                   lambda points: _bars(axes, parts, upright, points))  # fmt: skip
    elif isinstance(container, ErrorbarContainer):
        yield from _errorbars(axes, container)
    elif isinstance(container, StemContainer):
        for artist in parts:
            label = _label(container) if artist is container.markerline else None
            for told in _alone(axes, artist):
                yield Told((container, *told.of) if label else told.of, told.order, label, told.tell)
    else:
        raise Untold(container)


def _errorbars(axes: Any, container: Any) -> Iterator[Told]:
    line, caps, bars = container.lines
    label = _label(container)
    if line is not None and line.get_visible():
        yield Told((container, line), line.get_zorder(), label, lambda points: _line(axes, line, points))
        label = None
    if any(marker_named(cap.get_marker()) not in ("_", "|") for cap in caps):
        raise Untold(container)
    if bars:
        rows = np.concatenate([_rows(axes, each) for each in bars])
        looks = _looks(bars[0], 0)
        of = bars if line is not None else (container, *bars)
        yield Told(of, bars[0].get_zorder(), label, lambda points: _segments(rows, looks, bool(caps), points))


def _alone(axes: Any, artist: Any) -> list[Told]:
    check(artist)
    kind = type(artist)
    if isinstance(artist, LineCollection) and kind in (LineCollection, EventCollection):
        return list(_collected(axes, artist))
    if kind is Text and not artist.get_text():
        return []
    tell = _TELL.get(kind)
    if tell is None:
        raise Untold(artist)
    return [Told((artist,), artist.get_zorder(), _label(artist), lambda points: tell(axes, artist, points))]


def _line(axes: Any, line: Any, points: int) -> Description:
    x, y = plain(line.get_xdata(orig=False)), plain(line.get_ydata(orig=False))
    colour, alpha = paint(line.get_color(), line.get_alpha())
    marker = marker_named(line.get_marker())
    looks = {"color": colour, "alpha": alpha, "style": dashes(line), "width": real(line.get_linewidth())}
    transform = line.get_transform()
    across = {id(axes.get_xaxis_transform(which="grid")): "x", id(axes.get_yaxis_transform(which="grid")): "y"}
    which = across.get(id(transform))
    if which is not None and marker is None and len(x) == 2:
        at, part = (x, y) if which == "x" else (y, x)
        if at[0] == at[1]:
            return {"kind": "rule", "axis": which, "at": real(at[0]), "part": [real(end) for end in part], **looks}
    if transform is not axes.transData:
        x, y = in_data(axes, transform, np.stack([x, y], axis=1)).T
    kept = telling(x, y, points)
    found = {
        "kind": "line", "x": reals(x[kept]), "y": reals(y[kept]), "of": len(x), **looks, "marker": marker,
        "size": real(line.get_markersize()), "hollow": False, "steps": _steps(line),
    }  # fmt: skip
    return found if marker is None else found | _marked(line, found)


def _marked(line: Any, found: Description) -> Description:
    """How the points of a line are marked, where they are."""
    if line.get_markevery() is not None or line.get_fillstyle() not in ("full", "none"):
        raise Untold(line)
    face = line.get_markerfacecolor()
    hollow = line.get_fillstyle() == "none" or (isinstance(face, str) and face.lower() in ("none", "w", "white"))
    inside = None if hollow or not line._marker.is_filled() else paint(face)[0]
    if inside in (None, found["color"]):
        return {"hollow": hollow}
    if found["style"]:
        raise Untold(line)
    return {"color": inside}


def _steps(line: Any) -> str | None:
    style = line.get_drawstyle()
    return None if style == "default" else style.removeprefix("steps").removeprefix("-") or "pre"


def _points(axes: Any, collection: Any, points: int) -> Description:
    x, y = in_data(axes, collection.get_offset_transform(), plain(collection.get_offsets()).reshape(-1, 2)).T
    kept = evenly(len(x), points)
    sizes, values = collection.get_sizes(), collection.get_array()
    if values is not None:
        mapping = mapped(collection)  # before it is known what colours there are
        collection.update_scalarmappable()
    faces, edges = collection.get_facecolor(), collection.get_edgecolor()
    found = {
        "kind": "points", "x": reals(x[kept]), "y": reals(y[kept]), "of": len(x), "color": None, "alpha": 1,
        "marker": marker_of(collection), "sizes": reals(sizes[kept] if len(sizes) == len(x) else sizes[:1]),
        "edge": None if np.array_equal(faces, edges) or len(edges) != 1 else paint(edges[0])[0],
    }  # fmt: skip
    if values is not None:
        alpha = collection.get_alpha()
        return found | {"alpha": 1 if alpha is None else real(one(collection, alpha), 3), **mapping,
                        "values": reals(plain(values).reshape(-1)[kept])}  # fmt: skip
    colours, alpha = paints(faces)
    if len(colours) > 1:
        found["colors"] = [colours[i % len(colours)] for i in kept.tolist()]
    else:
        found["color"] = colours[0] if colours else None
    return {**found, "alpha": alpha}


def _bars(axes: Any, patches: list[Any], upright: bool, points: int) -> Description:
    for patch in patches:
        if patch.get_data_transform() != axes.transData or patch.get_angle():
            raise Untold(patch)
    try:
        sides = {
            name: np.array([getattr(patch, f"get_{name}")() for patch in patches], dtype=np.float64)
            for name in ("x", "y", "width", "height")
        }
    except TypeError:  # dates
        raise Untold(patches[0]) from None
    kept = evenly(len(patches), max(points // 2, 1))
    if len(kept) < len(patches):
        along, wide = ("x", "width") if upright else ("y", "height")
        places = sides[along][kept]
        sides = {name: side[kept] for name, side in sides.items()}
        sides[wide] = np.append(np.diff(places), sides[wide][-1:])
    edges, opaque = paints([patch.get_edgecolor() for patch in patches])
    colours, alpha = paints([patch.get_facecolor() for patch in patches])
    hollow = all(colour is None for colour in colours)
    if any(patch.get_linestyle() not in ("-", "solid") for patch, edge in zip(patches, edges, strict=True) if edge):
        raise Untold(patches[0])
    if hollow:
        colours, alpha = edges, opaque
    edge = edges[0] if edges[0] != colours[0] else None
    return {
        "kind": "bars", **{name: reals(side) for name, side in sides.items()}, "of": len(patches), "upright": upright,
        "color": colours[0], "alpha": alpha, "edge": edge, "hollow": hollow,
        **({} if len(set(colours)) == 1 else {"colors": [colours[i] for i in kept.tolist()]}),
    }  # fmt: skip


def _rectangle(axes: Any, patch: Any, points: int) -> Description:
    transform = patch.get_data_transform()
    (x, y), width, height = patch.get_xy(), patch.get_width(), patch.get_height()
    spans = {
        "x": (axes.get_xaxis_transform(which="grid"), (y, height), (x, width)),
        "y": (axes.get_yaxis_transform(which="grid"), (x, width), (y, height)),
    }
    for which, (wanted, across, (first, length)) in spans.items():
        if transform is wanted and across == (0, 1) and not patch.get_angle():
            colour, alpha = paint(patch.get_facecolor())
            ends = [real(first), real(first + length)]
            return {"kind": "span", "axis": which, "span": ends, "color": colour, "alpha": alpha}
    return _bars(axes, [patch], True, points)


def _between(axes: Any, collection: Any, points: int) -> Description:
    """What `fill_between` fills: polygons that lead along one line, and back along the other."""
    upright = collection.t_direction == "x"
    if collection.get_array() is not None or len(collection.get_facecolor()) != 1:
        raise Untold(collection)
    parts = []
    for path in collection.get_paths():
        corners = in_data(axes, collection.get_transform(), path.vertices)[:, :: 1 if upright else -1]
        count = (len(corners) - 3) // 2
        forth, back = corners[1 : count + 1], corners[count + 2 : 2 * count + 2][::-1]
        parts += [np.column_stack([forth, back[:, 1]]), np.array([[forth[-1, 0], np.nan, np.nan]])]
    x, low, high = (np.concatenate(parts[:-1]) if parts else np.zeros((0, 3))).T
    colour, alpha = paint(collection.get_facecolor()[0])
    return _filled(x, low, high, points) | {"upright": upright, "outline": False, "color": colour, "alpha": alpha}


def _filled(x: Any, low: Any, high: Any, points: int) -> Description:
    kept = telling(x, high, points)
    return {"kind": "fill", "x": reals(x[kept]), "low": reals(low[kept]), "high": reals(high[kept]), "of": len(x)}


def _polygon(axes: Any, patch: Any, points: int) -> Description:
    """A histogram drawn as steps, which is the polygon that can be told."""
    corners = patch.get_xy()[: -1 if patch.get_closed() else None]
    there = (len(corners) + 4) // 2 if patch.get_fill() else len(corners)
    for upright in (True, False):
        x, y = corners[:, 0 if upright else 1], corners[:, 1 if upright else 0]
        base = y[0]
        forth = x[:there], y[:there]
        paired = there > 3 and there % 2 == 0 and (forth[0][::2] == forth[0][1::2]).all()
        level = paired and (forth[1][1:-1:2] == forth[1][2::2]).all() and (y[there:] == base).all()
        if level and patch.get_data_transform() is axes.transData:
            return _stepped(patch, *forth, base, upright, points)
    raise Untold(patch)


def _stairs(axes: Any, patch: Any, points: int) -> Description:
    values, edges, base = patch.get_data()
    if base is None or np.ndim(base):
        raise Untold(patch)
    across = np.concatenate([[base], np.repeat(plain(values), 2), [base]])
    return _stepped(patch, np.repeat(plain(edges), 2), across, base, patch.orientation == "vertical", points)


def _stepped(patch: Any, x: Any, y: Any, base: float, upright: bool, points: int) -> Description:
    colour, alpha = paint(patch.get_facecolor() if patch.get_fill() else patch.get_edgecolor())
    looks = {"upright": upright, "outline": not patch.get_fill(), "color": colour, "alpha": alpha}
    return _filled(x, np.full_like(y, base), y, points) | looks


def _rows(axes: Any, collection: Any) -> Any:
    """From (x, y) to (x, y), a row for each line."""
    found = [path.vertices for path in collection.get_paths()]
    if any(len(path) != 2 for path in found) or collection.get_array() is not None:
        raise Untold(collection)
    pairs = np.reshape(found, (-1, 2)) if found else np.zeros((0, 2))
    return in_data(axes, collection.get_transform(), pairs).reshape(-1, 4)


def _looks(collection: Any, at: int) -> Description:
    colours, widths = collection.get_colors(), collection.get_linewidths()
    styles = collection.get_linestyles()
    colour, alpha = paint(colours[at % len(colours)]) if len(colours) else (None, 1)
    width = widths[at % len(widths)]
    style = dashes_of(styles[at % len(styles)])
    return {"color": colour, "alpha": alpha, "style": style, "width": real(width)}


def _collected(axes: Any, collection: Any) -> Iterator[Told]:
    """Lines that look alike are one series."""
    rows = _rows(axes, collection)
    alike: dict[tuple[Any, ...], list[int]] = {}
    differing = max(map(len, (collection.get_colors(), collection.get_linewidths(), collection.get_linestyles())))
    for i in range(min(len(rows), differing)):
        alike.setdefault(tuple(_looks(collection, i).values()), []).append(i)
    label = _label(collection)
    for some in list(alike.values()) or [[0]]:
        chosen = np.concatenate([np.arange(i, len(rows), differing) for i in some])
        looks = _looks(collection, some[0])
        yield Told((collection,), collection.get_zorder(), label, _of_rows(rows[np.sort(chosen)], looks))
        label = None


def _of_rows(rows: Any, looks: Description) -> Callable[[int], Description]:
    return lambda points: _segments(rows, looks, False, points)


def _segments(rows: Any, looks: Description, caps: bool, points: int) -> Description:
    kept = rows[evenly(len(rows), max(points // 2, 1))]
    x, y, to_x, to_y = map(reals, kept.T)
    return {"kind": "segments", "from": [x, y], "to": [to_x, to_y], "of": len(rows), **looks, "caps": caps}


def _text(axes: Any, text: Any, points: int) -> Description:
    if text.get_rotation() or text.get_bbox_patch() is not None:
        raise Untold(text)
    x, y = text.get_unitless_position()
    transform, where = text.get_transform(), "data"
    if transform is axes.transAxes:
        where = "axes"
    elif transform is not axes.transData:
        x, y = in_data(axes, transform, np.array([[x, y]]))[0]
    return _written(text, x, y, where) | {"to": None, "offset": None}


def _written(text: Any, x: Any, y: Any, where: str) -> Description:
    colour, alpha = paint(text.get_color(), text.get_alpha())
    return {
        "kind": "text", "text": shorten(text.get_text()), "x": real(float(x)), "y": real(float(y)), "where": where,
        "across": text.get_horizontalalignment(), "upward": text.get_verticalalignment(), "color": colour,
        "alpha": alpha,
    }  # fmt: skip


_COORDINATES = {"data": "data", "axes fraction": "axes"}


def _annotation(axes: Any, text: Any, points: int) -> Description:
    arrow = text.arrowprops or {}
    curved = str(arrow.get("connectionstyle", "arc3")) not in ("arc3", "arc3,rad=0", "arc3,rad=0.0")
    odd = text.get_rotation() or text.get_bbox_patch() is not None or curved
    if odd or not isinstance(text.xycoords, str) or text.xycoords not in _COORDINATES:
        raise Untold(text)
    x, y = (float(axis.convert_units(end)) for axis, end in zip((axes.xaxis, axes.yaxis), text.xy, strict=True))
    there, at = text.anncoords, text.xyann
    found: Description = {"to": None, "offset": None}
    where = _COORDINATES[text.xycoords]
    if there in ("offset points", "offset pixels"):
        if text.arrowprops is not None:
            raise Untold(text)
        return _written(text, x, y, where) | found | {"offset": [real(end) for end in at]}
    if not isinstance(there, str) or there not in _COORDINATES or (there != text.xycoords and text.arrowprops):
        raise Untold(text)
    if text.arrowprops is not None:
        found["to"] = [real(x), real(y)]
    if there == "data":
        at = [float(axis.convert_units(end)) for axis, end in zip((axes.xaxis, axes.yaxis), at, strict=True)]
    return _written(text, at[0], at[1], _COORDINATES[there]) | found


_TELL: dict[type, Callable[[Any, Any, int], Description]] = {
    Line2D: _line, AxLine: _line, PathCollection: _points, FillBetweenPolyCollection: _between, Polygon: _polygon,
    StepPatch: _stairs, Rectangle: _rectangle, Text: _text, Annotation: _annotation, AxesImage: image, QuadMesh: mesh,
    QuadContourSet: contours,
}  # fmt: skip
