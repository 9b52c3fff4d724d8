"""The picture that matplotlib draws of a figure, or of some of its axes: SVG that can run nothing."""

from __future__ import annotations

import base64
import io
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from engine.document.limits import shorten

_SETTINGS = {
    "svg.fonttype": "path", "svg.hashsalt": "figure", "svg.image_inline": True, "svg.id": None,
    "savefig.transparent": False, "savefig.facecolor": "auto", "savefig.edgecolor": "auto", "savefig.bbox": None,
    "path.simplify": True,
}  # fmt: skip
_SILENT = {"Creator": None, "Date": None, "Format": None, "Type": None}
_VECTORS = 150_000
"""Characters of a picture up to which its lines stay lines; the artists of a longer one are drawn as pixels."""
_PATHS = 2000
"""Paths of collections from which on it is known to be longer."""
_DPI = (100, 60)
_WIDEST = 1000
"""Pixels of the longer side of what is drawn as pixels."""
_TEXTS = 60
_AROUND, _FAR = 0.1, 3
"""What is left free around a picture, in inches, and how many times as long as the figure a picture gets."""

save = Figure.savefig


def picture_of(figure: Any, axes: list[Any] | None, room: int) -> dict[str, Any]:
    """A figure as drawn, or what some of its axes are; ValueError if it takes more than `room` characters."""
    with matplotlib.rc_context(_SETTINGS), warnings.catch_warnings(action="ignore"), _alone(figure, axes):
        box = _box(figure, axes)
        svg = _drawn(figure, box, min(room, _VECTORS), room)
    return {
        "svg": svg,
        "size": [round(float(side) * 72, 2) for side in (box.width, box.height)],
        "texts": list(dict.fromkeys(shorten(text) for text in _texts(figure, axes) if text.strip()))[:_TEXTS],
    }


def _drawn(figure: Any, box: Any, wanted: int, room: int) -> str:
    longest = max(box.width, box.height)
    if sum(len(some.get_paths()) for axes in figure.axes for some in axes.collections) <= _PATHS:
        svg = _svg(figure, box, _DPI[0])
        if len(svg) <= wanted:
            return svg
    with _as_pixels(figure):
        for dpi in _DPI:
            svg = _svg(figure, box, min(dpi, _WIDEST / longest))
            if len(svg) <= wanted or (len(svg) <= room and dpi == _DPI[-1]):
                return svg
    for widest in (_WIDEST, _WIDEST // 2):
        svg = _pixels(figure, box, min(100, widest / longest))
        if len(svg) <= room:
            return svg
    raise ValueError("its picture takes more than the document has room for")


def _svg(figure: Any, box: Any, dpi: float) -> str:
    written = io.StringIO()
    save(figure, written, format="svg", dpi=dpi, bbox_inches=box, metadata=_SILENT)
    text = written.getvalue()
    text = re.sub(r"(?<= d=)\"[^\"]*\"", _rounded, text[text.index("<svg") :])
    return re.sub(r">\s+<", "><", text).strip()


def _rounded(path: re.Match[str]) -> str:
    """A path to the hundredth of a point, which nobody sees."""
    return re.sub(r"(\.\d\d)\d+", r"\1", path[0].replace(" \n", " "))


def _pixels(figure: Any, box: Any, dpi: float) -> str:
    written = io.BytesIO()
    save(figure, written, format="png", dpi=dpi, bbox_inches=box, metadata={"Software": None})
    width, height = (round(float(side) * 72, 2) for side in (box.width, box.height))
    pixels = base64.b64encode(written.getvalue()).decode()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{width}pt"'
        f' height="{height}pt" viewBox="0 0 {width} {height}"><image width="{width}" height="{height}"'
        f' xlink:href="data:image/png;base64,{pixels}"/></svg>'
    )


@contextmanager
def _set(setters: list[Callable[[bool], object]], value: bool) -> Iterator[None]:
    """Something about artists has this value, and the other one afterwards."""
    try:
        for each in setters:
            each(value)
        yield
    finally:
        for each in setters:
            each(not value)


@contextmanager
def _alone(figure: Any, axes: list[Any] | None) -> Iterator[None]:
    """Only these axes are to be seen."""
    others = []
    if axes is not None:
        others = [each for each in figure.axes if each not in axes] + [*figure.texts, *figure.legends]
    with _set([artist.set_visible for artist in others if artist.get_visible()], False):
        yield


def _box(figure: Any, axes: list[Any] | None) -> Any:
    """What the drawn takes, in inches."""
    whole = Bbox.from_bounds(0, 0, *figure.get_size_inches())
    figure.draw_without_rendering()
    renderer = figure._get_renderer()
    if axes is None:
        found = figure.get_tightbbox(renderer)
    else:
        boxes = [box for each in axes if (box := each.get_tightbbox(renderer)) is not None]
        found = Bbox.union(boxes).transformed(figure.dpi_scale_trans.inverted()) if boxes else whole
    around = found.padded(_AROUND)
    if not (0 < around.width <= _FAR * whole.width and 0 < around.height <= _FAR * whole.height):
        return whole
    return around


@contextmanager
def _as_pixels(figure: Any) -> Iterator[None]:
    """All that stands in axes is drawn as pixels, but for texts."""
    drawn = [
        artist.set_rasterized for axes in figure.axes for artist in axes._children
        if not isinstance(artist, Text | Legend) and getattr(artist.draw, "_supports_rasterization", False)
    ]  # fmt: skip
    with _set(drawn, True):
        yield


def _texts(figure: Any, axes: list[Any] | None) -> Iterable[str]:
    """What is written in a picture, but for the numbers of axes."""
    if axes is None:
        yield from (text.get_text() for text in figure.texts)
    for each in figure.axes if axes is None else axes:
        if not each.get_visible():
            continue
        yield from (each.get_title(where) for where in ("center", "left", "right"))
        sides = [getattr(each, f"{which}axis", None) for which in "xyz"]
        yield from (axis.label.get_text() for axis in sides if axis is not None)
        yield from (text.get_text() for text in each.texts)
        legend = each.get_legend()
        yield from (text.get_text() for text in (legend.get_texts() if legend is not None else ()))
