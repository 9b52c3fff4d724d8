"""Images and functions of two variables as series of the document: `imshow`, `pcolormesh`, `contour`, `contourf`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from matplotlib.colors import Normalize, to_hex

from engine.figures.numbers import evenly, paints, plain, real, reals
from engine.figures.reading import Untold, dashes_of, one
from engine.figures.remembered import GRIDS

_EXACT = 400
"""Cells of an image up to which the document has their numbers, and not only their colours."""
_STOPS = 33
"""Colours by which a document describes a continuous map; one of fewer is not continuous."""


def mapped(mappable: Any) -> dict[str, Any]:
    """The colour map of what is coloured by numbers, and the numbers at its ends."""
    if type(mappable.norm) is not Normalize:
        raise Untold(mappable.norm)
    mappable.autoscale_None()
    low, high = mappable.get_clim()
    cmap = mappable.get_cmap()
    discrete = cmap.N < _STOPS
    places = np.arange(cmap.N) if discrete else np.linspace(0, cmap.N - 1, _STOPS).round().astype(int)
    colours = [to_hex(row[:3]) for row in cmap(places)]
    return {
        "range": reals(np.array([0.0 if low is None else low, 1.0 if high is None else high], dtype=float)),
        "colormap": {"name": cmap.name, "colors": colours, "discrete": discrete},
    }


def image(axes: Any, artist: Any, points: int) -> dict[str, Any]:
    """`imshow`: the cells, the row of the lowest y first."""
    if artist.get_transform() is not axes.transData:
        raise Untold(artist)
    cells = artist.get_array()
    left, right, bottom, top = map(float, artist.get_extent())
    if artist.origin == "upper":  # the first row is the topmost
        cells = cells[::-1]
    return _cells(artist, cells, (left, right, bottom, top), points)


def mesh(axes: Any, artist: Any, points: int) -> dict[str, Any]:
    """`pcolormesh` over a grid whose cells are as wide and as high as each other."""
    x, y = np.moveaxis(plain(artist.get_coordinates()), 2, 0)
    cells = artist.get_array()
    straight = (x == x[0]).all() and (y == y[:, :1]).all() and _even(x[0]) and _even(y[:, 0])
    whole = cells is not None and cells.shape[:2] == (x.shape[0] - 1, x.shape[1] - 1)
    outlined = len(artist.get_edgecolor()) and artist.get_edgecolor()[:, 3].any()
    if not straight or not whole or outlined or artist.get_transform() is not axes.transData:
        raise Untold(artist)
    return _cells(artist, cells, (x[0, 0], x[0, -1], y[0, 0], y[-1, 0]), points)


def _even(side: Any) -> bool:
    steps = np.diff(side)
    return bool(steps.size) and bool(np.allclose(steps, steps[0], rtol=1e-3, atol=0))


def _cells(artist: Any, cells: Any, ends: tuple[float, float, float, float], points: int) -> dict[str, Any]:
    alpha = artist.get_alpha()
    left, right, bottom, top = ends
    cells = cells[:: -1 if bottom > top else 1, :: -1 if left > right else 1]
    coloured = cells.ndim == 3
    rows, columns = cells.shape[:2]
    step = max(1, math.ceil(math.sqrt(rows * columns * (3 if coloured else 1) / (10 * points))))
    kept = cells[step // 2 :: step, step // 2 :: step]
    found: dict[str, Any] = {
        "kind": "image", "extent": reals(np.array([*sorted((left, right)), *sorted((bottom, top))])),
        "rows": kept.shape[0], "columns": kept.shape[1], "of": [rows, columns],
        "alpha": 1 if alpha is None else real(one(artist, alpha), 3),
    }  # fmt: skip
    if coloured:
        return {**found, "rgb": [row.tobytes().hex() for row in _bytes(artist, kept)]}
    mapping = mapped(artist)
    values = plain(kept)
    low, high = artist.get_clim()
    if values.size <= _EXACT:
        found["values"] = [reals(row) for row in values]
    else:
        share = np.clip((values - low) / ((high - low) or 1.0), 0, 1)
        found["levels"] = np.where(np.isnan(share), -1, np.nan_to_num(share) * 255).round().astype(int).tolist()
    return {**found, **mapping}


def _bytes(artist: Any, cells: Any) -> Any:
    """Red, green and blue from 0 to 255; integers are these already."""
    whole = np.ma.filled(cells, 0)
    whole = whole if whole.dtype.kind in "iu" else np.nan_to_num(whole) * 255
    if whole.shape[2] == 4 and (whole[:, :, 3] < 255).any():
        raise Untold(artist)
    return np.clip(whole[:, :, :3], 0, 255).round().astype(np.uint8)


def contours(axes: Any, artist: Any, points: int) -> dict[str, Any]:
    """`contour` and `contourf`: the heights over a grid, and the levels."""
    grid = GRIDS.get(artist)
    hatched = any(hatch for hatch in getattr(artist, "hatches", None) or ())
    if grid is None or hatched or artist.get_transform() is not axes.transData:
        raise Untold(artist)
    x, y, z = map(plain, grid)
    if (x[:, 0] == x[:, -1]).all() and (y[0] == y[-1]).all() and not (x == x[0]).all():
        x, y, z = x.T, y.T, z.T
    if not ((x == x[0]).all() and (y == y[:, :1]).all()):
        raise Untold(artist)
    most = max(2, math.isqrt(4 * points))
    at, along = evenly(z.shape[0], most), evenly(z.shape[1], most)
    artist.update_scalarmappable()
    styles = {dashes_of(style) for style in artist.get_linestyle()}
    widths, alpha = np.atleast_1d(artist.get_linewidth()), artist.get_alpha()
    colours, _ = paints(artist.get_facecolor() if artist.filled else artist.get_edgecolor())
    return {
        "kind": "contour", "x": reals(x[0][along]), "y": reals(y[:, 0][at]),
        "z": [[real(value, 5) for value in row] for row in z[np.ix_(at, along)].tolist()], "of": list(z.shape),
        "levels": reals(artist.levels), "filled": bool(artist.filled),
        "colors": colours * len(artist.levels) if len(colours) == 1 else colours, "extend": artist.extend,
        "alpha": 1 if alpha is None else real(one(artist, alpha), 3),
        "width": 1.5 if artist.filled else real(widths[0]), "style": styles.pop() if len(styles) == 1 else "-",
    }  # fmt: skip
