"""Bars and histograms, whose numbers are numpy's."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import Array, as_array, wrap
from engine.program.stdlib.matplotlib import given
from engine.program.stdlib.matplotlib.artists import Bar, BarContainer, Polygon, Rectangle, offer
from engine.program.stdlib.matplotlib.axes import METHODS, Axes
from engine.program.stdlib.matplotlib.colors import artist_color, parse
from engine.program.stdlib.matplotlib.lines import errorbar
from engine.program.stdlib.matplotlib.names import one_of, properties
from engine.program.stdlib.matplotlib.scales import Extent
from engine.program.str_format import format_method
from engine.program.text import percent

_MOST = 2000
"""Rectangles of one series that a program gets to hold."""


def bar(
    self: Axes, x: Any, height: Any, width: Any = 0.8, bottom: Any = None, *, align: str = "center", data: Any = None,
    **options: Any,
) -> Any:  # fmt: skip
    return _bars(self, {"x": x, "height": height, "width": width, "y": bottom}, align, options, upright=True)


def barh(
    self: Axes, y: Any, width: Any, height: Any = 0.8, left: Any = None, *, align: str = "center", data: Any = None,
    **options: Any,
) -> Any:  # fmt: skip
    return _bars(self, {"x": left, "height": height, "width": width, "y": y}, align, options, upright=False)


def _bars(self: Axes, sides: dict[str, Any], align: str, options: dict[str, Any], upright: bool) -> Any:
    """Rectangles on a line, upright or lying; errors on their ends."""
    one_of(align, ("center", "edge"), "align")
    label, ticks, log = options.pop("label", ""), options.pop("tick_label", None), options.pop("log", False)
    errors = {key: options.pop(key, None) for key in ("xerr", "yerr", "ecolor", "capsize", "error_kw")}
    looks = properties("Rectangle", options)
    base = "y" if upright else "x"
    if sides[base] is None:
        sides[base] = 0
    if log:
        getattr(self, base).scale.kind = "log"
    order = ("x", "height", "width", "y")
    found = {
        key: np.atleast_1d(given.positions(sides[key], getattr(self, key).scale.categories)
                           if key in "xy" else given.native(sides[key]))
        for key in order
    }  # fmt: skip
    _check_shapes(found, upright)
    x, y, wide, high = np.broadcast_arrays(*[found[name] for name in ("x", "y", "width", "height")])
    width, height = wide.astype(float), high.astype(float)
    places = x if upright else y
    if ticks is not None:
        METHODS["set_xticks" if upright else "set_yticks"](self, wrap(places.copy()), ticks)
    if align == "center":
        if upright:
            x = x - width / 2
        else:
            y = y - height / 2
    made = _rectangles(self, x, y, width, height, looks, label, upright)
    made.of.data |= {"width given": wide, "height given": high}
    if errors["xerr"] is not None or errors["yerr"] is not None:
        ends = (places, y + height) if upright else (x + width, places)
        colour = errors["ecolor"] if errors["ecolor"] is not None else "black"
        both = {"yerr": errors["yerr"], "xerr": errors["xerr"]}
        errorbar(self, ends[0], ends[1], fmt="none", ecolor=colour, capsize=errors["capsize"], **both)
    return made


def _check_shapes(found: dict[str, Any], upright: bool) -> None:
    order = ("x", "height", "width", "y") if upright else ("width", "y", "height", "x")
    names = {"x": "x" if upright else "left", "y": "bottom" if upright else "y"}
    shapes = [(names.get(key, key), given.shape_of(found[key])) for key in order]
    wide = [pair for pair in shapes if pair[1] != (1,)]
    for name, shape in wide[1:]:
        if shape != wide[0][1]:
            raise ValueError(
                "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between"
                f" '{wide[0][0]}' with shape {wide[0][1]} and '{name}' with shape {shape}."
            )


def _rectangles(
    self: Axes, x: Any, y: Any, width: Any, height: Any, looks: dict[str, Any], label: Any, upright: bool
) -> Any:
    colour = looks.get("color", looks.get("facecolor"))
    if colour is None:
        colour = self.next_color("patches")
    style: dict[str, Any] = {"alpha": given.alpha(looks.get("alpha")), "upright": upright}
    if parse(colour) is not None:
        style["color"] = colour
    else:
        several = given.several(colour) or []
        if not several or any([parse(value) is None for value in several]):
            raise ValueError("'facecolor' or 'color' argument must be a valid color or sequence of colors.")
        style["colors"] = [several[i % len(several)] for i in range(len(x))]
        style["color"] = style["colors"][0] if style["colors"] else "C0"
    edge = looks.get("edgecolor")
    if edge is not None:
        artist_color(edge)
        style["edge"] = edge
    style["hollow"] = looks.get("fill") is False
    ends = np.concatenate([x, x + width]), np.concatenate([y, y + height])
    sticky = [float(value) for value in np.unique(y if upright else x)[:2] if np.isfinite(value)]
    extents = (
        (Extent(ends[0]), Extent(ends[1], sticky)) if upright else (Extent(ends[0], sticky), Extent(ends[1]))
    )
    numbers = {"x": x, "y": y, "width": width, "height": height}
    words = given.several(label) if type(label) is not str else None
    name = label if type(label) is str and label else None
    series = Rectangle(self, "bars", numbers, style, extents)
    if words is not None and len(words) != len(x):
        raise ValueError(f"number of labels ({len(words)}) does not match number of bars ({len(x)}).")
    held = min(len(x), _MOST)
    meter.charge(held >> 2)
    made = BarContainer(series, [Bar(series, i) for i in range(held)])
    self.draw(series, name, made)
    if name is None:
        self.handles.append((made, series))
    return made


def bar_label(
    self: Axes, container: Any, labels: Any = None, *, fmt: Any = "%g", label_type: str = "edge", padding: Any = 0,
    **options: Any,
) -> list[Any]:  # fmt: skip
    if not isinstance(container, BarContainer):
        raise AttributeError(f"'{type(container).__name__}' object has no attribute 'patches'")
    series = container.of
    data, upright = series.data, series.style["upright"]
    meter.charge(len(container) * 4)
    words = None if labels is None else given.words(given.several(labels) or [])
    made = []
    for i in range(len(container)):
        length = float(data["height"][i] if upright else data["width"][i])
        value = words[i] if words is not None and i < len(words) else _format(fmt, length)
        x, y, w, h = (float(data[name][i]) for name in ("x", "y", "width", "height"))
        share = 0.5 if label_type == "center" else 1.0
        at = (x + w / 2, y + h * share) if upright else (x + w * share, y + h / 2)
        across = ("center", "center" if label_type == "center" else "bottom") if upright else (
            "center" if label_type == "center" else "left", "center",
        )  # fmt: skip
        made.append(METHODS["text"](self, *at, value, ha=across[0], va=across[1]))
    return made


def _format(template: Any, value: float) -> str:
    if type(template) is not str or len(template) > 60:
        return f"{value:g}"
    try:
        return (percent(template, value) if "%" in template else format_method(template, (value,), {}))[:200]
    except (ValueError, TypeError, KeyError, IndexError, AttributeError):
        return f"{value:g}"


# --- histograms


def _datasets(x: Any) -> list[Any]:
    """The columns of an array, or the members of a list of sequences; everything else is one data set."""
    x = given.listed(x)
    if type(x) in (list, tuple) and x and any([given.several(item) is not None and _wide(item) for item in x]):
        return [given.native(item).reshape(-1) for item in x]
    if given.texts(x) is not None:
        return [x]
    found = given.native(x)
    if found.ndim > 2:
        raise ValueError("x must have 2 or fewer dimensions")
    return [found[:, i].copy() for i in range(found.shape[1])] if found.ndim == 2 else [found.reshape(-1)]


def _wide(item: Any) -> bool:
    return not isinstance(item, Array) or np.ndim(as_array(item)) > 0


def hist(
    self: Axes, x: Any, bins: Any = None, *, range: Any = None, density: Any = False, weights: Any = None,  # noqa: A002
    cumulative: Any = False, bottom: Any = None, histtype: str = "bar", align: str = "mid",
    orientation: str = "vertical", rwidth: Any = None, log: bool = False, color: Any = None, label: Any = None,
    stacked: bool = False, data: Any = None, **options: Any,
) -> Any:  # fmt: skip
    one_of(histtype, ("bar", "barstacked", "step", "stepfilled"), "histtype")
    one_of(align, ("left", "mid", "right"), "align")
    one_of(orientation, ("horizontal", "vertical"), "orientation")
    upright, stacked = orientation == "vertical", stacked or histtype == "barstacked"
    axis = self.x if upright else self.y
    sets = [given.placed(some, axis.scale.categories) for some in _datasets(x)]
    count = len(sets)
    looks = properties("Rectangle", options)
    colours = _one_each(color, count)
    counts, edges = _count(sets, bins, range, density, weights, stacked, cumulative)
    if log:
        (self.y if upright else self.x).scale.kind = "log"
    alone = type(label) is str or label is None
    labels = [label, *[None] * (count - 1)] if alone else given.words(given.several(label) or [])
    start = 0.0 if bottom is None else given.flat(bottom)
    widths = np.diff(edges)
    if rwidth is not None:
        share = min(max(given.number(rwidth), 0.0), 1.0)
    else:
        share = 0.8 if count > 1 and not stacked else 1.0
    side_by_side = histtype == "bar" and count > 1 and not stacked
    each = share * widths / (count if side_by_side else 1)
    first = edges[:-1] + 0.5 * (1 - share) * widths + {"left": -0.5, "mid": 0.0, "right": 0.5}[align] * widths
    made = []
    for i in np.arange(count).tolist():
        below = counts[i - 1] if stacked and i else 0.0
        heights = counts[i] - below
        base = np.broadcast_to(np.asarray(start + below, float), heights.shape).copy()
        colour = colours[i] if colours[i] is not None else self.next_color("lines")
        name = labels[i] if i < len(labels) else None
        if histtype in ("step", "stepfilled"):
            made.append(_stepped(self, edges, counts[i], start, {**looks, "color": looks.get("color", colour)}, name,
                                 histtype == "stepfilled", upright))  # fmt: skip
            continue
        along = first + (i * each if side_by_side else 0.0)
        painted = {**looks, "color": looks.get("facecolor", colour)}
        x, y, wide, high = (along, base, each, heights) if upright else (base, along, heights, each)
        made.append(_rectangles(self, x, y, wide, high, painted, name, upright))
    tops = wrap(counts[0]) if count == 1 else wrap(np.array(counts))
    return tops, wrap(edges), made[0] if count == 1 else made


def _one_each(color: Any, count: int) -> list[Any]:
    if color is None:
        return [None] * count
    if parse(color) is not None:
        colours = [color]
    else:
        colours = given.several(color) or []
        for value in colours or [color]:
            artist_color(value)
    if len(colours) != count:
        raise ValueError(
            f"The 'color' keyword argument must have one color per dataset, but {count} datasets and {len(colours)}"
            " colors were provided"
        )
    return colours


def _count(
    sets: list[Any], bins: Any, range: Any, density: Any, weights: Any, stacked: bool, cumulative: Any  # noqa: A002
) -> tuple[list[Any], Any]:
    """How many of each set lie in each bin, and where bins begin and end."""
    where: Any = 10 if bins is None else bins
    if type(where) not in (int, str):
        wanted = given.array(where)
        where = int(wanted) if not wanted.ndim else wanted.reshape(-1)
    if type(where) is int:
        meter.allocate(max(where, 0), 8)
        meter.charge(max(where, 0) >> 5)
    total = sum(some.size for some in sets)
    meter.charge(total >> 4)
    limits = None if range is None else tuple(given.flat(range).tolist())
    shares = [None] * len(sets) if weights is None else [given.flat(w) for w in (
        given.several(weights) if len(sets) > 1 else [weights]) or []]  # fmt: skip
    for some, share in zip(sets, shares, strict=False):
        if share is not None and share.size != some.size:
            raise ValueError("weights should have the same shape as x")
    whole = [some[~np.isnan(some)] for some in sets]
    shares = [s if s is None else s[~np.isnan(some)] for s, some in zip(shares, sets, strict=False)]
    if limits is None:
        lows, highs = [float(s.min()) for s in whole if s.size], [float(s.max()) for s in whole if s.size]
        limits = (min(lows), max(highs)) if lows else None
    if len(sets) > 1:
        joined = None if weights is None else np.concatenate([s for s in shares if s is not None])
        where = np.histogram_bin_edges(np.concatenate(whole), where, limits, joined)
    if type(where) is str:
        where = np.histogram_bin_edges(whole[0], where, limits, shares[0])
    meter.allocate(int(np.size(where)), 8)
    dense = bool(density) and not stacked
    counts: list[Any] = []
    edges: Any = where
    for some, share in zip(whole, shares, strict=True):
        counted, edges = np.histogram(some, edges, range=limits, weights=share, density=dense)
        counts.append(counted.astype(float))
    edges = np.asarray(edges, dtype=float)
    widths = np.diff(edges)
    if stacked:
        counts = list(np.cumsum(counts, axis=0))
        if density:
            counts = [some / widths / counts[-1].sum() for some in counts]
    if cumulative:
        down = not isinstance(cumulative, bool) and given.number(cumulative) < 0
        for i, some in enumerate(counts):
            summed = some * widths if density else some
            counts[i] = summed[::-1].cumsum()[::-1] if down else summed.cumsum()
    return counts, edges


def _stepped(
    self: Axes, edges: Any, counts: Any, start: Any, looks: dict[str, Any], label: Any, filled: bool, upright: bool
) -> list[Any]:
    low = float(np.min(start))
    along, across = np.repeat(edges, 2), np.concatenate([[low], np.repeat(counts + low, 2), [low]])
    numbers = {"x": along, "low": np.full_like(across, low), "high": across}
    style = {"color": looks.get("facecolor", looks["color"]), "alpha": given.alpha(looks.get("alpha")),
             "outline": not filled, "upright": upright}  # fmt: skip
    artist_color(style["color"])
    extents = Extent(along), Extent(across, [low])
    made = Polygon(self, "fill", numbers, style, extents if upright else extents[::-1])
    self.draw(made, label)
    return [made]


METHODS |= {"bar": bar, "barh": barh, "bar_label": bar_label, "hist": hist}
offer(Axes, METHODS)
