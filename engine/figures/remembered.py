"""What matplotlib forgets of what it was given, and a document needs: what a legend names, the grid of contours."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from matplotlib.contour import QuadContourSet
from matplotlib.legend import Legend

NAMED: WeakKeyDictionary[Any, list[tuple[Any, str]]] = WeakKeyDictionary()
"""Legend → what it names, with the names."""
GRIDS: WeakKeyDictionary[Any, tuple[Any, Any, Any]] = WeakKeyDictionary()
"""Contours → x, y and z."""


def remember() -> None:
    """From now on, keep both."""
    init_legend, contour_args = Legend._init_legend_box, QuadContourSet._contour_args

    def _init_legend_box(self: Any, handles: Any, labels: Any, *args: Any, **options: Any) -> Any:
        handles, labels = list(handles), list(labels)
        NAMED[self] = list(zip(handles, map(str, labels), strict=False))
        return init_legend(self, handles, labels, *args, **options)

    def _contour_args(self: Any, args: Any, options: Any) -> Any:
        found = GRIDS[self] = contour_args(self, args, options)
        return found

    Legend._init_legend_box, QuadContourSet._contour_args = _init_legend_box, _contour_args
