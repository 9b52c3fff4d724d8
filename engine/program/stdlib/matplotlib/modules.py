"""What a program can import of matplotlib. What is not drawn is accepted in silence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.program.arrays import wrap
from engine.program.calls import CALLERS, CONSTRUCTORS
from engine.program.stdlib.matplotlib import given
from engine.program.stdlib.matplotlib.artists import (
    AxesImage,
    PathCollection,
    QuadContourSet,
    QuadMesh,
    Text,
    offer,
    range_of,
)
from engine.program.stdlib.matplotlib.axes import DRAWING, QUIET, Axes, ignored
from engine.program.stdlib.matplotlib.colormaps import ALL, KNOWN, Colormap, colormap, find, linear, listed
from engine.program.stdlib.matplotlib.colors import NAMED, color, parse, rgba
from engine.program.stdlib.matplotlib.figures import Figure, GridSpec
from engine.program.stdlib.matplotlib.names import NAMES, unknown
from engine.program.stdlib.matplotlib.pyplot import PYPLOT, omitted
from engine.program.stdlib.matplotlib.rc import (
    AVAILABLE,
    Cycler,
    cycler,
    rc,
    rc_context,
    rc_params,
    reset,
    style_context,
    use_style,
)
from engine.program.stdlib.numpy.modules import MODULES as NUMPY_MODULES
from engine.program.values import UNSET, Builtin, HostMethod, Module, Silent


class Normalize:
    """`matplotlib.colors.Normalize`: numbers to a share of the way from `vmin` to `vmax`."""

    __slots__ = ("vmax", "vmin")
    __module__ = "matplotlib.colors"

    def __init__(self, vmin: Any = None, vmax: Any = None, clip: Any = False) -> None:
        self.vmin = None if vmin is None else given.number(vmin)
        self.vmax = None if vmax is None else given.number(vmax)

    def __call__(self, value: Any, clip: Any = None) -> Any:
        values = given.array(value)
        if values.size:
            self.vmin = float(np.min(values)) if self.vmin is None else self.vmin
            self.vmax = float(np.max(values)) if self.vmax is None else self.vmax
        low, high = self.vmin or 0.0, self.vmax or 0.0
        return wrap((values - low) / (high - low) if high != low else np.zeros_like(values))


class Registry:
    """`matplotlib.colormaps`."""

    __slots__ = ()
    __module__ = "matplotlib.cm"

    def __getitem__(self, name: Any) -> Colormap:
        if name not in ALL:
            raise KeyError(unknown(name, "colormap", KNOWN))
        return find(name)

    def __iter__(self) -> Any:
        return iter(sorted(ALL))

    def __len__(self) -> int:
        return len(ALL)

    def __contains__(self, name: Any) -> bool:
        return name in ALL


def get_cmap(name: Any = None, lut: Any = None) -> Colormap:
    """`plt.get_cmap("viridis", 5)`."""
    found = colormap(name, "name")
    return found if lut is None else found.resampled(max(1, min(int(given.number(lut)), 256)))


def _to_hex(c: Any, keep_alpha: bool = False) -> str | None:
    return color(c).hex


def _to_rgba_array(c: Any, alpha: Any = None) -> Any:
    rows = [c] if parse(c) is not None else given.several(c) or []
    return wrap(np.array([rgba(row, alpha) for row in rows]).reshape(-1, 4))


def _use(backend: Any, *, force: bool = True) -> None:
    dict.__setitem__(rc_params(), "backend", backend)


def _calling(kind: type) -> None:
    CALLERS[kind] = lambda target, args, kwargs: target(*args, **(kwargs or {}))


offer(Colormap, {"reversed": Colormap.reversed, "resampled": Colormap.resampled}, {
    "name": lambda self: self.name, "N": lambda self: self.n,
    "colors": lambda self: [tuple(row) for row in self.table.tolist()],
})  # fmt: skip
offer(Normalize, {}, {"vmin": lambda self: self.vmin, "vmax": lambda self: self.vmax})
offer(Registry, {"get_cmap": lambda self, cmap=None: get_cmap(cmap)})
offer(Cycler, {"by_key": Cycler.by_key})
_calling(Colormap)
for _kind in (PathCollection, AxesImage, QuadMesh, QuadContourSet):
    offer(_kind, {}, {"norm": lambda self: Normalize(*range_of(self))})
_calling(Normalize)
CONSTRUCTORS[GridSpec] = GridSpec
CONSTRUCTORS[Normalize] = Normalize
CONSTRUCTORS[Figure] = lambda figsize=None, dpi=None, **options: Figure(None, figsize)

_REGISTRY = Registry()


def _module(name: str, contents: dict[str, Any], draws: bool = False) -> Module:
    """A module with these contents; other names that matplotlib's has are accepted in silence."""
    known = NAMES.get(name, frozenset())

    def look_up(key: str) -> Any:
        if key == "rcParams" and key in contents:
            return rc_params()
        found = contents.get(key, UNSET)
        if found is not UNSET:
            return found
        if draws and key in DRAWING and key in known:
            return omitted(key)
        if key in QUIET:
            return Builtin(key, ignored)
        return Silent(f"{name}.{key}", quiet=True) if key in known else UNSET

    return Module(name, look_up, lambda: list(contents))


