"""`matplotlib.pyplot`: the figures of a run, and when they are shown.

A figure is recorded when it is shown or saved. What is still open at the end of a cell of a notebook, or of the
program, is shown then, as notebooks do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.stdlib.contextlib import ExitStack
from engine.program.stdlib.matplotlib import bars, fields, given, lines  # noqa: F401 - which add what axes draw
from engine.program.stdlib.matplotlib.artists import Artist, offer
from engine.program.stdlib.matplotlib.axes import METHODS, Axes
from engine.program.stdlib.matplotlib.described import described
from engine.program.stdlib.matplotlib.figures import (
    Figure,
    add_axes,
    add_subplot,
    check_file,
    colorbar,
    mosaic_in,
    place_of,
    subplots_in,
    suptitle,
)
from engine.program.stdlib.matplotlib.names import NAMES
from engine.program.tables import DISPLAYS
from engine.program.values import Builtin, Silent
from engine.trace.sizes import encoded

_THINNER = (1, 4, 16, 64)
"""By what the points of a figure are divided until it fits."""
_SHARE = 20
"""The part of a document that figures may take: one in so many."""
_CLOSING = ("cell", "end")
"""When a figure is shown although the program does not say so."""
MOST_OPEN = 1000
"""Figures that a run may have open at a time."""


class Open:
    """What pyplot has open in one run, by number, and what is recorded of it."""

    def __init__(self) -> None:
        limits = sessions.active.limits
        self.figures: dict[int, Figure] = {}
        self.current: int | None = None
        self.interactive = False
        self.left = limits.document_bytes // _SHARE
        self.recorded = 0

    def figure(self) -> Figure:
        """The one that is drawn in; made if there is none."""
        if self.current is None:
            return self.open(None)
        return self.figures[self.current]

    def open(self, number: int | None, figsize: Any = None, name: str | None = None) -> Figure:
        if len(self.figures) >= MOST_OPEN:
            raise RuntimeError(f"more than {MOST_OPEN} figures are open: close some with plt.close()")
        if number is None:
            number = max(self.figures, default=0) + 1
        made = self.figures[number] = Figure(number, figsize, name)
        self.current = number
        return made

    def close(self, number: int | None) -> None:
        if number is not None and self.figures.pop(number, None) is not None and self.current == number:
            self.current = max(self.figures, default=None)

    def show_all(self, how: str) -> None:
        """Record every open figure that has something in it, and close them."""
        for figure in list(self.figures.values()):
            self.record(figure, how)
        self.figures.clear()
        self.current = None

    def record(self, figure: Figure, how: str, file: str | None = None) -> None:
        """One figure as it is now; one that was recorded before and has not changed is that one."""
        recorder = sessions.active.recorder
        if recorder is None or not (figure.axes or figure.title):
            return
        limits = sessions.active.limits
        meter.charge(8 * len(figure.axes))
        if figure.known is not None:
            known, points = figure.known
            if described(figure, points) == known:
                if how not in _CLOSING:
                    recorder.figure(known, how, file)
                return
        for divided in _THINNER:
            points = max(limits.figure_points // divided, 16)
            found = described(figure, points)
            size = encoded(found)
            meter.charge(size >> 8)
            if size <= self.left // 2:
                break
        if self.recorded >= limits.figures or size > self.left:
            sessions.active.notice("This run shows more figures than its document has room for: it has the first ones.")
            return
        self.recorded += 1
        self.left -= size
        figure.known = (found, points)
        recorder.figure(found, how, file)


def pyplot() -> Open:
    """What is open in the run in progress."""
    found = sessions.active.figures
    if found is None:
        found = sessions.active.figures = Open()
    return found  # type: ignore[no-any-return]


def _gca() -> Axes:
    return pyplot().figure().gca()


# --- figures


_OF_FIGURES = NAMES["Figure.set"] | {"subplotpars", "tight_layout", "constrained_layout", "layout", "linewidth"}


def figure(
    num: Any = None, figsize: Any = None, dpi: Any = None, *, facecolor: Any = None, edgecolor: Any = None,
    frameon: bool = True, FigureClass: Any = None, clear: bool = False, **options: Any,  # noqa: N803 - matplotlib's name
) -> Figure:  # fmt: skip
    for option in options:
        if option not in _OF_FIGURES:
            raise AttributeError(f"Figure.set() got an unexpected keyword argument '{option}'")
    state = pyplot()
    if isinstance(num, Figure):
        if num.number is not None:
            state.figures[num.number], state.current = num, num.number
        return num
    name = None
    if type(num) is str:
        name = num
        num = next((number for number, known in state.figures.items() if known.name == name), None)
    elif num is not None:
        num = int(given.number(num))
    if num in state.figures:
        state.current = num
        if clear:
            state.figures[num].clear()
        return state.figures[num]
    return state.open(num, figsize, name)


def subplots(nrows: Any = 1, ncols: Any = 1, **options: Any) -> Any:
    names = ("sharex", "sharey", "squeeze", "width_ratios", "height_ratios", "subplot_kw", "gridspec_kw")
    mine = {key: options.pop(key) for key in names if key in options}
    made = figure(**options)
    return made, subplots_in(made, nrows, ncols, **mine)


def subplot_mosaic(mosaic: Any, **options: Any) -> Any:
    mine = {key: options.pop(key) for key in ("sharex", "sharey", "empty_sentinel", "subplot_kw") if key in options}
    made = figure(**options)
    return made, mosaic_in(made, mosaic, **mine)


def subplot(*args: Any, **options: Any) -> Any:
    now = pyplot().figure()
    if len(args) == 1 and isinstance(args[0], Axes):
        now.current = args[0]
        return args[0]
    place = place_of(args)
    if not options.get("projection") and not options.get("polar"):
        for known in now.axes:
            if known.place is not None and known.place.same(place):
                now.current = known
                METHODS["set"](known, **{key: value for key, value in options.items() if f"set_{key}" in METHODS})
                return known
    return add_subplot(now, *args, **options)


def subplot2grid(shape: Any, loc: Any, rowspan: int = 1, colspan: int = 1, fig: Any = None, **options: Any) -> Any:
    (rows, columns), (row, column) = shape, loc
    first = row * columns + column + 1
    span = (first, first + (rowspan - 1) * columns + colspan - 1)
    return add_subplot(fig or pyplot().figure(), rows, columns, span, **options)


def axes(arg: Any = None, **options: Any) -> Any:
    now = pyplot().figure()
    return add_subplot(now, **options) if arg is None else add_axes(now, arg, **options)


def sca(ax: Any) -> None:
    if isinstance(ax, Axes):
        ax.figure.current = ax
        if ax.figure.number is not None:
            pyplot().current = ax.figure.number


def clf() -> None:
    pyplot().figure().clear()


def cla() -> None:
    _gca().clear()


def close(fig: Any = None) -> None:
    state = pyplot()
    if fig == "all":
        state.figures.clear()
        state.current = None
    elif isinstance(fig, Figure):
        state.close(fig.number)
    elif type(fig) is str:
        for number in [number for number, known in state.figures.items() if known.name == fig]:
            state.close(number)
    else:
        state.close(state.current if fig is None else int(given.number(fig)))


# --- showing


def show(*, block: Any = None) -> None:
    state = pyplot()
    if state.interactive:
        return
    if block is False:
        for known in list(state.figures.values()):
            state.record(known, "show")
        return
    state.show_all("show")


def savefig(*args: Any, **options: Any) -> None:
    _save(pyplot().figure(), *args, **options)


def _save(self: Figure, fname: Any, **options: Any) -> None:
    pyplot().record(self, "save", check_file(fname))


def _show(self: Figure, warn: bool = True) -> None:
    pyplot().record(self, "show")


def display(self: Figure) -> None:
    """`display(figure)`, and a figure that is the value of a cell of a notebook."""
    pyplot().record(self, "show")


DISPLAYS[Figure] = display
offer(Figure, {"savefig": _save, "show": _show})


def _interactive(on: bool) -> Callable[[], Any]:
    def switch() -> ExitStack:
        before, pyplot().interactive = pyplot().interactive, on
        stack = ExitStack()
        stack.callback(Builtin("ion" if before else "ioff", lambda: setattr(pyplot(), "interactive", before)))
        return stack

    return switch


# --- the axes that are drawn in


def _current(name: str) -> Callable[..., Any]:
    method = METHODS[name]
    return lambda *args, **options: method(_gca(), *args, **options)


def _limits(which: str) -> Callable[..., Any]:
    def limits(*args: Any, **options: Any) -> Any:
        if not args and not options:
            return METHODS[f"get_{which}lim"](_gca())
        return METHODS[f"set_{which}lim"](_gca(), *args, **options)

    return limits


def _ticks(which: str) -> Callable[..., Any]:
    def ticks(ticks: Any = None, labels: Any = None, *, minor: bool = False, **options: Any) -> Any:
        now = _gca()
        if ticks is not None:
            looks = options if labels is not None else {}
            places = METHODS[f"set_{which}ticks"](now, ticks, labels, minor=minor, **looks)
        elif labels is not None:
            raise TypeError(f"{which}ticks(): Parameter 'labels' can't be set without setting 'ticks'")
        else:
            places = METHODS[f"get_{which}ticks"](now, minor=minor)
        return places, METHODS[f"get_{which}ticklabels"](now, minor)

    return ticks


def title(label: Any, fontdict: Any = None, loc: Any = None, pad: Any = None, **options: Any) -> Any:
    return METHODS["set_title"](_gca(), label, fontdict, loc, pad, **options)


def xlabel(xlabel: Any, fontdict: Any = None, labelpad: Any = None, **options: Any) -> Any:
    return METHODS["set_xlabel"](_gca(), xlabel, fontdict, labelpad, **options)


def ylabel(ylabel: Any, fontdict: Any = None, labelpad: Any = None, **options: Any) -> Any:
    return METHODS["set_ylabel"](_gca(), ylabel, fontdict, labelpad, **options)


def _suptitle(t: Any, **options: Any) -> Any:
    return suptitle(pyplot().figure(), t, **options)


def _mappable() -> Artist | None:
    """The last thing drawn that a colour map colours: in these axes, or else in others of the figure."""
    figure = pyplot().figure()
    for some in [figure.current, *reversed(figure.axes)]:
        for artist in reversed(some.artists if some is not None else []):
            if artist.style.get("cmap") is not None:
                return artist
    return None


def _colorbar(mappable: Any = None, cax: Any = None, ax: Any = None, **options: Any) -> Any:
    if isinstance(mappable, Silent):
        return Silent("matplotlib.pyplot.colorbar()", quiet=True)
    found = _mappable() if mappable is None else mappable
    if found is None:
        raise RuntimeError(
            "No mappable was found to use for colorbar creation. First define a mappable such as an image (with imshow)"
            " or a contour set (with contourf)."
        )
    return colorbar(pyplot().figure(), found, cax, ax, **options)


def _clim(vmin: Any = None, vmax: Any = None) -> None:
    found = _mappable()
    if found is None:
        raise RuntimeError("You must first define an image, e.g., with imshow")
    for key, value in (("vmin", vmin), ("vmax", vmax)):
        if value is not None:
            found.style[key] = given.number(value)


def _matshow(A: Any, fignum: Any = None, **options: Any) -> Any:  # noqa: N803 - matplotlib's name
    if fignum is None:
        figure()
    return METHODS["matshow"](_gca(), A, **options)


_ON_AXES = (
    "annotate axhline axhspan axis axvline axvspan bar barh bar_label contour contourf errorbar fill_between grid hist"
    " hist2d hlines imshow legend loglog margins pcolormesh plot scatter semilogx semilogy stem step text twinx twiny"
    " vlines"
).split()

PYPLOT: dict[str, Callable[..., Any]] = {
    **{name: _current(name) for name in _ON_AXES},
    **{f"{which}lim": _limits(which) for which in ("x", "y")},
    **{f"{which}ticks": _ticks(which) for which in ("x", "y")},
    "xscale": _current("set_xscale"), "yscale": _current("set_yscale"), "title": title, "xlabel": xlabel,
    "ylabel": ylabel, "suptitle": _suptitle, "colorbar": _colorbar, "clim": _clim, "matshow": _matshow,
    "figure": figure, "subplots": subplots, "subplot_mosaic": subplot_mosaic, "subplot": subplot,
    "subplot2grid": subplot2grid, "axes": axes, "gca": _gca,
    "gcf": lambda: pyplot().figure(), "gci": _mappable, "sca": sca, "clf": clf, "cla": cla, "close": close,
    "show": show, "savefig": savefig, "ion": _interactive(True), "ioff": _interactive(False),
    "isinteractive": lambda: pyplot().interactive, "get_fignums": lambda: sorted(pyplot().figures),
    "fignum_exists": lambda num: num in pyplot().figures,
    "get_figlabels": lambda: [known.name or "" for known in pyplot().figures.values()],
    "delaxes": lambda ax=None: METHODS["remove"](ax or _gca()), "figlegend": _current("legend"),
    "draw": lambda: None, "pause": lambda interval: None,
}  # fmt: skip


def omitted(name: str) -> Builtin:
    """A function of pyplot that draws what is not drawn here."""

    def omit(*args: Any, **options: Any) -> Any:
        _gca().omit(name)
        return Silent(f"matplotlib.pyplot.{name}()", quiet=True)

    return Builtin(name, omit)


def shown_at_end(how: str) -> None:
    """Show what is still open."""
    if sessions.active.figures is not None:
        sessions.active.figures.show_all(how)
