"""What is drawn in axes: its numbers, its looks, and what a program can ask it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import wrap
from engine.program.charges import compared
from engine.program.kinds import missing
from engine.program.stdlib.matplotlib import given
from engine.program.stdlib.matplotlib.colormaps import colormap
from engine.program.stdlib.matplotlib.colors import artist_color, color, rgba
from engine.program.stdlib.matplotlib.names import ALIASES, NAMES
from engine.program.stdlib.matplotlib.scales import Extent
from engine.program.tables import READERS
from engine.program.text import to_text
from engine.program.values import Builtin, Silent, fake_address

if TYPE_CHECKING:
    from engine.program.stdlib.matplotlib.axes import Axes

Method = Callable[..., Any]
_NOTHING = (Extent(), Extent())


class Artist:
    """Something drawn. `data`: arrays by name; `style`: how it looks; `extents`: what it covers along x and y.

    `kind` is what the document calls it, `order` what is drawn above what.
    """

    __slots__ = ("axes", "data", "extents", "kind", "label", "order", "style", "visible")
    __module__ = "matplotlib.artist"

    def __init__(
        self,
        axes: Axes,
        kind: str,
        data: dict[str, Any],
        style: dict[str, Any],
        extents: tuple[Extent, Extent] = _NOTHING,
        order: float = 1,
    ) -> None:
        self.axes, self.kind, self.data, self.style, self.extents = axes, kind, data, style, extents
        self.label: str | None = None
        self.visible = True
        self.order = order

    def __repr__(self) -> str:
        shown = _SHOWN.get(type(self).__name__)
        return shown(self) if shown is not None else self._plainly()

    def _plainly(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__} object at {fake_address(self)}>"

    def __str__(self) -> str:
        return f"Line2D({_label(self)})" if type(self) is Line2D else repr(self)


def _text(self: Artist) -> str:
    x, y = self.style.get("at", (self.style["x"], self.style["y"]))
    return f"{type(self).__name__}({to_text(x)}, {to_text(y)}, {self.style['text']!r})"


def _rectangle(x: float, y: float, width: float, height: float) -> str:
    return f"Rectangle(xy=({x:g}, {y:g}), width={width:g}, height={height:g}, angle=0)"


def _spanned(self: Artist) -> str:
    if self.kind != "span":
        return self._plainly()
    low, high = self.style["span"]
    return _rectangle(low, 0, high - low, 1) if self.style["axis"] == "x" else _rectangle(0, low, 1, high - low)


_SHOWN: dict[str, Callable[[Artist], str]] = {
    "Text": _text, "Annotation": _text, "Rectangle": _spanned,
}  # fmt: skip


def _artist(name: str, module: str) -> type[Artist]:
    return type(name, (Artist,), {"__slots__": (), "__module__": f"matplotlib.{module}", "__qualname__": name})


Line2D = _artist("Line2D", "lines")
PathCollection = _artist("PathCollection", "collections")
FillBetweenPolyCollection = _artist("FillBetweenPolyCollection", "collections")
LineCollection = _artist("LineCollection", "collections")
QuadMesh = _artist("QuadMesh", "collections")
Rectangle = _artist("Rectangle", "patches")
Polygon = _artist("Polygon", "patches")
AxesImage = _artist("AxesImage", "image")
QuadContourSet = _artist("QuadContourSet", "contour")
Text = _artist("Text", "text")
Annotation = _artist("Annotation", "text")
COLLECTIONS = (PathCollection, FillBetweenPolyCollection, LineCollection, QuadMesh, QuadContourSet)
KINDS = (
    Line2D, PathCollection, FillBetweenPolyCollection, LineCollection, QuadMesh, Rectangle, Polygon, AxesImage,
    QuadContourSet, Text, Annotation,
)  # fmt: skip


def xy(x: Any, y: Any, **sticky: list[float]) -> tuple[Extent, Extent]:
    """What points cover: those of which both numbers are finite."""
    whole = (x - x == 0) & (y - y == 0)
    return Extent(x[whole], sticky.get("x", ())), Extent(y[whole], sticky.get("y", ()))


# --- what programs can reach

METHODS: dict[type, dict[str, Method]] = {}
ATTRIBUTES: dict[type, dict[str, Callable[[Any], Any]]] = {}


def offer(kind: type, methods: dict[str, Method], attributes: dict[str, Callable[[Any], Any]] | None = None) -> None:
    """Let programs use a class: these methods and attributes, and in silence whatever else matplotlib's has."""
    METHODS.setdefault(kind, {}).update({name: _named(kind.__name__, name, of) for name, of in methods.items()})
    ATTRIBUTES.setdefault(kind, {}).update(attributes or {})
    READERS[kind] = _read


