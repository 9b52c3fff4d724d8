"""The backend that programs draw with: figures are told to the run that is in progress when they are shown."""

from __future__ import annotations

from typing import Any

from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg

from engine.figures import shown


class FigureManager(FigureManagerBase):  # type: ignore[misc]
    """A window that nobody sees."""

    def show(self) -> None:
        shown.show(self.canvas.figure)

    @classmethod
    def pyplot_show(cls, *, block: bool | None = None) -> None:
        shown.show_all(block)


class FigureCanvas(FigureCanvasAgg):  # type: ignore[misc]
    """What figures are drawn on when their pixels are wanted."""

    manager_class = FigureManager

    def draw_idle(self, *args: Any, **options: Any) -> None:
        """Draw when there is time: nobody looks."""

    def start_event_loop(self, timeout: float = 0) -> None:
        """Wait for somebody to click, which nobody does."""
