"""Lines and points: `plot`, `scatter`, `errorbar`, `fill_between`, and straight lines across the axes."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from engine.program.stdlib.matplotlib import given
from engine.program.stdlib.matplotlib.artists import (
    Artist,
    ErrorbarContainer,
    FillBetweenPolyCollection,
    Line2D,
    LineCollection,
    PathCollection,
    Rectangle,
    StemContainer,
    offer,
    xy,
)
from engine.program.stdlib.matplotlib.axes import METHODS, Axes
from engine.program.stdlib.matplotlib.colormaps import colormap
from engine.program.stdlib.matplotlib.colors import artist_color, color, parse
from engine.program.stdlib.matplotlib.names import one_of, properties
from engine.program.stdlib.matplotlib.rc import setting
from engine.program.stdlib.matplotlib.scales import Extent
from engine.program.text import represent

_LINES = {
    "-": "-", "--": "--", "-.": "-.", ":": ":", "solid": "-", "dashed": "--", "dashdot": "-.", "dotted": ":",
    "None": "None", "none": "None", " ": "None", "": "None",
}  # fmt: skip
_MARKERS = frozenset(". , o v ^ < > 1 2 3 4 8 s p P * h H + x X D d | _ None none".split()) | {"", " "}
_LETTERS = frozenset("bgrcmykw")


def parse_format(text: str) -> tuple[str | None, str | None, str | None]:
    """Line style, marker and colour of `"r--o"`. ValueError in matplotlib's words."""
    if text not in _MARKERS and parse(text) is not None and not text.isdigit():
        return None, None, text
    style = marker = colour = None
    wrong = f"{text!r} is not a valid format string "
    at = 0
    while at < len(text):
        two, one = text[at : at + 2], text[at]
        step = 1
        if two in ("--", "-."):
            if style is not None:
                raise ValueError(wrong + "(two linestyle symbols)")
            style, step = two, 2
        elif one in ("-", ":"):
            if style is not None:
                raise ValueError(wrong + "(two linestyle symbols)")
            style = one
        elif one in _MARKERS and one != " ":
            if marker is not None:
                raise ValueError(wrong + "(two marker symbols)")
            marker = one
        elif one in _LETTERS:
            if colour is not None:
                raise ValueError(wrong + "(two color symbols)")
            colour = one
        elif one == "C":
            digits = 0
            while text[at + 1 + digits : at + 2 + digits].isdigit():
                digits += 1
            if not digits:
                raise ValueError(wrong + "('C' must be followed by a number)")
            if colour is not None:
                raise ValueError(wrong + "(two color symbols)")
            colour, step = text[at : at + 1 + digits], 1 + digits
        elif one == " ":
            style = style or "None"
        else:
            raise ValueError(wrong + f"(unrecognized character {one!r})")
        at += step
    return style, marker, colour


def line_looks(options: dict[str, Any]) -> dict[str, Any]:
    """The looks of a line as given, checked."""
    looks = dict(options)
    style = looks.get("linestyle")
    if style is not None:
        if type(style) is tuple:
            style = "--"
        if type(style) is not str or style not in _LINES:
            raise ValueError(f"{represent(style)} is not a valid value for ls.")
        looks["linestyle"] = _LINES[style]
    looks["marker"] = marker_of(looks.get("marker"))
    for name in ("linewidth", "markersize"):
        if looks.get(name) is not None:
            looks[name] = given.number(looks[name])
    if looks.get("color") is not None:
        color(looks["color"])
    looks["alpha"] = given.alpha(looks.get("alpha"))
    return looks


def marker_of(value: Any) -> str:
    """The mark of each point, 'None' for none. ValueError for what is no marker."""
    if value is None:
        return "None"
    if type(value) is int and 0 <= value <= 11:
        return "_" if value < 2 else "|" if value < 4 else "<>^v<>^v"[value - 4]
    if type(value) is tuple or type(value) is str and len(value) > 2 and value[0] == value[-1] == "$":
        return "o"
    if type(value) is not str or value not in _MARKERS:
        raise ValueError(f"Unrecognized marker style {represent(value)}")
    return "None" if value in ("", " ", "none") else value


