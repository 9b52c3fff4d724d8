"""Images and functions of two variables: `imshow`, `pcolormesh`, `contour`, `contourf`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import wrap
from engine.program.stdlib.matplotlib import given
from engine.program.stdlib.matplotlib.artists import Artist, AxesImage, QuadContourSet, QuadMesh, offer
from engine.program.stdlib.matplotlib.axes import METHODS, Axes
from engine.program.stdlib.matplotlib.colormaps import colormap
from engine.program.stdlib.matplotlib.colors import color, parse, to_hex
from engine.program.stdlib.matplotlib.lines import limits_of
from engine.program.stdlib.matplotlib.names import one_of, properties
from engine.program.stdlib.matplotlib.rc import setting
from engine.program.stdlib.matplotlib.scales import Extent, nice_levels
from engine.program.text import represent

_INTERPOLATIONS = frozenset(
    "auto antialiased nearest none bilinear bicubic spline16 spline36 hanning hamming hermite kaiser quadric catrom"
    " gaussian bessel mitchell sinc lanczos blackman".split()
)


def _mapped(cmap: Any, norm: Any, vmin: Any, vmax: Any) -> dict[str, Any]:
    """By what numbers are coloured."""
    low, high = limits_of(norm)
    return {
        "cmap": colormap(cmap if cmap is not None else setting("image.cmap")),
        "vmin": given.number(vmin) if vmin is not None else low,
        "vmax": given.number(vmax) if vmax is not None else high,
    }


def imshow(
    self: Axes, X: Any, cmap: Any = None, norm: Any = None, *, aspect: Any = None, interpolation: Any = None,  # noqa: N803
    alpha: Any = None, vmin: Any = None, vmax: Any = None, colorizer: Any = None, origin: Any = None,
    extent: Any = None, interpolation_stage: Any = None, filternorm: bool = True, filterrad: float = 4.0,
    resample: Any = None, url: Any = None, data: Any = None, label: Any = None, **options: Any,
) -> Artist:  # fmt: skip
    properties("AxesImage", options)
    style = _mapped(cmap, norm, vmin, vmax)
    origin = one_of(setting("image.origin") if origin is None else origin, ("upper", "lower"), "origin")
    if interpolation is not None and interpolation not in _INTERPOLATIONS:
        raise ValueError(f"{represent(interpolation)} is not a valid value for interpolation.")
    if type(X) is str:
        raise TypeError(f"Image data of dtype <U{len(X)} cannot be converted to float")
    if hasattr(type(X), "__pixels__"):  # an image of torchvision
        X = X.__pixels__()  # noqa: N806
    whole = _holds_integers(X)
    values = given.array(X)
    if values.ndim == 3 and values.shape[2] == 1:
        values = values[:, :, 0]
    if values.ndim != 2 and not (values.ndim == 3 and values.shape[2] in (3, 4)):
        raise TypeError(f"Invalid shape {given.shape_of(values)} for image data")
    rows, columns = values.shape[:2]
    if extent is None:
        ends = [-0.5, columns - 0.5, rows - 0.5, -0.5] if origin == "upper" else [-0.5, columns - 0.5, -0.5, rows - 0.5]
    else:
        ends = given.flat(extent).tolist()
        if len(ends) != 4:
            raise ValueError(f"too many values to unpack (expected 4, got {len(ends)})")
    style |= {"alpha": given.alpha(alpha) if given.several(alpha) is None else None, "origin": origin}
    numbers = {"values": values} if values.ndim == 2 else {"rgb": _bytes(values, whole)}
    if origin == "upper":  # the first row is the topmost
        numbers = {name: part[::-1] for name, part in numbers.items()}
    made = _field(self, AxesImage, numbers, style, ends, label)
    self.x.scale.inverted, self.y.scale.inverted = ends[0] > ends[1], ends[2] > ends[3]
    self.aspect = None if aspect == "auto" else "equal"
    return made


def _holds_integers(value: Any) -> bool:
    found = getattr(value, "_array", value)
    return isinstance(found, np.ndarray | np.generic) and found.dtype.kind in "iu"


def _bytes(values: Any, whole: bool) -> Any:
    """Red, green and blue from 0 to 255; integers are these already."""
    scaled = values[:, :, :3] if whole else values[:, :, :3] * 255
    return np.clip(np.nan_to_num(scaled), 0, 255).round().astype(np.uint8)


def _field(self: Axes, kind: type[Artist], numbers: Any, style: Any, ends: list[float], label: Any) -> Artist:
    """Cells that fill a rectangle: left, right, bottom, top."""
    style["extent"] = [*sorted(ends[:2]), *sorted(ends[2:])]
    for at in (0, 2):
        if ends[at] > ends[at + 1]:
            numbers = {name: np.flip(part, axis=1 if at == 0 else 0) for name, part in numbers.items()}
    extents = Extent(ends[:2], ends[:2]), Extent(ends[2:], ends[2:])
    return self.draw(kind(self, "image", numbers, style, extents, order=0), label)


def matshow(self: Axes, Z: Any, **options: Any) -> Artist:  # noqa: N803 - matplotlib's name
    return imshow(self, Z, **{"origin": "upper", "interpolation": "nearest", "aspect": "equal", **options})


def pcolormesh(
    self: Axes, *args: Any, alpha: Any = None, norm: Any = None, cmap: Any = None, vmin: Any = None, vmax: Any = None,
    colorizer: Any = None, shading: Any = None, antialiased: bool = False, data: Any = None, label: Any = None,
    **options: Any,
) -> Any:  # fmt: skip
    properties("QuadMesh", options)
    if len(args) not in (1, 3):
        raise TypeError(f"pcolormesh() takes 1 or 3 positional arguments but {len(args)} were given")
    values = given.array(args[-1])
    if values.ndim != 2:
        raise TypeError(f"Incompatible X, Y inputs to pcolormesh; see help(pcolormesh), not {values.ndim}D")
    rows, columns = values.shape
    sides = [np.arange(columns + 1.0), np.arange(rows + 1.0)]
    if len(args) == 3:
        sides = [_along(args[0], 0), _along(args[1], 1)]
    even = all(map(_even, sides))
    for at, count in enumerate((columns, rows)):
        if len(sides[at]) == count and count > 1:
            half = (sides[at][-1] - sides[at][0]) / (count - 1) / 2
            sides[at] = np.array([sides[at][0] - half, sides[at][-1] + half])
        elif len(sides[at]) != count + 1:
            raise TypeError(
                f"Dimensions of C {values.shape} should be one smaller than X({len(sides[0])}) and Y({len(sides[1])})"
                " while using shading='flat' see help(pcolormesh)"
            )
    style = {**_mapped(cmap, norm, vmin, vmax), "alpha": given.alpha(alpha), "origin": "lower"}
    ends = [float(side[i]) for side in sides for i in (0, -1)]
    made = _field(self, QuadMesh, {"values": values}, style, ends, label)
    if not even:
        self.omit("pcolormesh")  # with columns or rows of different widths
        made.visible = False
    return made


def hist2d(
    self: Axes, x: Any, y: Any, bins: Any = 10, *, range: Any = None, density: bool = False,  # noqa: A002
    weights: Any = None, cmin: Any = None, cmax: Any = None, data: Any = None, **options: Any,
) -> tuple[Any, Any, Any, Any]:  # fmt: skip
    """How many points lie in each cell: counts, the edges along x and y, and what is drawn."""
    sides = given.flat(x), given.flat(y)
    if len(sides[0]) != len(sides[1]):
        raise ValueError("x and y must have the same length.")
    each = given.several(bins)
    several = [bins, bins] if each is None or len(each) != 2 else each
    where: list[Any] = [some if type(some) is int else given.native(some).reshape(-1) for some in several]
    cells: int = math.prod([some if type(some) is int else max(1, len(some) - 1) for some in where])
    meter.allocate(max(cells, 0), 8)
    meter.charge((max(cells, 0) >> 4) + (len(sides[0]) >> 3))
    ends = None if range is None else [given.flat(pair).tolist() for pair in given.several(range) or []]
    shares = None if weights is None else given.flat(weights)
    counts, across, upward = np.histogram2d(*sides, bins=where, range=ends, density=bool(density), weights=shares)
    if cmin is not None:
        counts[counts < given.number(cmin)] = np.nan
    if cmax is not None:
        counts[counts > given.number(cmax)] = np.nan
    drawn = pcolormesh(self, wrap(across), wrap(upward), wrap(counts.T.copy()), **options)
    return wrap(counts), wrap(across), wrap(upward), drawn


def _along(value: Any, axis: int) -> Any:
    """The coordinates along x (0) or y (1), of a list or of a grid."""
    found = given.array(value)
    if found.ndim == 2:
        return found[0] if axis == 0 else found[:, 0]
    return found.reshape(-1)


def _even(side: Any) -> bool:
    steps = np.diff(side)
    return not steps.size or bool(np.allclose(steps, steps[0], rtol=1e-3, atol=0))


# --- contours


def _grid(self: Axes, name: str, args: tuple[Any, ...], origin: Any, extent: Any) -> tuple[Any, Any, Any, Any]:
    """x, y, z and what was said of the levels. TypeError in matplotlib's words."""
    if len(args) not in (1, 2, 3, 4):
        raise TypeError(f"{name}() takes from 1 to 4 positional arguments but {len(args)} were given")
    z = given.array(args[2] if len(args) > 2 else args[0])
    if z.ndim != 2:
        raise TypeError(f"Input z must be 2D, not {z.ndim}D")
    if min(z.shape) < 2:
        raise TypeError(f"Input z must be at least a (2, 2) shaped array, but has shape {given.shape_of(z)}")
    levels = args[-1] if len(args) in (2, 4) else None
    if len(args) < 3:
        rows, columns = z.shape
        if extent is not None:
            ends = given.flat(extent).tolist()
            return np.linspace(ends[0], ends[1], columns), np.linspace(ends[2], ends[3], rows), z, levels
        return np.arange(float(columns)), np.arange(float(rows)), z, levels
    x, y = given.array(args[0]), given.array(args[1])
    if x.ndim != y.ndim:
        raise TypeError(f"Number of dimensions of x ({x.ndim}) and y ({y.ndim}) do not match")
    if x.ndim == 1:
        for axis, side, along in (("x", x, "columns"), ("y", y, "rows")):
            wanted = z.shape[1 if axis == "x" else 0]
            if len(side) != wanted:
                raise TypeError(f"Length of {axis} ({len(side)}) must match number of {along} in z ({wanted})")
        return x, y, z, levels
    for axis, side in (("x", x), ("y", y)):
        if side.shape != z.shape:
            raise TypeError(
                f"Shapes of {axis} {given.shape_of(side)} and z {given.shape_of(z)} do not match"
            )
    if np.ptp(x, axis=0).max() > 0 and np.ptp(x, axis=1).max() == 0:  # as meshgrid gives it with indexing="ij"
        return x[:, 0], y[0], z.T, levels
    return x[0], y[:, 0], z, levels


