"""A drawing as PDF, with reportlab: vectors and texts, in light colours."""

from __future__ import annotations

import importlib
import io
from collections.abc import Sequence
from typing import Any

from .marks import LOOKS, PAPER, Line, Mark, Rect, Text, head


def pdf(marks: Sequence[Mark], width: int, height: int) -> bytes:
    """The file; sizes are in pixels, each three quarters of a point. An ImportError says what to install."""
    try:
        canvas_of = importlib.import_module("reportlab.pdfgen.canvas").Canvas
    except ImportError as error:
        raise ImportError("a picture as PDF needs reportlab: pip install reportlab") from error
    file = io.BytesIO()
    canvas = canvas_of(file, pagesize=(width * 0.75, height * 0.75), invariant=1)
    canvas.transform(0.75, 0, 0, -0.75, 0, height * 0.75)
    canvas.setFillColor(PAPER[0])
    canvas.rect(0, 0, width, height, stroke=0, fill=1)
    for mark in marks:
        look = LOOKS[mark.kind]
        if look.line:
            canvas.setStrokeColor(look.line[0])
            canvas.setLineWidth(look.width)
        if look.fill:
            canvas.setFillColor(look.fill[0])
        if isinstance(mark, Rect):
            radius = min(mark.r, mark.w / 2, mark.h / 2)
            canvas.roundRect(mark.x, mark.y, mark.w, mark.h, radius, stroke=int(look.line is not None), fill=1)
        elif isinstance(mark, Text):
            _write(canvas, mark)
        else:
            _follow(canvas, mark)
    canvas.save()
    return file.getvalue()


def _write(canvas: Any, mark: Text) -> None:
    """A text, upright on a page whose y goes down."""
    look = LOOKS[mark.kind]
    face = ("Courier" if look.mono else "Helvetica") + ("-Bold" if look.bold else "")
    canvas.saveState()
    canvas.translate(mark.x, mark.y)
    canvas.scale(1, -1)
    canvas.setFont(face, look.size)
    draw = {"middle": canvas.drawCentredString, "end": canvas.drawRightString}.get(mark.anchor, canvas.drawString)
    draw(0, 0, mark.text)
    canvas.restoreState()


def _follow(canvas: Any, mark: Line) -> None:
    path = canvas.beginPath()
    x = y = 0.0
    for step in mark.steps:
        numbers = [float(number) for number in step[1:]]
        if step[0] == "M":
            path.moveTo(*numbers)
        elif step[0] == "L":
            path.lineTo(*numbers)
        elif step[0] == "C":
            path.curveTo(*numbers)
        else:  # a quadratic curve as a cubic one
            a, b, to_x, to_y = numbers
            path.curveTo(
                x + 2 / 3 * (a - x),
                y + 2 / 3 * (b - y),
                to_x + 2 / 3 * (a - to_x),
                to_y + 2 / 3 * (b - to_y),
                to_x,
                to_y,
            )
        x, y = numbers[-2:]
    canvas.drawPath(path, stroke=1, fill=0)
    if mark.arrow:
        canvas.setFillColor(LOOKS[mark.kind].line[0])  # type: ignore[index]
        points = head(mark)
        tip = canvas.beginPath()
        tip.moveTo(*points[0])
        for point in points[1:]:
            tip.lineTo(*point)
        tip.close()
        canvas.drawPath(tip, stroke=0, fill=1)