def _at_least_1d(value: Any, axes: Axes, which: str) -> Any:
    try:
        return np.atleast_1d(given.placed(value, getattr(axes, which).scale.categories))
    except ValueError as error:
        if "inhomogeneous" in str(error):
            raise ValueError("Input could not be cast to an at-least-1D NumPy array") from None
        raise


def _groups(args: tuple[Any, ...]) -> list[tuple[list[Any], str | None]]:
    """`x, y, "r--", x, y` as pairs of numbers and formats."""
    found: list[tuple[list[Any], str | None]] = []
    left = list(args)
    while left:
        some, left = left[:2], left[2:]
        if left and type(left[0]) is str:
            some.append(left.pop(0))
        text = some.pop() if len(some) > 1 and type(some[-1]) is str else None
        found.append((some, text))
    return found


def plot(
    self: Axes, *args: Any, scalex: bool = True, scaley: bool = True, data: Any = None, **options: Any
) -> list[Any]:
    for key in ("x", "y"):
        if key in options:
            raise TypeError(f"plot() got an unexpected keyword argument '{key}'")
    if isinstance(data, dict):
        args = tuple([data.get(arg, arg) if type(arg) is str else arg for arg in args])
    label = options.pop("label", None)
    known = properties("Line2D", options)
    return [line for some, text in _groups(args) for line in _plot(self, some, text, label, known)]


def _plot(self: Axes, some: list[Any], text: str | None, label: Any, options: dict[str, Any]) -> list[Any]:
    if any([value is None for value in some]):
        raise ValueError("x, y, and format string must not be None")
    style, marker, colour = parse_format(text) if text is not None else (None, None, None)
    if marker is not None and style is None:
        style = "None"
    y = _at_least_1d(some[-1], self, "y")
    x = _at_least_1d(some[0], self, "x") if len(some) == 2 else np.arange(len(y), dtype=np.float64)
    if x.shape[0] != y.shape[0]:
        raise ValueError(
            f"x and y must have same first dimension, but have shapes {given.shape_of(x)} and {given.shape_of(y)}"
        )
    if x.ndim > 2 or y.ndim > 2:
        raise ValueError(
            f"x and y can be no greater than 2D, but have shapes {given.shape_of(x)} and {given.shape_of(y)}"
        )
    x, y = [some if some.ndim == 2 else some[:, np.newaxis] for some in (x, y)]
    count = max(x.shape[1], y.shape[1])
    if x.shape[1] > 1 and y.shape[1] > 1 and x.shape[1] != y.shape[1]:
        raise ValueError(f"x has {x.shape[1]} columns but y has {y.shape[1]} columns")
    if 0 in (x.shape[1], y.shape[1]):
        return []
    labels = given.several(label) if type(label) is not str else None
    if labels is not None and len(labels) != count:
        raise ValueError(
            "label must be scalar or have the same length as the input data, but found"
            f" {len(labels)} for {count} datasets."
        )
    base = {"linestyle": style, "marker": marker, "color": colour}
    for name, value in (("linestyle", style), ("marker", marker), ("color", colour)):
        if value not in (None, "None") and options.get(name) is not None:
            warnings.warn(
                f"{name} is redundantly defined by the '{name}' keyword argument and the fmt string \"{text}\" (->"
                f" {name}={value!r}). The keyword argument will take precedence.", UserWarning, stacklevel=1,
            )  # fmt: skip
    given_too = {key: value for key, value in options.items() if value is not None}
    made = []
    for i in range(count):
        looks = line_looks({**{key: value for key, value in base.items() if value is not None}, **given_too})
        if looks.get("color") is None:
            looks["color"] = self.next_color()
        name = labels[i] if labels is not None else label
        made.append(_line(self, x[:, i % x.shape[1]].copy(), y[:, i % y.shape[1]].copy(), looks, name))
    return made