def _contours(filled: bool) -> Any:
    name = "contourf" if filled else "contour"

    def draw(
        self: Axes, *args: Any, levels: Any = None, colors: Any = None, cmap: Any = None, alpha: Any = None,
        norm: Any = None, vmin: Any = None, vmax: Any = None, origin: Any = None, extent: Any = None,
        linewidths: Any = None, linestyles: Any = None, extend: str = "neither", antialiased: Any = None,
        hatches: Any = None, zorder: Any = None, data: Any = None, **options: Any,
    ) -> Artist:  # fmt: skip
        properties("QuadContourSet", options, "corner_mask nchunk locator xunits yunits algorithm negative_linestyles")
        x, y, z, said = _grid(self, name, args, origin, extent)
        meter.charge(int(z.size) >> 5)
        chosen = _levels(z, said if levels is None else levels, filled)
        style = _mapped(cmap, norm, vmin, vmax)
        low = style["vmin"] if style["vmin"] is not None else float(chosen[0])
        high = style["vmax"] if style["vmax"] is not None else float(chosen[-1])
        style["vmin"], style["vmax"] = low, high
        middles = (chosen[:-1] + chosen[1:]) / 2 if filled else chosen
        style["colors"] = _level_colours(colors, style["cmap"], middles, low, high)
        style |= {"filled": filled, "alpha": given.alpha(alpha), "extend": extend, "linewidth": _width(linewidths)}
        style["linestyle"] = "--" if linestyles in ("--", "dashed") else "-"
        ends = [float(x.min()), float(x.max())], [float(y.min()), float(y.max())]
        extents = Extent(ends[0], ends[0]), Extent(ends[1], ends[1])
        numbers = {"x": x, "y": y, "z": z, "levels": chosen}
        return self.draw(QuadContourSet(self, "contour", numbers, style, extents))

    draw.__name__ = draw.__qualname__ = name
    return draw