def _functions(functions: dict[str, Callable[..., Any]]) -> dict[str, Any]:
    return {name: HostMethod(name, function) for name, function in functions.items()}


class _Maps(dict[str, Any]):
    """The colour maps by name, each made when it is asked for."""

    def get(self, key: str, default: Any = None) -> Any:
        return find(key) if key in ALL else super().get(key, default)


_CLASSES = {cls.__name__: Builtin(cls.__name__, cls) for cls in (Axes, Colormap, Figure, GridSpec, Normalize, Text)}
"""What makes their objects: no program gets hold of the classes themselves."""
_CM = _module("matplotlib.cm", _Maps(get_cmap=Builtin("get_cmap", get_cmap)))
_COLORS = _module("matplotlib.colors", {
    **_functions({
        "ListedColormap": listed, "to_hex": _to_hex, "rgb2hex": _to_hex, "to_rgba": rgba,
        "to_rgb": lambda c: rgba(c)[:3], "to_rgba_array": _to_rgba_array,
        "is_color_like": lambda c: parse(c) is not None,
    }),
    "Normalize": _CLASSES["Normalize"], "Colormap": _CLASSES["Colormap"],
    "LinearSegmentedColormap": Module.of(
        "matplotlib.colors.LinearSegmentedColormap", {"from_list": Builtin("from_list", linear)}
    ),
    "TABLEAU_COLORS": {name: value for name, value in NAMED.items() if name.startswith("tab:")},
    "CSS4_COLORS": {name: value for name, value in NAMED.items() if ":" not in name and len(name) > 1},
    "BASE_COLORS": {name: rgba(name)[:3] for name in "bgrcmykw"},
})  # fmt: skip
_STYLE = Module.of("matplotlib.style", {
    "use": HostMethod("use", use_style), "context": HostMethod("context", style_context), "available": AVAILABLE,
})  # fmt: skip
_SHARED: dict[str, Any] = {
    "rcParams": None, "style": _STYLE, "colormaps": _REGISTRY, "cycler": Builtin("cycler", cycler),
    "rc": HostMethod("rc", rc), "rcdefaults": HostMethod("rcdefaults", reset),
    "rc_context": HostMethod("rc_context", rc_context),
    "get_backend": HostMethod("get_backend", lambda: rc_params().get("backend")),
}  # fmt: skip
_PYPLOT = _module("matplotlib.pyplot", {
    **_functions(PYPLOT), **_SHARED, "cm": _CM, "get_cmap": HostMethod("get_cmap", get_cmap), **_CLASSES,
}, draws=True)  # fmt: skip
_SUBMODULES = {
    "matplotlib.pyplot": _PYPLOT, "matplotlib.cm": _CM, "matplotlib.colors": _COLORS, "matplotlib.style": _STYLE,
    "matplotlib.gridspec": _module("matplotlib.gridspec", {"GridSpec": _CLASSES["GridSpec"]}),
    "matplotlib.figure": _module("matplotlib.figure", {"Figure": _CLASSES["Figure"]}),
    "matplotlib.axes": _module("matplotlib.axes", {"Axes": _CLASSES["Axes"]}),
}  # fmt: skip
_MATPLOTLIB = _module("matplotlib", {
    **_SHARED, "__version__": "3.11.2",
    **{name.partition(".")[2]: module for name, module in _SUBMODULES.items()},
    **{name: Silent(f"matplotlib.{name}", quiet=True) for name in (
        "animation", "dates", "lines", "patches", "patheffects", "ticker", "transforms", "widgets", "font_manager",
        "collections", "backends", "image", "mlab", "path", "text", "tri", "legend", "markers", "offsetbox",
    )},
    "use": HostMethod("use", _use),
})  # fmt: skip
_OF_PYTHON = frozenset("abs bool bytes max min pow round".split())
"""Names of numpy that pylab leaves to Python."""


def _of_numpy(*parts: str) -> dict[str, Any]:
    """What star imports of numpy's modules bring, the later ones in place of the earlier."""
    return {
        name: value
        for part in parts
        for name, value in NUMPY_MODULES[f"numpy{part}"].items()
        if not name.startswith("_") and name not in _OF_PYTHON
    }


_PYLAB = _module("pylab", {
    **_of_numpy("", ".fft", ".random", ".linalg"), **_functions(PYPLOT),
    "plt": _PYPLOT, "np": Module.of("numpy", NUMPY_MODULES["numpy"]), "cm": _CM, "rcParams": None,
    "style": _STYLE, "matplotlib": _MATPLOTLIB, "mpl": _MATPLOTLIB,
})  # fmt: skip

MODULES: dict[str, Module] = {"matplotlib": _MATPLOTLIB, **_SUBMODULES, "pylab": _PYLAB, "matplotlib.pylab": _PYLAB}