def _line(self: Axes, x: Any, y: Any, looks: dict[str, Any], label: Any = None) -> Artist:
    """A line through points; their numbers are read back in the type they came in."""
    looks = {"linewidth": given.number(setting("lines.linewidth")), "linestyle": "-", "markersize": 6.0, **looks}
    numbers = {"x": x.astype(np.float64), "y": y.astype(np.float64), "x given": x, "y given": y}
    extents = xy(numbers["x"], numbers["y"])
    return self.draw(Line2D(self, "line", numbers, looks, extents, order=2), label)


def _scaled(*scales: str) -> Any:
    def draw(self: Axes, *args: Any, **options: Any) -> list[Any]:
        for key in ("base", "basex", "basey", "subs", "nonpositive"):
            options.pop(key, None)
        for which in scales:
            getattr(self, which).scale.kind = "log"
        return plot(self, *args, **options)

    return draw


def step(self: Axes, x: Any, y: Any, *args: Any, where: str = "pre", data: Any = None, **options: Any) -> list[Any]:
    one_of(where, ("pre", "post", "mid"), "where")
    return plot(self, x, y, *args, **{**options, "drawstyle": f"steps-{where}"})


# --- points


def scatter(
    self: Axes, x: Any, y: Any, s: Any = None, c: Any = None, *, marker: Any = None, cmap: Any = None, norm: Any = None,
    vmin: Any = None, vmax: Any = None, alpha: Any = None, linewidths: Any = None, edgecolors: Any = None,
    colorizer: Any = None, plotnonfinite: bool = False, data: Any = None, label: Any = None, **options: Any,
) -> Artist:  # fmt: skip
    looks = properties("PathCollection", options)
    xs = given.positions(x, self.x.scale.categories).reshape(-1)
    ys = given.positions(y, self.y.scale.categories).reshape(-1)
    if xs.size != ys.size:
        raise ValueError("x and y must be the same size")
    sizes = None if s is None else given.flat(s)
    if sizes is not None and len(sizes) not in (1, xs.size):
        raise ValueError(f"s (size {len(sizes)}) cannot be broadcast to match x and y (size {xs.size})")
    plain = looks.get("color", looks.get("facecolor"))
    if plain is not None and c is not None and "color" in looks:
        raise ValueError(
            "Supply a 'c' argument or a 'color' kwarg but not both; they differ but their functionalities overlap."
        )
    style: dict[str, Any] = {"marker": marker_of("o" if marker is None else marker), "alpha": given.alpha(alpha)}
    numbers: dict[str, Any] = {"x": xs, "y": ys}
    if sizes is not None:
        style["sizes"] = sizes
    edge = looks.get("edgecolor", edgecolors)
    style["edge"] = edge if type(edge) is str and parse(edge) is not None and edge not in ("face", "none") else None
    style |= _colours(self, plain, c, xs.size, numbers)
    if "values" in numbers:
        low, high = limits_of(norm)
        style["vmin"] = given.number(vmin) if vmin is not None else low
        style["vmax"] = given.number(vmax) if vmax is not None else high
        style["cmap"] = colormap(cmap if cmap is not None else setting("image.cmap"))
    elif cmap is not None:
        colormap(cmap)
    return self.draw(PathCollection(self, "points", numbers, style, xy(xs, ys)), label)


def limits_of(norm: Any) -> tuple[float | None, float | None]:
    """The limits that a `Normalize` has."""
    low, high = getattr(norm, "vmin", None), getattr(norm, "vmax", None)
    return (None if low is None else given.number(low), None if high is None else given.number(high))


