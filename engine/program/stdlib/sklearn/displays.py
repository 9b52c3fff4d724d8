"""`sklearn.metrics.ConfusionMatrixDisplay`: a table of counts as a figure."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import wrap
from engine.program.stdlib.matplotlib import axes, fields, figures, pyplot
from engine.program.stdlib.matplotlib.colormaps import colormap
from engine.program.stdlib.sklearn.base import given, labels
from engine.program.stdlib.sklearn.metrics import confusion_matrix
from engine.program.text import format_value, to_text

CLASSES = 64
"""Classes of a table that is drawn, at most."""


class ConfusionMatrixDisplay:
    """Rows are what is true, columns what was predicted."""

    __module__ = "sklearn.metrics"
    __program__ = True
    __invisible__ = True
    __abstract__ = ()

    def __init__(self, confusion_matrix: Any, *, display_labels: Any = None) -> None:
        self.confusion_matrix, self.display_labels = confusion_matrix, display_labels

    @classmethod
    def from_predictions(
        cls, y_true: Any, y_pred: Any, *, labels: Any = None, normalize: Any = None, display_labels: Any = None,
        **drawn: Any,
    ) -> Any:  # fmt: skip
        if display_labels is None:
            display_labels = named(y_true, y_pred) if labels is None else labels
        counts = confusion_matrix(y_true, y_pred, labels=labels, normalize=normalize)
        return cls(counts, display_labels=display_labels).plot(**drawn)

    def plot(
        self, *, include_values: Any = True, cmap: Any = "viridis", xticks_rotation: Any = "horizontal",
        values_format: Any = None, ax: Any = None, colorbar: Any = True, im_kw: Any = None, text_kw: Any = None,
    ) -> Any:  # fmt: skip
        counts = given(self.confusion_matrix)
        classes = len(counts)
        if classes > CLASSES:
            raise ValueError(f"tables of more than {CLASSES} classes are not drawn here")
        meter.charge(20 + 8 * counts.size)
        figure, ax = pyplot.subplots() if ax is None else (ax.figure, ax)
        image = fields.imshow(ax, wrap(counts), **{"interpolation": "nearest", "cmap": cmap, **(im_kw or {})})
        if include_values:
            first, last = (colormap((im_kw or {}).get("cmap", cmap))(end) for end in (0.0, 1.0))
            middle = (counts.max() + counts.min()) / 2
            for (row, column), count in np.ndenumerate(counts):
                looks = {"ha": "center", "va": "center", "color": last if count < middle else first}
                axes.text(ax, column, row, written(count, values_format), **{**looks, **(text_kw or {})})
        if colorbar:
            figures.colorbar(figure, image, ax=ax)
        places = wrap(np.arange(classes))
        names = list(range(classes)) if self.display_labels is None else labels(self.display_labels)
        axes.set_all(
            ax, xticks=places, yticks=places, xticklabels=list(map(str, names)), yticklabels=list(map(str, names)),
            ylabel="True label", xlabel="Predicted label", ylim=(classes - 0.5, -0.5),
        )  # fmt: skip
        self.figure_, self.ax_, self.im_ = figure, ax, image
        return self


def named(y_true: Any, y_pred: Any) -> list[Any]:
    """The classes of two targets, in order."""
    return sorted({*labels(y_true), *labels(y_pred)})


def written(count: Any, pattern: Any) -> str:
    """A number of the table: the shorter of two ways, unless the program says how."""
    if pattern is not None:
        return format_value(wrap(count), to_text(pattern))
    short = f"{count:.2g}"
    return short if count.dtype.kind == "f" or len(str(count)) >= len(short) else str(count)
