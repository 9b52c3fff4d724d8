"""Figures: axes in a grid, a title over them, and when they are shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program import session as sessions
from engine.program.arrays import Array, DType, wrapped
from engine.program.stdlib.matplotlib import given
from engine.program.stdlib.matplotlib.artists import Artist, Text, offer
from engine.program.stdlib.matplotlib.axes import METHODS, Axes, Place, share
from engine.program.stdlib.matplotlib.names import properties
from engine.program.stdlib.matplotlib.rc import setting, size
from engine.program.text import represent
from engine.program.values import Silent

MOST_AXES = 200
"""Axes that one figure may have."""
_FORMATS = "avif eps gif jpeg jpg pdf pgf png ps raw rgba svg svgz tif tiff webp".split()


class Figure:
    """`matplotlib.figure.Figure`. `known`: what was recorded of it, and with how many points of each series."""

    __slots__ = ("axes", "current", "inches", "known", "name", "number", "title")
    __module__ = "matplotlib.figure"

    def __init__(self, number: int | None, figsize: Any = None, name: str | None = None) -> None:
        meter.charge(20)
        self.number, self.name = number, name
        self.inches = size(setting("figure.figsize") if figsize is None else figsize)
        self.known: tuple[dict[str, Any], int] | None = None
        self.clear()

    def clear(self) -> None:
        """As if nothing had been drawn."""
        self.axes: list[Axes] = []
        self.current: Axes | None = None
        self.title = ""

    def add(self, axes: Axes) -> Axes:
        if len(self.axes) >= MOST_AXES:
            raise ValueError(f"a figure has at most {MOST_AXES} axes here")
        self.axes.append(axes)
        self.current = axes
        return axes

    def gca(self) -> Axes:
        """The axes that are drawn in; made if there are none."""
        if self.current is None or self.current not in self.axes:
            self.current = self.axes[-1] if self.axes else self.add(Axes(self, Place((1, 1), 0, 0)))
        return self.current

    def __repr__(self) -> str:
        width, height = (int(side * 100) for side in self.inches)
        return f"<Figure size {width}x{height} with {len(self.axes)} Axes>"

    def __str__(self) -> str:
        width, height = (side * 100 for side in self.inches)
        return f"Figure({width:g}x{height:g})"


class AxesArray(Array):
    """What `subplots` gives: a `numpy.ndarray` of axes."""

    __slots__ = ()
    __module__ = "numpy"

    def __getitem__(self, index: Any) -> Any:
        return _as_array(self._array[_checked(index)])

    def __setitem__(self, index: Any, value: Any) -> None:
        raise TypeError("the axes of a figure stay where they are here")

    def __iter__(self) -> Iterator[Any]:
        return iter([_as_array(item) for item in self._array])

    def __deepcopy__(self, memo: Any) -> Any:
        return AxesArray(self._array.copy())

    __copy__ = __deepcopy__

    def __repr__(self) -> str:
        return f"array({self._array.tolist()}, dtype=object)"

    def __str__(self) -> str:
        return str(self._array)


AxesArray.__name__, AxesArray.__qualname__ = "numpy.ndarray", "ndarray"


def _checked(index: Any) -> Any:
    parts = index if isinstance(index, tuple) else (index,)
    for part in parts:
        if not isinstance(part, int | slice | list | Array | np.integer) and part is not ... and part is not None:
            raise IndexError(
                "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays"
                " are valid indices"
            )
    plain = tuple([np.asarray(part._array) if isinstance(part, Array) else part for part in parts])
    return plain if isinstance(index, tuple) else plain[0]


def _as_array(found: Any) -> Any:
    return AxesArray(found) if isinstance(found, np.ndarray) else found


def axes_array(rows: list[list[Axes]]) -> AxesArray:
    """Axes by row and column."""
    made = np.empty((len(rows), len(rows[0])), dtype=object)
    for i, row in enumerate(rows):
        for j, axes in enumerate(row):
            made[i, j] = axes
    return AxesArray(made)


def _reshaped(self: AxesArray, *shape: Any, order: str = "C") -> AxesArray:
    sides = shape[0] if len(shape) == 1 and type(shape[0]) in (tuple, list) else shape
    return AxesArray(self._array.reshape(tuple([int(side) for side in sides])))


def _flat(self: AxesArray, order: str = "C") -> AxesArray:
    return AxesArray(self._array.reshape(-1) if order != "F" else self._array.T.reshape(-1))


offer(
    AxesArray,
    {
        "flatten": _flat, "ravel": _flat, "reshape": _reshaped, "tolist": lambda self: self._array.tolist(),
        "transpose": lambda self: AxesArray(self._array.T), "item": lambda self, *at: self._array.item(*at),
        "squeeze": lambda self: _as_array(self._array.squeeze()[()]),
        "copy": lambda self: AxesArray(self._array.copy()),
    },
    {
        "flat": _flat, "shape": lambda self: self._array.shape, "size": lambda self: int(self._array.size),
        "ndim": lambda self: self._array.ndim, "dtype": lambda self: DType(self._array.dtype),
        "T": lambda self: AxesArray(self._array.T),
    },
)  # fmt: skip


# --- grids


class GridSpec:
    """`matplotlib.gridspec.GridSpec`: rows and columns that axes are placed in."""

    __slots__ = ("columns", "figure", "rows")
    __module__ = "matplotlib.gridspec"

    def __init__(self, nrows: Any = 1, ncols: Any = 1, figure: Any = None, **options: Any) -> None:
        self.rows, self.columns, self.figure = _count(nrows, "rows"), _count(ncols, "columns"), figure

    def __getitem__(self, key: Any) -> SubplotSpec:
        grid = (self.rows, self.columns)
        if isinstance(key, tuple):
            if len(key) != 2:
                raise ValueError("Unrecognized subplot spec")
            (top, bottom), (left, right) = _part(key[0], self.rows, 0), _part(key[1], self.columns, 1)
            return SubplotSpec(Place(grid, top, left, bottom - top, right - left))
        first, last = _part(key, self.rows * self.columns, None)
        (top, left), (bottom, right) = divmod(first, self.columns), divmod(last - 1, self.columns)
        return SubplotSpec(Place(grid, top, min(left, right), bottom - top + 1, abs(right - left) + 1))

    def __repr__(self) -> str:
        return f"GridSpec({self.rows}, {self.columns})"


class SubplotSpec:
    """A part of a grid."""

    __slots__ = ("place",)
    __module__ = "matplotlib.gridspec"

    def __init__(self, place: Place) -> None:
        self.place = place

    def __repr__(self) -> str:
        place = self.place
        return (
            f"GridSpec({place.grid[0]}, {place.grid[1]})[{place.row}:{place.row + place.rows},"
            f" {place.column}:{place.column + place.columns}]"
        )


def _part(key: Any, length: int, axis: int | None) -> tuple[int, int]:
    if isinstance(key, slice):
        start, stop, _ = slice(key.start, key.stop).indices(length)
        if stop <= start:
            raise IndexError("GridSpec slice would result in no space allocated for subplot")
        return start, stop
    at = int(given.number(key))
    if not -length <= at < length:
        where = "" if axis is None else f" for axis {axis}"
        raise IndexError(f"index {at} is out of bounds{where} with size {length}")
    return at % length, at % length + 1


def _count(value: Any, what: str) -> int:
    value = value._array.item() if isinstance(value, Array) else value
    if type(value) is not int or value <= 0:
        raise ValueError(f"Number of {what} must be a positive integer, not {represent(value)}")
    if value > MOST_AXES:
        raise ValueError(f"a figure has at most {MOST_AXES} axes here")
    return int(value)


def _subgrid(self: GridSpec, **options: Any) -> Any:
    return subplots_in(self.figure or Figure(None), self.rows, self.columns, **options)


offer(
    GridSpec,
    {"subplots": _subgrid, "get_geometry": lambda self: (self.rows, self.columns)},
    {"nrows": lambda self: self.rows, "ncols": lambda self: self.columns},
)
offer(SubplotSpec, {})


# --- what programs call


def _solid(figure: Figure, options: dict[str, Any]) -> bool:
    """Whether axes in three dimensions are wanted, which are not drawn."""
    kind = options.get("projection") or ("polar" if options.get("polar") else None)
    if kind is None or kind == "rectilinear":
        return False
    sessions.active.notice(f"Axes with projection={kind!r} are not drawn here.")
    return True


def add_subplot(self: Figure, *args: Any, sharex: Any = None, sharey: Any = None, **options: Any) -> Any:
    place = place_of(args)
    made = Axes(self, place)
    for which, other in (("x", sharex), ("y", sharey)):
        if isinstance(other, Axes):
            share(made, other, which)
    self.add(made)
    solid = _solid(self, options)
    _describe(made, options)
    if solid:
        made.omitted[f"projection {options.get('projection', 'polar')!r}"] = None
        made.shown = False
        return Silent("Axes3D", quiet=True)
    return made


def _describe(axes: Axes, options: dict[str, Any]) -> None:
    known = {key: value for key, value in options.items() if f"set_{key}" in METHODS}
    METHODS["set"](axes, **known)


def place_of(args: tuple[Any, ...]) -> Place:
    """Where `subplot(2, 2, 1)`, `subplot(221)` or `add_subplot(gs[0, :])` is."""
    if not args:
        return Place((1, 1), 0, 0)
    if len(args) == 1:
        arg = args[0]
        if isinstance(arg, SubplotSpec):
            return arg.place
        if isinstance(arg, Silent):
            return Place((1, 1), 0, 0)
        number = arg._array.item() if isinstance(arg, Array) else arg
        if type(number) is not int or not 100 <= number <= 999:
            raise ValueError(f"Single argument to subplot must be a three-digit integer, not {represent(arg)}")
        rows, columns, num = (int(digit) for digit in str(number))
        return place_of((rows, columns, num))
    if len(args) != 3:
        raise TypeError(f"subplot() takes 1 or 3 positional arguments but {len(args)} were given")
    rows, columns = _count(args[0], "rows"), _count(args[1], "columns")
    num = args[2]._array.item() if isinstance(args[2], Array) else args[2]
    span = (num[0], num[1]) if type(num) is tuple and len(num) == 2 else (num, num)
    if not all([type(end) is int and 1 <= end <= rows * columns for end in span]):
        raise ValueError(f"num must be an integer with 1 <= num <= {rows * columns}, not {represent(num)}")
    (top, left), (bottom, right) = (divmod(end - 1, columns) for end in span)
    return Place((rows, columns), top, min(left, right), bottom - top + 1, abs(right - left) + 1)


def subplots_in(
    figure: Figure, nrows: Any = 1, ncols: Any = 1, *, sharex: Any = False, sharey: Any = False, squeeze: Any = True,
    width_ratios: Any = None, height_ratios: Any = None, subplot_kw: Any = None, gridspec_kw: Any = None,
) -> Any:  # fmt: skip
    """Axes in rows and columns; one alone is no array, and one row or column is an array of one dimension."""
    rows, columns = _count(nrows, "rows"), _count(ncols, "columns")
    options = dict(subplot_kw) if isinstance(subplot_kw, dict) else {}
    solid = _solid(figure, options)
    made: list[list[Axes]] = []
    for i in range(rows):
        made.append([])
        for j in range(columns):
            axes = figure.add(Axes(figure, Place((rows, columns), i, j)))
            made[-1].append(axes)
            if solid:
                axes.omitted["projection"] = None
                axes.shown = False
            _describe(axes, options)
    for which, kind in (("x", sharex), ("y", sharey)):
        kind = {True: "all", False: "none"}.get(kind, kind) if type(kind) is bool else kind
        if kind not in ("all", "row", "col", "none"):
            raise ValueError(
                f"{represent(kind)} is not a valid value for share{which}. Supported values are 'all', 'row', 'col',"
                " 'none', False, True"
            )
        for i in range(rows):
            for j in range(columns):
                first = {"all": made[0][0], "row": made[i][0], "col": made[0][j]}.get(kind)
                if first is not None and first is not made[i][j]:
                    share(made[i][j], first, which)
                inner = (i < rows - 1) if which == "x" else j > 0
                if inner and (kind == "all" or kind == ("col" if which == "x" else "row")):
                    getattr(made[i][j], which).labels = []
    if solid:
        return Silent("Axes3D", quiet=True)
    found = axes_array(made)
    if not squeeze:
        return found
    if rows == columns == 1:
        return made[0][0]
    return AxesArray(found._array.reshape(-1)) if 1 in (rows, columns) else found


def subplots(self: Figure, *args: Any, **options: Any) -> Any:
    return subplots_in(self, *args, **options)


def mosaic_in(
    self: Figure, mosaic: Any, *, sharex: bool = False, sharey: bool = False, empty_sentinel: Any = ".",
    subplot_kw: Any = None, **options: Any,
) -> dict[Any, Axes]:  # fmt: skip
    """Axes by name, from a text or a list of rows in which each name fills a rectangle."""
    if type(mosaic) is str:
        rows = [list(line.strip()) for line in mosaic.strip().replace(";", "\n").split("\n")]
    else:
        rows = [list(map(wrapped, given.several(row) or [])) for row in given.several(mosaic) or []]
    width = len(rows[0]) if rows else 0
    for i, row in enumerate(rows):
        if len(row) != width:
            raise ValueError(
                f"All of the rows must be the same length, however the first row ({represent(rows[0])}) has length"
                f" {width} and row {i} ({represent(row)}) has length {len(row)}."
            )
    _count(len(rows) * width, "axes")
    cells: dict[Any, list[tuple[int, int]]] = {}
    for i, row in enumerate(rows):
        for j, name in enumerate(row):
            if name != empty_sentinel:
                cells.setdefault(name, []).append((i, j))
    made: dict[Any, Axes] = {}
    for name, places in cells.items():
        (top, left), (bottom, right) = places[0], places[-1]
        high, wide = bottom - top + 1, right - left + 1
        if places != [(top + k // max(wide, 1), left + k % max(wide, 1)) for k in range(max(high * wide, 0))]:
            known = all([type(name) is str for name in cells])
            shown = repr(np.array(rows, dtype=object)) if known else represent(rows)
            raise ValueError(
                f"While trying to layout\n{shown}\nwe found that the label {represent(name)} specifies a"
                " non-rectangular or non-contiguous area."
            )
        made[name] = self.add(Axes(self, Place((len(rows), width), top, left, high, wide)))
        if isinstance(subplot_kw, dict):
            _describe(made[name], subplot_kw)
    first = next(iter(made.values()), None)
    for axes in list(made.values())[1:]:
        for which, wanted in (("x", sharex), ("y", sharey)):
            if wanted and first is not None:
                share(axes, first, which)
    return made


def add_axes(self: Figure, rect: Any, **options: Any) -> Any:
    if isinstance(rect, Axes):
        return rect
    sides = tuple(given.flat(rect).tolist())
    if len(sides) != 4:
        raise TypeError(f"_make() takes 4 sides of a box, not {len(sides)}")
    made = self.add(Axes(self, None, sides))
    _describe(made, options)
    return made


def suptitle(self: Figure, t: Any, **options: Any) -> Artist:
    properties("Text", options, "fontsize fontweight x y")
    self.title = given.text(t)
    return Text(self.gca() if self.axes else Axes(self, None), "text", {}, {"text": self.title, "x": 0.5, "y": 0.98})


def colorbar(self: Figure, mappable: Any, cax: Any = None, ax: Any = None, **options: Any) -> Any:
    if isinstance(mappable, Silent):
        return Silent("matplotlib.pyplot.colorbar()", quiet=True)
    label = options.get("label")
    if not isinstance(mappable, Artist):
        raise ValueError(
            "Unable to determine Axes to steal space for Colorbar. Either provide the *cax* argument to use as the Axes"
            " for the Colorbar, provide the *ax* argument to steal space from it, or add *mappable* to an Axes."
        )
    axes = mappable.axes
    axes.colorbars.append((mappable, "" if label is None else given.text(label)))
    if isinstance(cax, Axes):
        cax.shown = False
        cax.visible = False
    return Colorbar(axes, len(axes.colorbars) - 1)


class Colorbar:
    """`matplotlib.colorbar.Colorbar`, of some axes."""

    __slots__ = ("axes", "index")
    __module__ = "matplotlib.colorbar"

    def __init__(self, axes: Axes, index: int) -> None:
        self.axes, self.index = axes, index


def _set_bar_label(self: Colorbar, label: Any, **options: Any) -> None:
    self.axes.colorbars[self.index] = (self.axes.colorbars[self.index][0], given.text(label))


offer(Colorbar, {"set_label": _set_bar_label})


def check_file(fname: Any) -> str:
    """The name of a file that a figure is saved in. ValueError for a format that matplotlib does not write."""
    if type(fname) is not str:
        return type(fname).__name__ if isinstance(fname, Silent) else given.text(fname)[:200]
    ending = fname.rpartition(".")[2].lower() if "." in fname.rpartition("/")[2] else "png"
    if ending not in _FORMATS:
        raise ValueError(f"Format {ending!r} is not supported (supported formats: {', '.join(_FORMATS)})")
    return fname[:200]


def _delaxes(self: Figure, ax: Any) -> None:
    METHODS["remove"](ax)


def _set_size(self: Figure, w: Any, h: Any = None, forward: bool = True) -> None:
    self.inches = size(w if h is None else (w, h))


def _sca(self: Figure, a: Any) -> Any:
    self.current = a
    return a


def _gca(self: Figure, **options: Any) -> Axes:
    for name in options:
        raise TypeError(f"FigureBase.gca() got an unexpected keyword argument '{name}'")
    return self.gca()


def _legend(self: Figure, *args: Any, **options: Any) -> Any:
    return METHODS["legend"](self.gca(), *args, **options)


offer(
    Figure,
    {
        "add_subplot": add_subplot, "subplots": subplots, "subplot_mosaic": mosaic_in, "add_axes": add_axes,
        "suptitle": suptitle,
        "colorbar": colorbar, "gca": _gca, "sca": _sca, "delaxes": _delaxes, "legend": _legend,
        "clear": lambda self, keep_observers=False: self.clear(),
        "clf": lambda self, keep_observers=False: self.clear(),
        "add_gridspec": lambda self, nrows=1, ncols=1, **options: GridSpec(nrows, ncols, self, **options),
        "get_axes": lambda self: list(self.axes), "set_size_inches": _set_size,
        "get_size_inches": lambda self: given.wrapped(self.inches),
        "get_figwidth": lambda self: self.inches[0], "get_figheight": lambda self: self.inches[1],
    },
    {
        "axes": lambda self: list(self.axes), "number": lambda self: self.number, "dpi": lambda self: 100.0,
    },
)  # fmt: skip
