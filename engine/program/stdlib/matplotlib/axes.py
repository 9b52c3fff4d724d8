"""Axes: what is drawn in one of them, and what stands around it."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.limits import meter
from engine.program import session as sessions
from engine.program.arrays import wrap
from engine.program.stdlib.matplotlib import given
from engine.program.stdlib.matplotlib.artists import (
    COLLECTIONS,
    Annotation,
    Artist,
    BarContainer,
    Container,
    Legend,
    Line2D,
    Polygon,
    Rectangle,
    Text,
    offer,
)
from engine.program.stdlib.matplotlib.colors import CYCLE, color
from engine.program.stdlib.matplotlib.names import NAMES, one_of, properties, unknown
from engine.program.stdlib.matplotlib.rc import Cycler, setting
from engine.program.stdlib.matplotlib.scales import KNOWN, MARGIN, SCALES, Scale, expanded
from engine.program.stdlib.matplotlib.ticks import labels as labels_of
from engine.program.stdlib.matplotlib.ticks import ticks
from engine.program.text import represent
from engine.program.values import Builtin, Silent

if TYPE_CHECKING:
    from engine.program.stdlib.matplotlib.figures import Figure

DRAWING = frozenset(
    "acorr add_artist add_collection add_image add_line add_patch add_table angle_spectrum arrow axline bar3d barbs"
    " boxplot broken_barh bxp cohere contour3D contourf3D csd ecdf eventplot fill fill_betweenx grouped_bar hexbin"
    " indicate_inset inset_axes magnitude_spectrum pcolor pcolorfast phase_spectrum pie plot3D plot_surface"
    " plot_trisurf plot_wireframe psd quiver scatter3D specgram spy stackplot stairs streamplot table text3D tricontour"
    " tricontourf tripcolor triplot violin violinplot xcorr".split()
)
"""What draws something that is not drawn here."""
QUIET = frozenset(
    "autoscale autoscale_view clabel draw locator_params minorticks_off minorticks_on relim set_cmap setp"
    " subplots_adjust switch_backend tick_params ticklabel_format tight_layout box".split()
)
"""What changes nothing that is drawn here and gives None."""
_STEPS = 20
"""What a call that draws is charged, beside its numbers."""
_DRAWN = 12
"""A step pays for two to this power of bytes of what is drawn, which is looked at a few times."""


class Axis:
    """What stands along one side: a label, and marks where they were set."""

    __slots__ = ("label", "labels", "scale", "ticks")

    def __init__(self, scale: Scale) -> None:
        self.scale = scale
        self.label = ""
        self.ticks: list[float] | None = None
        self.labels: list[str] | None = None


class Place:
    """Rows and columns of a grid: where axes stand in their figure."""

    __slots__ = ("column", "columns", "grid", "row", "rows")

    def __init__(self, grid: tuple[int, int], row: int, column: int, rows: int = 1, columns: int = 1) -> None:
        self.grid, self.row, self.column, self.rows, self.columns = grid, row, column, rows, columns

    def same(self, other: Place) -> bool:
        return all([getattr(self, name) == getattr(other, name) for name in Place.__slots__])

    def bounds(self) -> tuple[float, float, float, float]:
        """Left, bottom, width and height in parts of the figure, as matplotlib divides it."""
        (left, width), (top, height) = (
            _span(first, count, of, start, length)
            for first, count, of, start, length in (
                (self.column, self.columns, self.grid[1], 0.125, 0.775),
                (self.row, self.rows, self.grid[0], 0.12, 0.77),
            )
        )
        return left, 1 - top - height, width, height


def _span(first: int, count: int, of: int, start: float, length: float) -> tuple[float, float]:
    """Where some of the cells of one direction begin and how long they are; between two is a fifth of a cell."""
    cell = length / (of + 0.2 * (of - 1))
    return start + first * cell * 1.2, cell * (count + 0.2 * (count - 1))


class Axes:
    """`matplotlib.axes.Axes`."""

    __slots__ = (
        "artists", "aspect", "box", "colorbars", "cycle", "figure", "grid", "handles", "legend", "margins", "omitted",
        "place", "shown", "taken", "title", "twin", "visible", "x", "y",
    )  # fmt: skip
    __module__ = "matplotlib.axes._axes"

    def __init__(self, figure: Figure, place: Place | None, box: tuple[float, ...] | None = None) -> None:
        meter.charge(_STEPS)
        self.figure, self.place, self.box = figure, place, box
        self.x, self.y = Axis(Scale(0)), Axis(Scale(1))
        self.twin: Axes | None = None
        self.visible = True
        self.clear()
        for axis in (self.x, self.y):
            axis.scale.members.append(self)

    def clear(self) -> None:
        """As if nothing had been drawn."""
        self.artists: list[Artist] = []
        self.handles: list[tuple[Any, Artist]] = []
        self.title = ""
        self.legend: Legend | None = None
        self.aspect: str | None = None
        self.shown = True
        self.grid = bool(setting("axes.grid"))
        self.margins = [MARGIN, MARGIN]
        self.colorbars: list[tuple[Artist, str]] = []
        self.omitted: dict[str, None] = {}
        cycle = setting("axes.prop_cycle")
        colours = cycle.properties.get("color") if isinstance(cycle, Cycler) else None
        self.cycle: list[Any] = list(colours) if colours else list(CYCLE)
        self.taken = {"lines": 0, "patches": 0}
        for at, axis in enumerate((self.x, self.y)):
            axis.label, axis.ticks, axis.labels = "", None, None
            if axis.scale.members == [self]:
                fresh = Scale(at)
                fresh.members.append(self)
                axis.scale = fresh

    def next_color(self, of: str = "lines") -> Any:
        """The colour whose turn it is; lines and areas take theirs apart from each other."""
        turn = self.taken[of]
        self.taken[of] = turn + 1
        return self.cycle[turn % len(self.cycle)]

    def draw(self, artist: Artist, label: Any = None, handle: Any = None) -> Artist:
        """Add something drawn. `handle`: what a program holds of it, if that is not the artist itself."""
        size = sum([part.nbytes for part in artist.data.values()])
        meter.took(size)
        meter.charge(_STEPS + (size >> _DRAWN))
        if label is not None:
            artist.label = given.text(label)
        self.artists.append(artist)
        if label is not None or artist.kind == "line":
            self.handles.append((handle if handle is not None else artist, artist))
        return artist

    def omit(self, name: str) -> None:
        """Something that matplotlib draws is not drawn here."""
        sessions.active.notice(f"{name}() is not drawn here: the figure shows the rest.")
        self.omitted[name] = None

    def __repr__(self) -> str:
        parts = {"title": self.title and {"center": self.title}, "xlabel": self.x.label, "ylabel": self.y.label}
        shown = ", ".join([f"{name}={value!r}" for name, value in parts.items() if value])
        return f"<Axes: {shown}>"

    def bounds(self) -> tuple[float, ...]:
        """Where they stand in the figure: left, bottom, width and height."""
        return self.box or (Place((1, 1), 0, 0) if self.place is None else self.place).bounds()

    def __str__(self) -> str:
        left, bottom, width, height = self.bounds()
        return f"Axes({left:g},{bottom:g};{width:g}x{height:g})"

    def places(self, which: str) -> Any:
        """Where marks stand along x or y."""
        axis: Axis = getattr(self, which)
        if axis.ticks is not None:
            return np.array(axis.ticks)
        at = which == "y"
        meter.charge(10)
        return ticks(axis.scale, self.figure.inches[at] * self.bounds()[2 + at])


def ignored(*args: Any, **kwargs: Any) -> None:
    return None


def _omitted(self: Axes, name: str) -> Any:
    """What is not drawn says so where it stands; what is no drawing is passed over."""
    if name not in DRAWING:
        none = name.startswith("set_") or name in QUIET
        return Builtin(name, ignored) if none else Silent(f"Axes.{name}", quiet=True)

    def omit(*args: Any, **kwargs: Any) -> Any:
        self.omit(name)
        return Silent(f"Axes.{name}()", quiet=True)

    return Builtin(name, omit)


# --- titles, labels, text


def _titled(self: Axes, text: Any, options: dict[str, Any], x: float, y: float) -> Artist:
    properties("Text", options)
    return Text(self, "text", {}, {"text": given.text(text), "x": x, "y": y})


def set_title(
    self: Axes, label: Any, fontdict: Any = None, loc: Any = None, pad: Any = None, *, y: Any = None, **options: Any
) -> Artist:
    made = _titled(self, label, options, 0.5, 1.0)
    self.title = made.style["text"]
    return made


def _set_axis_label(which: str) -> Any:
    at = (0.5, 0) if which == "x" else (0, 0.5)

    def label(self: Axes, text: Any, options: dict[str, Any]) -> Artist:
        made = _titled(self, text, options, *at)
        getattr(self, which).label = made.style["text"]
        return made

    def set_xlabel(
        self: Axes, xlabel: Any, fontdict: Any = None, labelpad: Any = None, *, loc: Any = None, **options: Any
    ) -> Artist:
        return label(self, xlabel, options)

    def set_ylabel(
        self: Axes, ylabel: Any, fontdict: Any = None, labelpad: Any = None, *, loc: Any = None, **options: Any
    ) -> Artist:
        return label(self, ylabel, options)

    return set_xlabel if which == "x" else set_ylabel


def text(self: Axes, x: Any, y: Any, s: Any, fontdict: Any = None, **options: Any) -> Artist:
    found = {**(fontdict if isinstance(fontdict, dict) else {}), **properties("Text", options, "transform")}
    where = found.get("transform")
    style = {
        "text": given.text(s), "x": given.number(x), "y": given.number(y), "to": None, "at": given.plain(x, y),
        "where": "axes" if type(where) is Silent and where.name.endswith("transAxes") else "data",
    }  # fmt: skip
    return self.draw(Text(self, "text", {}, {**style, **_looks(found)}, order=3))


def _looks(options: dict[str, Any]) -> dict[str, Any]:
    found = {
        "color": options.get("color", "black"),
        "horizontalalignment": options.get("horizontalalignment", "left"),
        "verticalalignment": options.get("verticalalignment", "baseline"),
        "alpha": given.alpha(options.get("alpha")),
    }
    color(found["color"])
    for name, supported in (("horizontalalignment", _ACROSS), ("verticalalignment", _ALONG)):
        one_of(found[name], supported, "align")
    return found


_ACROSS, _ALONG = ("center", "right", "left"), ("top", "bottom", "center", "baseline", "center_baseline")


def annotate(
    self: Axes, text: Any, xy: Any, xytext: Any = None, xycoords: Any = "data", textcoords: Any = None,
    arrowprops: Any = None, annotation_clip: Any = None, **options: Any,
) -> Artist:  # fmt: skip
    found = properties("Annotation", options)
    at = given.several(xy) or []
    x, y = map(given.number, at)
    style: dict[str, Any] = {"text": given.text(text), "x": x, "y": y, "to": None, "offset": None}
    style["at"] = given.plain(*at)
    style["where"] = "axes" if xycoords == "axes fraction" else "data"
    if xytext is not None:
        there = [given.number(part) for part in given.several(xytext) or ()]
        if textcoords in ("offset points", "offset pixels"):
            style["offset"] = there
        elif textcoords in (None, "data", xycoords):
            style["x"], style["y"] = there
            style["to"] = [x, y] if arrowprops is not None else None
        elif textcoords == "axes fraction":
            style["x"], style["y"], style["where"] = *there, "axes"
    return self.draw(Annotation(self, "text", {}, {**style, **_looks(found)}, order=3))


# --- limits and scales


def _numbers(pair: tuple[float, float]) -> tuple[Any, Any]:
    return wrap_number(pair[0]), wrap_number(pair[1])


def wrap_number(value: float) -> Any:
    """A number as numpy gives it."""
    return wrap(np.float64(value))


def _get_lim(which: str) -> Any:
    return lambda self: _numbers(getattr(self, which).scale.limits())


def _members(value: Any) -> list[Any] | None:
    """What Python iterates over: the members of a sequence, the characters of a text."""
    return given.several(list(value[:100]) if type(value) is str else value)


def _set_lim(which: str) -> Any:
    first, last = ("left", "right") if which == "x" else ("bottom", "top")

    def set_lim(self: Axes, *args: Any, emit: bool = True, auto: Any = False, **options: Any) -> Any:
        named = {first: options.pop(first, options.pop(f"{which}min", None)),
                 last: options.pop(last, options.pop(f"{which}max", None))}  # fmt: skip
        for key in options:
            raise TypeError(f"Axes.set_{which}lim() got an unexpected keyword argument '{key}'")
        if len(args) > 2:
            raise TypeError(
                f"_AxesBase.set_{which}lim() takes from 1 to 3 positional arguments but {len(args) + 1} were given"
            )
        pair = _members(args[0]) if len(args) == 1 else None
        if pair is not None:
            if len(pair) < 2:
                raise ValueError(f"not enough values to unpack (expected 2, got {len(pair)})")
            if len(pair) > 2:
                raise ValueError("too many values to unpack (expected 2)")
            args = tuple(pair)
        low, high = [*args, None, None][:2] if args else (None, None)
        low, high = low if low is not None else named[first], high if high is not None else named[last]
        axis: Axis = getattr(self, which)
        now = axis.scale.limits()
        ends = [
            now[i] if value is None else float(given.positions(value, axis.scale.categories).reshape(-1)[0])
            for i, value in enumerate((low, high))
        ]
        if ends[0] == ends[1]:
            warnings.warn(
                f"Attempting to set identical low and high {which}lims makes transformation singular; automatically"
                " expanding.", UserWarning, stacklevel=1,
            )  # fmt: skip
            ends = list(expanded(*ends))
        axis.scale.fix(*ends)
        return axis.scale.limits()

    set_lim.__name__ = set_lim.__qualname__ = f"set_{which}lim"
    return set_lim


def _set_scale(which: str) -> Any:
    def set_scale(self: Axes, value: Any, **options: Any) -> None:
        if value not in KNOWN:
            raise ValueError(unknown(value, "scale", KNOWN))
        scale: Scale = getattr(self, which).scale
        scale.kind = value if value in SCALES else "linear"
        if value not in SCALES:
            sessions.active.notice(f"The scale {value!r} is not drawn here: it is shown as a linear one.")
        if scale.fixed is not None and scale.kind == "log" and min(scale.fixed) <= 0:
            scale.fixed = None

    set_scale.__name__ = set_scale.__qualname__ = f"set_{which}scale"
    return set_scale


class Tick:
    """One mark: `matplotlib.axis.XTick`, `YTick`."""

    __slots__ = ()
    __module__ = "matplotlib.axis"


XTick, YTick = [type(name, (Tick,), {"__slots__": (), "__module__": "matplotlib.axis"}) for name in ("XTick", "YTick")]


def _marks(which: str, count: int) -> list[Any]:
    meter.charge(1 + count)
    return [(XTick if which == "x" else YTick)() for _ in range(count)]


def _written(self: Axes, which: str, count: int | None = None) -> list[Any]:
    """What stands at the marks, as texts."""
    axis: Axis = getattr(self, which)
    places = self.places(which)
    words = axis.labels if axis.labels is not None else labels_of(axis.scale, places)
    meter.charge(2 * len(places))
    return [
        Text(self, "text", {}, {"text": words[i] if i < len(words) else "", "x": x, "y": y})
        for i, at in enumerate(places.tolist()[:count])
        for x, y in [(at, 0) if which == "x" else (0, at)]
    ]


def _words(labels: Any) -> list[str]:
    """What labels say, which may be the texts of others."""
    several = _members(labels)
    if several is None:
        raise TypeError(f"labels={represent(labels)} must be a sequence")
    return given.words([label.style["text"] if isinstance(label, Text) else label for label in several])


def _not_as_many(ticks: int, labels: int) -> ValueError:
    return ValueError(
        f"The number of FixedLocator locations ({ticks}), usually from a call to set_ticks, does not match the number"
        f" of labels ({labels})."
    )


def _set_ticks(which: str) -> Any:
    def set_ticks(self: Axes, ticks: Any, labels: Any = None, *, minor: bool = False, **options: Any) -> Any:
        if labels is None and options:
            first = next(iter(options))
            raise ValueError(
                f"Incorrect use of keyword argument {first!r}. Keyword arguments other than 'minor' modify the text"
                " labels and can only be used if 'labels' are passed as well."
            )
        axis: Axis = getattr(self, which)
        given_as = given.placed(ticks, axis.scale.categories).reshape(-1)
        places = given_as.astype(np.float64)
        if minor:
            return _marks(which, len(places))
        words = None if labels is None else _words(labels)
        if words is not None and len(words) != len(places) and words:
            raise _not_as_many(len(places), len(words))
        axis.ticks, axis.labels = given_as.tolist(), words
        scale = axis.scale
        if len(places):
            low, high = sorted(scale.limits())
            if places.min() < low or places.max() > high:
                ends = min(low, float(places.min())), max(high, float(places.max()))
                scale.fix(*(ends[::-1] if scale.inverted else ends))
        return _marks(which, len(places))

    set_ticks.__name__ = set_ticks.__qualname__ = f"set_{which}ticks"
    return set_ticks


def _set_tick_labels(which: str) -> Any:
    def set_ticklabels(self: Axes, labels: Any, *, minor: bool = False, fontdict: Any = None, **options: Any) -> Any:
        axis: Axis = getattr(self, which)
        words = _words(labels)
        if not words:
            axis.labels, axis.ticks = [], axis.ticks if axis.ticks is not None else []
            return []
        if axis.ticks is None and not axis.scale.categories.places:
            warnings.warn(
                "set_ticklabels() should only be used with a fixed number of ticks, i.e. after set_ticks() or using a"
                " FixedLocator. Otherwise, ticks may be mislabeled.", UserWarning, stacklevel=1,
            )  # fmt: skip
        elif axis.ticks is not None and len(axis.ticks) != len(words):
            raise _not_as_many(len(axis.ticks), len(words))
        axis.labels = words
        return _written(self, which)

    return set_ticklabels


def _get_ticks(which: str) -> Any:
    def get_ticks(self: Axes, *, minor: bool = False) -> Any:
        if minor:
            return wrap(np.zeros(0))
        found = self.places(which)
        axis: Axis = getattr(self, which)
        return found.tolist() if axis.ticks is None and axis.scale.categories.places else wrap(found)

    return get_ticks


def _get_tick_labels(which: str) -> Any:
    def get_ticklabels(self: Axes, minor: bool = False) -> Any:
        return [] if minor else _written(self, which)

    return get_ticklabels


def axis(self: Axes, arg: Any = None, /, *, emit: bool = True, **options: Any) -> Any:
    """`ax.axis("off")`, `ax.axis("equal")`, `ax.axis([xmin, xmax, ymin, ymax])`."""
    if type(arg) is bool:
        arg = "on" if arg else "off"
    if type(arg) is str:
        arg = arg.lower()
        if arg not in ("on", "off", "equal", "scaled", "tight", "auto", "image", "square"):
            raise ValueError(f"Unrecognized string {arg!r} to axis; try 'on' or 'off'")
        if arg in ("on", "off"):
            self.shown = arg == "on"
        else:
            self.aspect = None if arg in ("tight", "auto") else "equal"
            if arg in ("tight", "image", "auto", "scaled"):
                self.x.scale.fixed = self.y.scale.fixed = None
    elif arg is not None:
        ends = given.several(arg)
        if ends is None or len(ends) != 4:
            raise TypeError("The first argument to axis() must be an iterable of the form [xmin, xmax, ymin, ymax]")
        METHODS["set_xlim"](self, ends[0], ends[1])
        METHODS["set_ylim"](self, ends[2], ends[3])
    for which in ("x", "y"):
        ends = [options.pop(f"{which}{end}", None) for end in ("min", "max")]
        if ends != [None, None]:
            METHODS[f"set_{which}lim"](self, *ends)
    for key in options:
        raise TypeError(f"axis() got an unexpected keyword argument '{key}'")
    return (*_numbers(self.x.scale.limits()), *_numbers(self.y.scale.limits()))


def margins(self: Axes, *args: Any, x: Any = None, y: Any = None, tight: Any = True) -> Any:
    if args:
        x, y = args if len(args) == 2 else (args[0], args[0])
    for at, value in enumerate((x, y)):
        if value is not None:
            self.margins[at] = given.number(value)
    return tuple(self.margins)


def grid(self: Axes, visible: Any = None, which: str = "major", axis: str = "both", **options: Any) -> None:
    self.grid = bool(visible) if visible is not None else True if options else not self.grid


def set_aspect(self: Axes, aspect: Any, adjustable: Any = None, anchor: Any = None, share: bool = False) -> None:
    if type(aspect) is str and aspect not in ("auto", "equal"):
        given.number(aspect)
    self.aspect = None if aspect == "auto" else "equal"


def _shown(value: bool) -> Any:
    def set_axis(self: Axes) -> None:
        self.shown = value

    return set_axis


# --- legend

LOCATIONS = (
    "best", "upper right", "upper left", "lower left", "lower right", "right", "center left", "center right",
    "lower center", "upper center", "center",
)  # fmt: skip
_LEGEND = frozenset(
    "loc fontsize title prop numpoints markerscale markerfirst reverse scatterpoints scatteryoffsets borderpad"
    " labelspacing handlelength handleheight handletextpad borderaxespad columnspacing ncols ncol mode fancybox shadow"
    " title_fontsize framealpha edgecolor facecolor linewidth bbox_to_anchor bbox_transform frameon handler_map"
    " title_fontproperties alignment draggable labelcolor".split()
)


def labelled(self: Axes) -> list[tuple[Any, Artist]]:
    """What a legend names: what has a label that does not begin with an underscore."""
    return [
        (handle, artist)
        for handle, artist in _present(self)
        if artist.label and not artist.label.startswith("_")
    ]


def _present(self: Axes) -> list[tuple[Any, Artist]]:
    """The handles of what has not been removed."""
    meter.charge(len(self.handles) >> 2)
    there = set(map(id, self.artists))
    return [(handle, artist) for handle, artist in self.handles if id(artist) in there]


def legend(self: Axes, *args: Any, handles: Any = None, labels: Any = None, **options: Any) -> Legend:
    if len(args) == 2:
        handles, labels = args
    elif len(args) == 1:
        labels = args[0]
    words = None if labels is None else given.words(_members(labels) or [])
    if handles is not None:
        found = [_drawn(handle) for handle in given.several(handles) or []]
    elif words is not None:
        found = [artist for _, artist in _present(self)] or list(self.artists)
    else:
        found = [artist for _, artist in labelled(self)]
        if not found:
            warnings.warn(
                "No artists with labels found to put in legend.  Note that artists whose label start with an underscore"
                " are ignored when legend() is called with no argument.", UserWarning, stacklevel=1,
            )  # fmt: skip
    for key in options:
        if key not in _LEGEND:
            raise TypeError(f"Legend.__init__() got an unexpected keyword argument '{key}'")
    loc = options.get("loc")
    if type(loc) is str and loc not in LOCATIONS:
        raise ValueError(unknown(loc, "loc", LOCATIONS))
    entries = [
        (artist, words[i] if words is not None else artist.label or "")
        for i, artist in enumerate(found)
        if artist is not None and (words is None or i < len(words))
    ]
    title = options.get("title")
    self.legend = Legend(entries, None if title is None else given.text(title))
    return self.legend


def _drawn(handle: Any) -> Artist | None:
    if isinstance(handle, Container):
        return handle.of
    if isinstance(handle, Artist):
        return handle
    inner = given.several(handle)
    return _drawn(inner[0]) if inner else None


def _handles(self: Axes) -> Any:
    found = labelled(self)
    return [handle for handle, _ in found], [artist.label for _, artist in found]


# --- sharing


def _twin(which: str) -> Any:
    def twin(self: Axes) -> Axes:
        made = Axes(self.figure, self.place, self.box)
        mine: Axis = getattr(made, which)
        mine.scale = getattr(self, which).scale
        mine.scale.members.append(made)
        made.twin = self
        return self.figure.add(made)

    twin.__name__ = twin.__qualname__ = f"twin{which}"
    return twin


def share(self: Axes, other: Axes, which: str) -> None:
    """From now on both have the same limits along x or y."""
    axis: Axis = getattr(self, which)
    axis.scale.members.remove(self)
    axis.scale = getattr(other, which).scale
    axis.scale.members.append(self)


def set_all(self: Axes, **options: Any) -> list[Any]:
    """`ax.set(xlabel=…, title=…)`."""
    for key in options:
        if key not in NAMES["Axes.set"]:
            raise AttributeError(f"Axes.set() got an unexpected keyword argument '{key}'")
    made = []
    for key, value in options.items():
        setter = METHODS.get(f"set_{key}")
        if setter is not None:
            pair = key in ("xlim", "ylim")
            made.append(setter(self, *value) if pair and type(value) in (tuple, list) else setter(self, value))
    return made


def _remove(self: Axes) -> None:
    if self in self.figure.axes:
        self.figure.axes.remove(self)
        for axis in (self.x, self.y):
            axis.scale.members.remove(self)
        if self.figure.current is self:
            self.figure.current = None


def _set_prop_cycle(self: Axes, *args: Any, **options: Any) -> None:
    values = options.get("color") if not args else args[-1]
    if isinstance(values, Cycler):
        values = values.properties.get("color")
    self.cycle = (given.several(values) if values is not None else None) or list(CYCLE)
    self.taken = {"lines": 0, "patches": 0}


def _label_outer(self: Axes, remove_inner_ticks: bool = False) -> None:
    place = self.place
    if place is not None and place.row + place.rows < place.grid[0]:
        self.x.label, self.x.labels, self.x.ticks = "", [], []
    if place is not None and place.column > 0:
        self.y.label, self.y.labels, self.y.ticks = "", [], []


def _bars(self: Axes, series: Artist) -> list[Any]:
    meter.charge(1 + (len(self.handles) >> 4))
    return next((list(handle.members) for handle, of in self.handles if of is series), [series])


METHODS: dict[str, Any] = {
    "set_title": set_title, "set_xlabel": _set_axis_label("x"), "set_ylabel": _set_axis_label("y"), "text": text,
    "annotate": annotate, "axis": axis, "margins": margins, "grid": grid, "set_aspect": set_aspect, "legend": legend,
    "set_axis_off": _shown(False), "set_axis_on": _shown(True), "get_legend_handles_labels": _handles,
    "twinx": _twin("x"), "twiny": _twin("y"), "set": set_all, "clear": Axes.clear, "cla": Axes.clear, "remove": _remove,
    "set_prop_cycle": _set_prop_cycle, "label_outer": _label_outer,
    "set_visible": lambda self, b: setattr(self, "visible", bool(b)),
    "get_title": lambda self, loc="center": self.title, "get_legend": lambda self: self.legend,
    "get_figure": lambda self, root=False: self.figure,
    "get_lines": lambda self: [artist for artist in self.artists if type(artist) is Line2D],
    "get_children": lambda self: list(self.artists),
    "get_aspect": lambda self: "auto" if self.aspect is None else 1.0,
    "has_data": lambda self: bool(self.artists),
}  # fmt: skip
for _which in ("x", "y"):
    METHODS |= {
        f"get_{_which}label": lambda self, which=_which: getattr(self, which).label,
        f"get_{_which}lim": _get_lim(_which), f"set_{_which}lim": _set_lim(_which),
        f"get_{_which}bound": _get_lim(_which), f"set_{_which}bound": _set_lim(_which),
        f"set_{_which}scale": _set_scale(_which), f"set_{_which}ticks": _set_ticks(_which),
        f"get_{_which}scale": lambda self, which=_which: getattr(self, which).scale.kind,
        f"get_{_which}ticks": _get_ticks(_which), f"set_{_which}ticklabels": _set_tick_labels(_which),
        f"get_{_which}ticklabels": _get_tick_labels(_which),
        f"invert_{_which}axis": lambda self, which=_which: getattr(self, which).scale.invert(),
        f"{_which}axis_inverted": lambda self, which=_which: getattr(self, which).scale.inverted,
        f"share{_which}": lambda self, other, which=_which: share(self, other, which),
    }  # fmt: skip
offer(
    Axes,
    {**METHODS, "*omitted": _omitted},
    {
        "figure": lambda self: self.figure,
        "lines": lambda self: [artist for artist in self.artists if type(artist) is Line2D],
        "images": lambda self: [artist for artist in self.artists if artist.kind == "image"],
        "collections": lambda self: [artist for artist in self.artists if type(artist) in COLLECTIONS],
        "patches": lambda self: [
            patch
            for artist in self.artists
            if type(artist) in (Rectangle, Polygon)
            for patch in (_bars(self, artist) if artist.kind == "bars" else [artist])
        ],
        "texts": lambda self: [artist for artist in self.artists if artist.kind == "text"],
        "containers": lambda self: [handle for handle, _ in self.handles if isinstance(handle, BarContainer)],
        "legend_": lambda self: self.legend,
    },
)
