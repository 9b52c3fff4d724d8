"""Numbers of a training: a column for each recorded iteration, of losses and norms by the name of a parameter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import torch

from ..document import rows
from ..document.numbers import in_digits
from ..document.training import Series
from ..recorder.training import Training

Column = dict[str, Any]
"""Of one backward call in one iteration: `file`, `line` and `column` of the call, `loss`, and `parameters`: of each
name the norms of gradient, weight and step, None where it was not reached."""

_DIGITS = 4


def columns_of(training: Training, files: list[str], name_of: Callable[[torch.Tensor], str | None]) -> list[Column]:
    """The columns of a recording of one iteration. Several passes of one call, whose gradients add up, are one: the
    loss is their mean, the rest is of the last."""
    return [
        {
            "file": files[series.file],
            "line": series.line,
            "column": series.column,
            "loss": in_digits(_mean(point.loss for point in series.points), _DIGITS),
            "parameters": {
                name: [in_digits(_last(series, part, i), _DIGITS) for part in ("grads", "weights", "updates")]
                for i, leaf in enumerate(series.leaves)
                if (name := name_of(leaf)) is not None
            },
        }
        for series in training.series.values()
        if series.points
    ]


def rows_of(
    training: Training, files: list[str], own: list[Column], earlier: Iterable[list[Column]], passes: int,
    id_of: Callable[[Any], str], name_of: Callable[[torch.Tensor], str | None],
) -> list[rows.Series]:  # fmt: skip
    """The field `training` of a recording whose columns are `own`, with those of earlier iterations before them.
    `passes`: how many iterations there were."""
    before = list(earlier)
    found: list[rows.Series] = []
    for series in training.series.values():
        key = _key({"file": files[series.file], "line": series.line, "column": series.column})
        each = [column for columns in (*before, own) for column in columns if _key(column) == key]
        if len(each) < 2:
            continue
        row: rows.Series = {
            "line": series.line,
            "column": series.column,
            "passes": passes,
            "stride": 1,
            "calls": list(range(len(each))),
            "loss": [column["loss"] for column in each],
            "peak": None,
            "parameters": [_parameter(id_of(leaf), name_of(leaf), each) for leaf in reversed(series.leaves)],
        }
        if series.file:
            row["file"] = series.file
        found.append(row)
    return found


def without_folders(told: dict[str, Any]) -> dict[str, Any]:
    """What a page is told, with the names of files alone."""
    plain = [
        [iteration, [{**column, "file": re.split(r"[/\\\\]", column["file"])[-1]} for column in columns]]
        for iteration, columns in told["columns"]
    ]
    return {**told, "columns": plain}


def _parameter(tensor: str, name: str | None, each: list[Column]) -> rows.TrainedParameter:
    norms = [column["parameters"].get(name, (None, None, None)) for column in each]
    grad, weight, update = ([one[i] for one in norms] for i in range(3))
    return {"tensor": tensor, "grad": grad, "weight": weight, "update": update}


def _key(column: Column) -> tuple[str, int, int]:
    return column["file"], column["line"], column["column"]


def _mean(losses: Iterable[float | None]) -> float | None:
    known = [loss for loss in losses if loss is not None]
    return sum(known) / len(known) if known else None


def _last(series: Series[torch.Tensor], part: str, leaf: int) -> float | None:
    """The last norm that is known of a leaf."""
    for point in reversed(series.points):
        norms: list[float | None] = getattr(point, part)
        if leaf < len(norms) and norms[leaf] is not None:
            return norms[leaf]
    return None