_OF_BASES = {
    "Axes": ("_AxesBase", frozenset("set_xlabel set_ylabel set_xlim set_ylim set_aspect set_prop_cycle".split())),
    "Figure": ("FigureBase", frozenset("suptitle add_axes colorbar sca delaxes legend subplot_mosaic".split())),
}
"""Class → a class that it derives from in matplotlib, and the methods that are of that one."""


def _named(kind: str, name: str, method: Method) -> Method:
    """A method by the name that Python says where it is called with other arguments than it has."""
    if not isinstance(method, FunctionType) or name == "*omitted":
        return method
    base, names = _OF_BASES.get(kind, (kind, ()))
    made = FunctionType(method.__code__, method.__globals__, name, method.__defaults__, method.__closure__)
    made.__kwdefaults__, made.__qualname__ = method.__kwdefaults__, f"{base if name in names else kind}.{name}"
    made.__module__ = "matplotlib"
    return made


def _read(value: Any, name: str) -> Any:
    kind = type(value)
    method = METHODS[kind].get(name)
    if method is not None:
        return Builtin(name, MethodType(method, value))
    attribute = ATTRIBUTES[kind].get(name)
    if attribute is not None:
        return attribute(value)
    if name in NAMES.get(kind.__name__, ()):
        omit = METHODS[kind].get("*omitted")
        if omit is not None:
            return omit(value, name)
        quiet = name.startswith("set_") or name == "tight_layout"
        return Builtin(name, _pass) if quiet else Silent(f"{kind.__name__}.{name}", quiet=True)
    raise missing(value, name)


def _pass(*args: Any, **kwargs: Any) -> None:
    return None


def _get(name: str, otherwise: Any = None) -> Method:
    return lambda self: self.style.get(name, otherwise)


def _set(name: str, make: Callable[[Any], Any] = lambda value: value) -> Method:
    def change(self: Artist, value: Any) -> None:
        self.style[name] = make(value)

    return change


def _set_label(self: Artist, s: Any) -> None:
    self.label = None if s is None else given.text(s)


def _set_visible(self: Any, b: Any) -> None:
    self.visible = bool(b)


def _remove(self: Artist) -> None:
    compared(len(self.axes.artists))
    if self not in self.axes.artists:
        raise NotImplementedError("cannot remove artist")
    self.axes.artists.remove(self)


def _label(self: Artist) -> str:
    if self.label is None and type(self) is Line2D:
        compared(2 * len(self.axes.artists))
        return f"_child{self.axes.artists.index(self) if self in self.axes.artists else 0}"
    return self.label or ""


def _set_all(self: Any, **properties: Any) -> None:
    methods = METHODS[type(self)]
    for key, value in properties.items():
        name = ALIASES.get(key, key)
        if name not in NAMES.get(f"{type(self).__name__}.set", ()):
            raise AttributeError(f"{type(self).__name__}.set() got an unexpected keyword argument '{key}'")
        setter = methods.get(f"set_{name}")
        if setter is not None:
            setter(self, value)


_COMMON: dict[str, Method] = {
    "get_label": _label, "set_label": _set_label, "get_alpha": _get("alpha"), "set_alpha": _set("alpha", given.alpha),
    "set_visible": _set_visible, "get_visible": lambda self: self.visible, "remove": _remove, "set": _set_all,
    "get_zorder": lambda self: self.order, "get_figure": lambda self: self.axes.figure,
}  # fmt: skip


def _set_color(self: Artist, value: Any) -> None:
    color(value)
    self.style["color"] = value
    self.style.pop("colors", None)
    self.data.pop("values", None)


for _kind in KINDS:
    offer(
        _kind,
        {**_COMMON, "get_color": _get("color"), "set_color": _set_color},
        {"axes": lambda self: self.axes, "figure": lambda self: self.axes.figure},
    )


