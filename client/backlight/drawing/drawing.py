"""A model's picture, and the files that it becomes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .marks import Mark
from .pdf import pdf
from .svg import svg


class Drawing:
    """A model's picture. `width` and `height` are in pixels."""

    def __init__(self, marks: Sequence[Mark], width: int, height: int) -> None:
        self.marks, self.width, self.height = marks, width, height

    @property
    def svg(self) -> str:
        """The picture as SVG, in light or in dark as the reader has it."""
        return svg(self.marks, self.width, self.height)

    def pdf(self) -> bytes:
        """The picture as PDF. An ImportError says what to install for it."""
        return pdf(self.marks, self.width, self.height)

    @staticmethod
    def checked(path: str | Path) -> Path:
        """A path that a picture can be saved as; a ValueError says what can."""
        target = Path(path)
        if target.suffix.lower() not in (".svg", ".pdf"):
            raise ValueError(f"{target.name}: a model's picture is saved as .svg or .pdf")
        return target

    def save(self, path: str | Path) -> None:
        """Write a file: `.svg` or `.pdf`."""
        target = self.checked(path)
        if target.suffix.lower() == ".pdf":
            target.write_bytes(self.pdf())
        else:
            target.write_text(self.svg, "utf-8")

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg

    def __repr__(self) -> str:
        return f"<backlight.Drawing: {self.width} × {self.height} pixels>"
