"""A model's picture from a model and an input: `draw`.

`calls.py` runs the model and notes which modules and functions it calls, `boxes.py` chooses what of that is shown,
alike parts once, `place.py` says where it stands, of which marks; `svg.py` and `pdf.py` write them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from .boxes import DEEPEST, count, level_of
from .calls import calls_of
from .drawing import Drawing
from .place import place

__all__ = ["Drawing", "draw"]


def draw(
    model: torch.nn.Module,
    inputs: Any,
    path: str | Path | None = None,
    *,
    kwargs: Mapping[str, Any] | None = None,
    depth: int | None = None,
    width: int = 1000,
    title: str | None = None,
) -> Drawing:
    """Draw a model as the path of an input through it, with shapes, parameters and attributes; no loss is needed.

    `inputs`: a tensor, a tuple of arguments or a mapping of named ones; `kwargs`: named arguments beside them.
    `path`: a file to write, `.svg` or `.pdf`. `depth`: how far modules are opened, 1 for those of the model itself; as
    far as there is room where it is not said. `width`: of the picture, in pixels. `title`: in place of the model's
    class and its number of parameters; "" for none.

    The model runs once, in eval mode and without gradients, and is left as it was. What it raises is raised. A
    TypeError says what is no model, a ValueError what is no depth, width or file.
    """
    if not isinstance(model, torch.nn.Module):
        raise TypeError(
            f"draw takes a module and its input, as in backlight.draw(model, x), not {type(model).__name__}"
        )
    if depth is not None and not 1 <= depth <= DEEPEST:
        raise ValueError(f"depth is a number from 1 to {DEEPEST}, not {depth!r}")
    if width < 320:
        raise ValueError(f"width is a number of pixels, 320 or more, not {width!r}")
    target = None if path is None else Drawing.checked(path)
    arguments, named = _arguments(inputs)
    calls = calls_of(model, arguments, {**named, **(kwargs or {})})
    drawing = place(level_of(calls, depth), width, _title(model) if title is None else title)
    if target is not None:
        drawing.save(target)
    return drawing


def _arguments(inputs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Positional and named arguments."""
    if isinstance(inputs, Mapping):
        return (), dict(inputs)
    return (inputs, {}) if type(inputs) is tuple else ((inputs,), {})


def _title(model: torch.nn.Module) -> str:
    return f"{type(model).__name__} · {count(model):,} parameters"