def _width(value: Any) -> float:
    widths = [1.5] if value is None else given.flat(value).tolist()
    return widths[0] if widths else 1.5


def _levels(z: Any, levels: Any, filled: bool) -> Any:
    """The levels that were given, or as many round ones."""
    finite = z[np.isfinite(z)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
    if levels is not None and type(levels) is not int:
        chosen = np.unique(given.flat(levels)) if filled else given.flat(levels)
        if (np.diff(given.flat(levels)) <= 0).any():
            raise ValueError("Contour levels must be increasing")
        if filled and len(chosen) < 2:
            raise ValueError("Filled contours require at least 2 levels.")
        return chosen
    count = 7 if levels is None else max(min(int(levels), 200), 1)
    meter.charge(count)
    found = nice_levels(low, high, count + 1)
    under, over = np.nonzero(found < low)[0], np.nonzero(found > high)[0]
    first = int(under[-1]) if under.size else 0
    last = int(over[0]) + 1 if over.size else len(found)
    return found[first:last] if last - first >= 3 else found


def _level_colours(colors: Any, cmap: Any, values: Any, low: float, high: float) -> list[str | None]:
    if colors is not None:
        several = [colors] if parse(colors) is not None else given.several(colors) or []
        found = [color(value).hex for value in several]
        return [found[i % len(found)] for i in range(len(values))] if found else []
    share = (values - low) / ((high - low) or 1.0)
    return [to_hex(*row) for row in cmap.table[cmap.places(share)].tolist()]


METHODS |= {
    "imshow": imshow, "matshow": matshow, "pcolormesh": pcolormesh, "hist2d": hist2d, "contour": _contours(False),
    "contourf": _contours(True),
}  # fmt: skip
offer(Axes, METHODS)