def _points(self: Artist) -> Any:
    return given.copy(self.data["x given"]), given.copy(self.data["y given"])


def _pairs(self: Artist) -> Any:
    x, y = self.data["x"], self.data["y"]
    meter.allocate(int(x.size + y.size), 8)
    return wrap(np.stack([x, y], axis=1))


def _set_points(self: Artist, *args: Any) -> None:
    x, y = args if len(args) == 2 else given.several(args[0]) or args[0]
    for name, part in (("x", x), ("y", y)):
        if not given.iterable(part):
            raise RuntimeError(f"{name} must be a sequence")
    _move(self, given.native(x).reshape(-1), given.native(y).reshape(-1))


def _move(self: Artist, x: Any, y: Any) -> None:
    self.data |= {"x": x.astype(np.float64), "y": y.astype(np.float64), "x given": x, "y given": y}
    if len(x) == len(y):
        self.extents = xy(self.data["x"], self.data["y"])


_LINE: dict[str, Method] = {
    "get_xdata": lambda self, orig=True: given.copy(self.data["x given" if orig else "x"]),
    "get_ydata": lambda self, orig=True: given.copy(self.data["y given" if orig else "y"]),
    "get_data": lambda self, orig=True: _points(self), "set_data": _set_points,
    "get_xydata": lambda self: _pairs(self),
    "set_xdata": lambda self, x: _set_points(self, x, self.data["y given"]),
    "set_ydata": lambda self, y: _set_points(self, self.data["x given"], y),
    "get_linestyle": _get("linestyle", "-"), "set_linestyle": _set("linestyle"),
    "get_linewidth": _get("linewidth", 1.5), "set_linewidth": _set("linewidth", given.number),
    "get_marker": _get("marker", "None"), "set_marker": _set("marker"),
    "get_markersize": _get("markersize", 6.0), "set_markersize": _set("markersize", given.number),
}  # fmt: skip
for _short in ("lw", "ls", "ms"):
    for _verb in ("get", "set"):
        _LINE[f"{_verb}_{_short}"] = _LINE[f"{_verb}_{ALIASES[_short]}"]
offer(Line2D, {**_LINE, "get_c": _get("color"), "set_c": _set_color})


def _set_offsets(self: Artist, offsets: Any) -> None:
    pairs = given.array(offsets).reshape(-1, 2)
    _move(self, pairs[:, 0].copy(), pairs[:, 1].copy())


def _set_array(self: Artist, A: Any) -> None:  # noqa: N803 - matplotlib's name
    values = given.array(A)
    self.data["values"] = values if self.kind == "image" else values.reshape(-1)


def _clim(self: Artist) -> Any:
    low, high = range_of(self)
    return wrap(np.float64(low)), wrap(np.float64(high))


def _set_clim(self: Artist, vmin: Any = None, vmax: Any = None) -> None:
    if vmax is None and given.several(vmin) is not None:
        vmin, vmax = given.several(vmin) or (None, None)
    for key, value in (("vmin", vmin), ("vmax", vmax)):
        if value is not None:
            self.style[key] = given.number(value)


def range_of(self: Artist) -> tuple[float, float]:
    """The numbers that have the first and the last colour of the map."""
    low, high = self.style.get("vmin"), self.style.get("vmax")
    values = self.data.get("values")
    if values is not None and (low is None or high is None):
        finite = values[np.isfinite(values)]
        low = low if low is not None else float(finite.min()) if finite.size else 0.0
        high = high if high is not None else float(finite.max()) if finite.size else 1.0
    return (0.0 if low is None else low), (1.0 if high is None else high)


_MAPPED: dict[str, Method] = {
    "set_array": _set_array, "get_clim": _clim, "set_clim": _set_clim, "get_cmap": _get("cmap"),
    "set_cmap": _set("cmap", colormap), "get_array": lambda self: given.copy(self.data["values"]),
}  # fmt: skip
for _kind in (PathCollection, AxesImage, QuadMesh, QuadContourSet):
    offer(_kind, _MAPPED, {"cmap": lambda self: self.style.get("cmap")})