def _colours(self: Axes, plain: Any, c: Any, size: int, numbers: dict[str, Any]) -> dict[str, Any]:
    """One colour, one for each point, or numbers (which go to `numbers`) that a colour map tells colours from."""
    wrong = f"'c' argument must be a color, a sequence of colors, or a sequence of numbers, not {represent(c)}"
    if c is None:
        if plain is None:
            return {"color": self.next_color("patches")}
        if parse(plain) is not None:
            return {"color": plain}
        several = given.several(plain) or []
        if not several or any([parse(value) is None for value in several]):
            raise ValueError(
                "'color' kwarg must be a color or sequence of color specs.  For a sequence of values to be"
                " color-mapped, use the 'c' argument instead."
            )
        return {"colors": several}
    if type(c) is str:
        if parse(c) is None:
            raise ValueError(wrong)
        return {"color": c}
    each = given.several(c)
    if each is not None and any([type(value) is str for value in each]):
        if any([parse(value) is None for value in each]):
            raise ValueError(wrong)
        if len(each) not in (1, size):
            raise ValueError(_inconsistent(len(each), size))
        return {"colors": each} if len(each) > 1 else {"color": each[0]}
    values = given.array(c)
    if values.size == size and not (values.ndim == 2 and values.shape in ((1, 3), (1, 4)) and size != 1):
        numbers["values"] = values.reshape(-1)
        return {}
    if values.ndim == 1 and parse(tuple(values.tolist())) is not None:
        return {"color": tuple(values.tolist())}
    if values.ndim == 2 and values.shape[1] in (3, 4) and len(values) in (1, size):
        rows = [tuple(row) for row in values.tolist()]
        if all([parse(row) is not None for row in rows]):
            return {"colors": rows} if len(rows) > 1 else {"color": rows[0]}
        raise ValueError(wrong)
    raise ValueError(_inconsistent(values.size, size))


def _inconsistent(count: int, size: int) -> str:
    return f"'c' argument has {count} elements, which is inconsistent with 'x' and 'y' with size {size}."


# --- areas


def fill_between(
    self: Axes, x: Any, y1: Any, y2: Any = 0, where: Any = None, interpolate: bool = False, step: Any = None, *,
    data: Any = None, label: Any = None, **options: Any,
) -> Artist:  # fmt: skip
    looks = properties("FillBetweenPolyCollection", options)
    xs = given.positions(x, self.x.scale.categories).reshape(-1)
    ends = []
    for name, value in (("y1", y1), ("y2", y2)):
        found = given.array(value)
        if found.ndim and found.size != xs.size:
            raise ValueError(f"'x' has size {xs.size}, but '{name}' has an unequal size of {found.size}")
        ends.append(np.broadcast_to(found.reshape(-1) if found.ndim else found, xs.shape).copy())
    low, high = ends
    whole = np.isfinite(xs) & np.isfinite(low) & np.isfinite(high)
    if where is not None:
        whole &= given.flat(where) != 0
        low[~whole] = high[~whole] = np.nan
    extents = Extent(xs[whole]), Extent(np.concatenate([low[whole], high[whole]]))
    colour = looks.get("color", looks.get("facecolor"))
    if colour is None:
        colour = self.next_color("patches")
    artist_color(colour)
    style = {"color": colour, "alpha": given.alpha(looks.get("alpha"))}
    numbers = {"x": xs, "low": low, "high": high}
    return self.draw(FillBetweenPolyCollection(self, "fill", numbers, style, extents), label)


# --- errors


