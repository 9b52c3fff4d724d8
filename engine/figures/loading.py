"""matplotlib as programs find it: loaded with all that it reads from files, and shown by us."""

from __future__ import annotations

import datetime
import io
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy.spatial import Delaunay

from engine.core.state import state

BACKEND = "module://engine.figures.backend"
_FOLDER = "/tmp/matplotlib"
"""Where programs are told that settings would lie."""


@cache
def load() -> None:
    """Import matplotlib and put in place of its windows, files and fonts of the system what works in a locked process.

    Fonts are its own only, so that a figure has the same letters everywhere, and settings are not those of a user.
    """
    with TemporaryDirectory() as folder, _environment(MPLCONFIGDIR=folder, MPL_IGNORE_SYSTEM_FONTS="1"):
        from matplotlib import _tri, animation, patheffects, pyplot  # noqa: F401, PLC0415 - where that holds
    _hold_fonts()
    from engine.figures import described, remembered  # noqa: F401, PLC0415 - what recording needs

    remembered.remember()
    _put_in_place(pyplot)
    reset()
    _warm(pyplot)


def reset() -> None:
    """No figure is open, and every setting has its default."""
    import matplotlib  # noqa: PLC0415
    from matplotlib import pyplot  # noqa: PLC0415

    pyplot.close("all")
    matplotlib.interactive(False)
    settings = dict.items(matplotlib.rcParamsDefault)  # unread, since that takes as long as a small program
    matplotlib.rcParams._update_raw({name: value[:] if type(value) is list else value for name, value in settings})
    matplotlib.rcParams._set("backend", "agg")


@contextmanager
def _environment(**variables: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _hold_fonts() -> None:
    """Have fonts in memory: processes that are forked may open no file, and must not share one that is open."""
    from matplotlib import _mathtext, font_manager, ft2font, get_data_path  # noqa: PLC0415

    held: dict[str, bytes] = {}
    for path in sorted(Path(get_data_path(), "fonts").rglob("*.[ta][tf][fm]")):
        held[str(path)] = held[font_manager._cached_realpath(str(path))] = path.read_bytes()

    class File(io.BytesIO):
        """A font that can tell its path."""

        def __init__(self, path: str) -> None:
            super().__init__(held[path])
            self.name = path

        def __repr__(self) -> str:
            return str(self.name)

    def font(path: Any, *args: Any, **options: Any) -> Any:
        return ft2font.FT2Font(File(path) if path in held else path, *args, **options)

    def is_file(path: Any) -> bool:
        return getattr(path, "path", path) in held or os.path.isfile(path)

    paths = SimpleNamespace(**{**vars(os.path), "isfile": is_file, "exists": is_file})
    font_manager.ft2font = SimpleNamespace(**{**vars(ft2font), "FT2Font": font})
    font_manager.os = _mathtext.os = SimpleNamespace(**{**vars(os), "path": paths})
    font_manager._get_font.cache_clear()
    font_manager._log.setLevel(logging.ERROR)  # which of the fonts of a style are not there
    manager = font_manager.fontManager
    for name in ("ttflist", "afmlist"):
        own = [font for font in getattr(manager, name) if font_manager._cached_realpath(font.fname) in held]
        setattr(manager, name, sorted(own, key=lambda font: font.fname))


def _put_in_place(pyplot: Any) -> None:
    import matplotlib  # noqa: PLC0415
    from matplotlib import _qhull, rcsetup, style  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415
    from matplotlib.text import Text  # noqa: PLC0415

    from engine.figures import pictures, shown  # noqa: PLC0415

    pyplot.switch_backend(BACKEND)
    real_use = style.use

    def use(backend: str, *, force: bool = True) -> None:
        """`matplotlib.use`: every backend shows figures on the page."""
        matplotlib.rcParams._set("backend", rcsetup.validate_backend(backend))

    def switch_backend(newbackend: str) -> None:
        use(newbackend)

    def use_style(style: Any) -> None:
        several = [style] if isinstance(style, str | Path) or hasattr(style, "keys") else list(style)
        here = [each for each in several if not (isinstance(each, str) and each.startswith(("http://", "https://")))]
        if len(here) < len(several):
            state.notice("A style sheet by URL is not fetched here: figures look as without it.")
        real_use(here)

    def savefig(self: Any, fname: Any, *args: Any, **options: Any) -> None:
        pictures.save(self, fname, *args, **options)
        shown.saved(self, fname)

    def set_usetex(self: Any, usetex: Any) -> None:
        self._usetex = False
        self.stale = True
        if matplotlib.rcParams["text.usetex"] if usetex is None else usetex:
            state.notice("There is no TeX here: matplotlib writes formulas itself.")

    use_style.__name__, use_style.__doc__ = "use", real_use.__doc__
    for function, real in ((savefig, Figure.savefig), (set_usetex, Text.set_usetex)):
        function.__doc__, function.__qualname__, function.__module__ = real.__doc__, real.__qualname__, real.__module__
    matplotlib.use, pyplot.switch_backend = use, switch_backend
    pyplot.pause = lambda interval: None
    style.use = use_style
    Figure.savefig, Text.set_usetex = savefig, set_usetex
    _qhull.delaunay = _delaunay
    matplotlib.get_configdir = matplotlib.get_cachedir = lambda: _FOLDER


def _delaunay(x: Any, y: Any, verbose: int) -> tuple[Any, Any]:
    """Triangles and their neighbours by scipy: matplotlib's own opens a file for what it has to say."""
    points = np.column_stack([x, y])
    if len(np.unique(points, axis=0)) < 3:
        raise ValueError("x and y arrays must consist of at least 3 unique points")
    found = Delaunay(points)
    return found.simplices, found.neighbors[:, [2, 0, 1]]  # beside an edge, and not opposite a corner


def _warm(pyplot: Any) -> None:
    """Draw once, so that whatever is loaded late is there."""
    figure, axes = pyplot.subplots()
    axes.plot([datetime.datetime(2000, 1, day) for day in (1, 2)], [1, 2])
    axes.contour([[1, 2], [3, 4]])
    axes.set_title("$\\frac{a}{b}$ and letters")
    for kind in ("png", "svg"):
        figure.savefig(io.BytesIO(), format=kind)
    pyplot.close(figure)