offer(
    PathCollection,
    {
        "get_offsets": lambda self: _pairs(self),
        "set_offsets": _set_offsets,
        "set_sizes": lambda self, sizes, dpi=72.0: self.style.update(sizes=given.flat(sizes)),
    },
)
offer(AxesImage, {"set_data": _set_array})
offer(QuadContourSet, {}, {"levels": lambda self: given.copy(self.data["levels"])})
for _kind in (Text, Annotation):
    offer(
        _kind,
        {
            "get_text": lambda self: self.style["text"],
            "set_text": lambda self, s: self.style.update(text=given.text(s)),
            "get_position": lambda self: self.style.get("at", (self.style["x"], self.style["y"])),
            "set_position": lambda self, xy: self.style.update(
                x=given.number(xy[0]), y=given.number(xy[1]), at=given.plain(*xy)
            ),
        },
    )


class Bar:
    """One rectangle of a series: `matplotlib.patches.Rectangle`. `of`: the series, at `index`."""

    __slots__ = ("index", "of")

    def __init__(self, of: Artist, index: int) -> None:
        self.of, self.index = of, index

    def part(self, name: str) -> Any:
        numbers = self.of.data.get(f"{name} given")
        return wrap((self.of.data[name] if numbers is None else numbers)[self.index])

    def __repr__(self) -> str:
        return _rectangle(*[float(self.of.data[name][self.index]) for name in ("x", "y", "width", "height")])


Bar.__name__ = Bar.__qualname__ = "Rectangle"
Bar.__module__ = "matplotlib.patches"


def _paint(self: Bar, value: Any) -> None:
    colours = self.of.style.get("colors")
    if colours is None:
        colours = self.of.style["colors"] = [self.of.style.get("color")] * len(self.of.data["x"])
    artist_color(value)
    colours[self.index] = value


offer(
    Bar,
    {
        "get_x": lambda self: self.part("x"), "get_y": lambda self: self.part("y"),
        "get_width": lambda self: self.part("width"), "get_height": lambda self: self.part("height"),
        "get_xy": lambda self: (self.part("x"), self.part("y")), "set_color": _paint, "set_facecolor": _paint,
        "get_facecolor": lambda self: rgba((self.of.style.get("colors") or [self.of.style["color"]] * (self.index + 1))[
            self.index
        ]),
        "get_label": lambda self: "_nolegend_",
    },
    {"axes": lambda self: self.of.axes},
)  # fmt: skip


class Container:
    """What several things drawn by one call are held by: `BarContainer`, `ErrorbarContainer`, `StemContainer`."""

    __slots__ = ("kind", "members", "of")
    __module__ = "matplotlib.container"

    def __init__(self, of: Artist, members: list[Any]) -> None:
        self.of, self.members = of, members

    def __len__(self) -> int:
        return len(self.members)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.members)

    def __getitem__(self, index: Any) -> Any:
        found = self.members[index]
        return tuple(found) if type(found) is list else found

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object of {len(self.members)} artists>"


def _container(name: str) -> type[Container]:
    return type(name, (Container,), {"__slots__": (), "__module__": "matplotlib.container", "__qualname__": name})


BarContainer, ErrorbarContainer, StemContainer = map(_container, ("BarContainer", "ErrorbarContainer", "StemContainer"))
for _container_kind in (BarContainer, ErrorbarContainer, StemContainer):
    offer(
        _container_kind,
        {
            "get_label": lambda self: _label(self.of), "set_label": lambda self, s: _set_label(self.of, s),
            "get_children": lambda self: list(self.members), "remove": lambda self: _remove(self.of),
        },
        {"patches": lambda self: list(self.members), "axes": lambda self: self.of.axes},
    )  # fmt: skip


class Legend:
    """`matplotlib.legend.Legend`. `entries`: what is drawn and its label."""

    __slots__ = ("entries", "title")
    __module__ = "matplotlib.legend"

    def __init__(self, entries: list[tuple[Artist, str]], title: str | None) -> None:
        self.entries, self.title = entries, title

    def __repr__(self) -> str:
        return f"<matplotlib.legend.Legend object at {fake_address(self)}>"

    def __str__(self) -> str:
        return "Legend"


offer(
    Legend,
    {
        "get_texts": lambda self: [
            Text(artist.axes, "text", {}, {"text": label, "x": 0.0, "y": 0.0}) for artist, label in self.entries
        ],
        "set_title": lambda self, title, prop=None: setattr(self, "title", given.text(title)),
    },
)
