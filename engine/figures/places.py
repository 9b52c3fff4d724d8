"""Where axes stand in their figure: rows and columns of a grid, or a box."""

from __future__ import annotations

from typing import Any

from engine.figures.numbers import real

Box = tuple[float, float, float, float]


def place_of(axes: Any) -> tuple[dict[str, Any] | None, list[Any] | None]:
    """Its cells in a grid whose cells are alike, or else its box in shares of the figure."""
    spec = axes.get_subplotspec()
    if spec is None:
        return None, [real(side) for side in axes.get_position(original=True).bounds]
    for _ in getattr(axes, "_colorbars", ()):  # each took a part of the place that these axes had
        if _outer(spec) is not None:
            spec = _outer(spec)
    grid = spec.get_gridspec()
    even = all(len(set(ratios)) == 1 for ratios in (grid.get_width_ratios(), grid.get_height_ratios()))
    if _outer(spec) is not None or not even:
        return None, [real(side) for side in _box(spec)]
    rows, columns = spec.rowspan, spec.colspan
    return {
        "grid": [grid.nrows, grid.ncols], "row": rows.start, "column": columns.start, "rows": len(rows),
        "columns": len(columns),
    }, None  # fmt: skip


def _outer(spec: Any) -> Any:
    """The place that the grid of a place lies in; None for a grid of the figure."""
    return getattr(spec.get_gridspec(), "_subplot_spec", None)


def _box(spec: Any) -> Box:
    outer, grid = _outer(spec), spec.get_gridspec()
    left, bottom, width, height = (0.0, 0.0, 1.0, 1.0) if outer is None else _box(outer)
    start, wide = _part(grid.get_width_ratios(), spec.colspan)
    top, high = _part(grid.get_height_ratios(), spec.rowspan)
    return left + start * width, bottom + (1 - top - high) * height, wide * width, high * height


def _part(ratios: Any, span: range) -> tuple[float, float]:
    whole = sum(ratios)
    return sum(ratios[: span.start]) / whole, sum(ratios[span.start : span.stop]) / whole