def errorbar(
    self: Axes, x: Any, y: Any, yerr: Any = None, xerr: Any = None, fmt: str = "", ecolor: Any = None,
    elinewidth: Any = None, capsize: Any = None, barsabove: bool = False, lolims: Any = False, uplims: Any = False,
    xlolims: Any = False, xuplims: Any = False, errorevery: Any = 1, capthick: Any = None, *, data: Any = None,
    label: Any = None, **options: Any,
) -> Any:  # fmt: skip
    known = properties("Line2D", options)
    hidden = type(fmt) is str and fmt.lower() == "none"
    xs, ys = (np.atleast_1d(given.positions(v, getattr(self, w).scale.categories)) for v, w in ((x, "x"), (y, "y")))
    if len(xs) != len(ys):
        raise ValueError("'x' and 'y' must have the same size")
    rows: list[Any] = []
    for name, error, along in (("x", xerr, xs), ("y", yerr, ys)):
        if error is None:
            continue
        low, high = _errors(name, error, along)
        rows.append(np.stack([low, ys, high, ys] if name == "x" else [xs, low, xs, high], axis=1))
    line = None
    if not hidden:
        line = _plot(self, [xs, ys], fmt or None, None, known)[0]
        colour = line.style["color"]
    else:
        colour = known.get("color") or self.next_color()
    if ecolor is not None:
        color(ecolor)
        colour = ecolor
    width = given.number(elinewidth) if elinewidth is not None else 1.5
    bars = None
    if rows:
        style = {"color": colour, "linewidth": width, "linestyle": "-", "alpha": given.alpha(known.get("alpha"))}
        style["caps"] = capsize is not None and given.number(capsize) > 0
        bars = _segments(self, np.concatenate(rows), style)
    shown = line or bars
    if shown is None:
        shown = _line(self, xs, ys, {"linestyle": "None", "marker": "None", "color": colour})
    made = ErrorbarContainer(shown, [line, (), (bars,)])
    if label is not None:
        shown.label = given.text(label)
        self.handles = [pair for pair in self.handles if pair[1] is not shown]
        self.handles.append((made, shown))
    return made


def _errors(name: str, error: Any, along: Any) -> tuple[Any, Any]:
    found = given.array(error)
    fits = found.shape in ((), (1,), along.shape, (2, 1), (2, *along.shape))
    if not fits:
        raise ValueError(
            f"'{name}err' (shape: {given.shape_of(found)}) must be a scalar or a 1D or (2, n) array-like whose shape"
            f" matches '{name}' (shape: {given.shape_of(along)})"
        )
    if (found < 0).any():
        raise ValueError(f"'{name}err' must not contain negative values")
    low, high = (found[0], found[1]) if found.ndim == 2 else (found, found)
    return np.broadcast_to(along - low, along.shape), np.broadcast_to(along + high, along.shape)


def _segments(self: Axes, rows: Any, style: dict[str, Any], label: Any = None) -> Artist:
    """Straight lines, each from (x, y) to (x, y)."""
    rows = rows.reshape(-1, 4)
    extents = Extent(rows[:, [0, 2]].reshape(-1)), Extent(rows[:, [1, 3]].reshape(-1))
    return self.draw(LineCollection(self, "segments", {"rows": rows}, style, extents), label)


def stem(
    self: Axes, *args: Any, linefmt: Any = None, markerfmt: Any = None, basefmt: Any = None, bottom: Any = 0,
    label: Any = None, orientation: str = "vertical", data: Any = None,
) -> Any:  # fmt: skip
    numbers = [arg for arg in args[:2] if type(arg) is not str]
    ys = given.flat(numbers[-1])
    xs = given.flat(numbers[0]) if len(numbers) == 2 else np.arange(len(ys), dtype=np.float64)
    low = given.number(bottom)
    colour = (parse_format(linefmt)[2] if linefmt else None) or "C0"
    rows = np.stack([xs, np.full_like(xs, low), xs, ys], axis=1)
    lines = _segments(self, rows, {"color": colour, "linewidth": 1.5, "linestyle": "-", "alpha": None})
    marks = _line(self, xs, ys, {"color": colour, "linestyle": "None", "marker": "o"})
    across = np.array([xs.min(), xs.max()]) if xs.size else np.zeros(0)
    base = _line(self, across, np.full(len(across), low), {"color": "C3", "marker": "None"})
    made = StemContainer(marks, [marks, lines, base])
    self.handles = [pair for pair in self.handles if pair[1] not in (marks, base)]
    if label is not None:
        marks.label = given.text(label)
        self.handles.append((made, marks))
    return made


# --- across the axes


