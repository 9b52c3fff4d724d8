"""When figures are shown, and what the document gets of them.

A figure is recorded when it is shown or saved. What is still open at the end of a cell of a notebook, or of the
program, is shown then, as notebooks do.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from engine.core.state import state
from engine.limits import Limits
from engine.trace import Recorder
from engine.trace.sizes import encoded

_THINNER = (1, 4, 16, 64)
"""By what the points of a figure are divided until it fits."""
_SHARE = 20
"""The part of a document that figures may take: one in so many."""
_CLOSING = ("cell", "end")
"""When a figure is shown although the program does not say so."""


class Shown:
    """The figures that a run has shown."""

    def __init__(self, recorder: Recorder | None, limits: Limits) -> None:
        self.recorder, self.limits = recorder, limits
        self.left = limits.document_bytes // _SHARE
        self.recorded = 0
        self.known: WeakKeyDictionary[Any, tuple[dict[str, Any], int, int]] = WeakKeyDictionary()

    def show_all(self, how: str, close: bool = True) -> None:
        """Record every open figure that has something in it, and close them."""
        if "matplotlib.pyplot" not in sys.modules:
            return
        from matplotlib._pylab_helpers import Gcf  # noqa: PLC0415 - only where it is loaded already

        for manager in sorted(Gcf.get_all_fig_managers(), key=lambda manager: manager.num):
            self.record(manager.canvas.figure, how)
        if close:
            Gcf.destroy_all()

    def display(self, value: object) -> bool:
        """Record what `display` is given, or a cell of a notebook ends with; whether it is a figure."""
        module = sys.modules.get("matplotlib.figure")
        if module is None or not isinstance(value, module.Figure):
            return False
        self.record(value, "show")
        return True

    def record(self, figure: Any, how: str, file: str | None = None) -> None:
        """One figure as it is now; one that was recorded before and has not changed is that one."""
        if self.recorder is None or len(figure.get_children()) == 1:
            return
        _begin_animations(figure)
        known = self.known.get(figure)
        if known is not None and _described(figure, *known[1:]) == known[0]:
            if how not in _CLOSING:
                self.recorder.figure(known[0], how, file)
            return
        room = self.left // 2
        for divided in _THINNER:
            points = max(self.limits.figure_points // divided, 16)
            found = _described(figure, points, room) or {}
            size = encoded(found)
            if size <= room:
                break
        if not found:
            return
        if self.recorded >= self.limits.figures or size > self.left:
            state.notice("This run shows more figures than its document has room for: it has the first ones.")
            return
        self.recorded += 1
        self.left -= size
        self.known[figure] = found, points, room
        self.recorder.figure(found, how, file)


def _described(figure: Any, points: int, room: int) -> dict[str, Any] | None:
    """What the document has of a figure; None, with a notice, of one that cannot be drawn."""
    from engine.figures.described import described  # noqa: PLC0415 - imports matplotlib

    try:
        return described(figure, points, room)
    except Exception as error:
        state.notice(f"This figure cannot be drawn: {type(error).__name__}: {error}"[:1000])
        return None


def _begin_animations(figure: Any) -> None:
    """Animations begin when they are drawn for the first time: with their first picture."""
    if figure.canvas.callbacks.callbacks.get("draw_event"):
        from matplotlib.backend_bases import DrawEvent  # noqa: PLC0415 - only where it is loaded already

        event = DrawEvent("draw_event", figure.canvas, figure._get_renderer())
        figure.canvas.callbacks.process("draw_event", event)


_active: list[Shown] = []


@contextmanager
def showing(recorder: Recorder | None, limits: Limits) -> Iterator[Shown]:
    """While this is open, figures that are shown are recorded."""
    shown = Shown(recorder, limits)
    _active.append(shown)
    _afresh()
    try:
        yield shown
    finally:
        _active.pop()
        _afresh()


def _afresh() -> None:
    """matplotlib as it is when it has just been imported."""
    loading = sys.modules.get("engine.figures.loading")
    if loading is not None:
        loading.reset()


def show(figure: Any) -> None:
    """`figure.show()`."""
    for shown in _active[-1:]:
        shown.record(figure, "show")


def show_all(block: bool | None) -> None:
    """`plt.show()`, after which figures are closed unless they are to stay; nothing in interactive mode."""
    interactive = sys.modules["matplotlib"].is_interactive()
    for shown in _active[-1:]:
        if block is not None or not interactive:
            shown.show_all("show", close=block is not False)


def saved(figure: Any, file: Any) -> None:
    """`figure.savefig(file)`, which has written it."""
    name = file if isinstance(file, str) else str(file) if hasattr(file, "__fspath__") else type(file).__name__
    for shown in _active[-1:]:
        shown.record(figure, "save", name[:200])