def _rule(which: str) -> Any:
    def draw(self: Axes, at: Any, first: Any, last: Any, label: Any, options: dict[str, Any]) -> Artist:
        looks = line_looks(properties("Line2D", options))
        looks = {"color": looks.get("color") or "C0", "linewidth": looks.get("linewidth") or 1.5,
                 "linestyle": looks.get("linestyle") or "-", "alpha": looks["alpha"]}  # fmt: skip
        place = given.number(at)
        extents = (Extent([place]), Extent()) if which == "x" else (Extent(), Extent([place]))
        style = {**looks, "axis": which, "at": place, "part": [given.number(first), given.number(last)]}
        return self.draw(Line2D(self, "rule", {"x": np.zeros(0), "y": np.zeros(0)}, style, extents, order=2), label)

    return draw


def axhline(self: Axes, y: Any = 0, xmin: Any = 0, xmax: Any = 1, *, label: Any = None, **options: Any) -> Artist:
    return _rule("y")(self, y, xmin, xmax, label, options)  # type: ignore[no-any-return]


def axvline(self: Axes, x: Any = 0, ymin: Any = 0, ymax: Any = 1, *, label: Any = None, **options: Any) -> Artist:
    return _rule("x")(self, x, ymin, ymax, label, options)  # type: ignore[no-any-return]


def _span(self: Axes, which: str, low: Any, high: Any, label: Any, options: dict[str, Any]) -> Artist:
    looks = properties("Rectangle", options)
    colour = looks.get("color", looks.get("facecolor", "C0"))
    color(colour)
    ends = [given.number(low), given.number(high)]
    extents = (Extent(ends), Extent()) if which == "x" else (Extent(), Extent(ends))
    style = {"color": colour, "alpha": given.alpha(looks.get("alpha")), "axis": which, "span": ends}
    return self.draw(Rectangle(self, "span", {}, style, extents), label)


def axhspan(
    self: Axes, ymin: Any, ymax: Any, xmin: Any = 0, xmax: Any = 1, *, label: Any = None, **options: Any
) -> Artist:
    return _span(self, "y", ymin, ymax, label, options)


def axvspan(
    self: Axes, xmin: Any, xmax: Any, ymin: Any = 0, ymax: Any = 1, *, label: Any = None, **options: Any
) -> Artist:
    return _span(self, "x", xmin, xmax, label, options)


def _lines_along(which: str) -> Any:
    def draw(
        self: Axes, at: Any, first: Any, last: Any, colors: Any = None, linestyles: Any = "solid", *, label: Any = None,
        data: Any = None, **options: Any,
    ) -> Artist:  # fmt: skip
        looks = properties("LineCollection", options)
        colour = looks.get("color", colors)
        if colour is not None and parse(colour) is None:
            colour = (given.several(colour) or [None])[0]
        places, low, high = given.flat(at), given.flat(first), given.flat(last)
        for end in (low, high):
            if len(end) not in (1, len(places)):
                raise ValueError(
                    f"could not broadcast input array from shape {end.shape} into shape {places.shape}"
                )
        low, high = np.broadcast_to(low, places.shape), np.broadcast_to(high, places.shape)
        parts = [low, places, high, places] if which == "h" else [places, low, places, high]
        style = line_looks({"linestyle": looks.get("linestyle", linestyles), "alpha": looks.get("alpha")})
        width = given.number(looks["linewidth"]) if looks.get("linewidth") is not None else 1.5
        style |= {"color": "C0" if colour is None else colour, "linewidth": width}
        color(style["color"])
        return _segments(self, np.stack(parts, axis=1), style, label)

    draw.__name__ = draw.__qualname__ = f"{which}lines"
    return draw


METHODS |= {
    "plot": plot, "semilogx": _scaled("x"), "semilogy": _scaled("y"), "loglog": _scaled("x", "y"), "step": step,
    "scatter": scatter, "fill_between": fill_between, "errorbar": errorbar, "stem": stem, "axhline": axhline,
    "axvline": axvline, "axhspan": axhspan, "axvspan": axvspan, "hlines": _lines_along("h"),
    "vlines": _lines_along("v"),
}  # fmt: skip
offer(Axes, METHODS)
