"""`rcParams` and styles: what programs set and read back. Each run has its own copy."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.charges import grow
from engine.program.operators import NESTING, items
from engine.program.stdlib.matplotlib import given
from engine.program.stdlib.matplotlib.colors import parse
from engine.program.stdlib.matplotlib.names import unknown
from engine.program.text import represent, to_text


class Cycler:
    """`cycler.Cycler`: what series take in turn, by property."""

    __slots__ = ("properties",)
    __module__ = "cycler"

    def __init__(self, properties: dict[str, list[Any]]) -> None:
        self.properties = properties

    def by_key(self) -> dict[str, list[Any]]:
        return {key: list(values) for key, values in self.properties.items()}

    def __len__(self) -> int:
        return min([len(values) for values in self.properties.values()], default=0)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter([{key: values[i] for key, values in self.properties.items()} for i in range(len(self))])

    def __repr__(self) -> str:
        return " + ".join([f"cycler({key!r}, {represent(values)})" for key, values in self.properties.items()])


def cycler(*args: Any, **properties: Any) -> Cycler:
    """`cycler(color=[…])`, `cycler("color", […])`."""
    if len(args) == 1 and isinstance(args[0], Cycler):
        return args[0]
    if len(args) == 2:
        properties = {args[0]: args[1]}
    return Cycler({key: given.several(list(v) if type(v) is str else v) or [] for key, v in properties.items()})


def _value(found: Any) -> Any:
    if isinstance(found, dict):
        if "tuple" in found:
            return tuple(found["tuple"])
        taken = found["cycler"]
        return Cycler({key: [tuple(v) if type(v) is list else v for v in values] for key, values in taken.items()})
    return found


_HERE = Path(__file__).parent
_RECORDED = {
    key: (check, found)
    for key, check, found in (line.split("\t") for line in (_HERE / "rc.txt").read_text().splitlines())
}
"""Setting → what checks it, and its default as JSON."""
_STYLES = dict(line.split("\t", 1) for line in (_HERE / "styles.txt").read_text().splitlines())
AVAILABLE = [name for name in _STYLES if not name.startswith("_")]


class RcParams(dict[str, Any]):
    """`matplotlib.RcParams`: each setting is checked when it is set."""

    __module__ = "matplotlib"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __setitem__(self, key: Any, value: Any) -> None:
        if key not in _RECORDED and key != "backend":
            raise KeyError(unknown(key, "rcParam", sorted(_RECORDED)))
        try:
            found = value if key == "backend" else _checked(_RECORDED[key][0], key, value)
        except ValueError as error:
            raise ValueError(f"Key {key}: {error}") from None
        super().__setitem__(key, found)

    def update(self, *given: Any, **named: Any) -> None:
        for some in (*given, named):
            for key, value in some.items() if isinstance(some, dict) else items(some):
                meter.charge(1)
                self[key] = value

    def setdefault(self, key: Any, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def copy(self) -> RcParams:
        meter.charge(len(self) >> 3)
        made = RcParams()
        for key, value in self.items():
            dict.__setitem__(made, key, list(value) if type(value) is list else value)
        return made

    def find_all(self, pattern: Any) -> RcParams:
        meter.charge(len(self) >> 4)
        made, text = RcParams(), to_text(pattern)
        for key in (key for key in self if text in key):
            dict.__setitem__(made, key, self[key])
        return made

    def __repr__(self) -> str:
        lines = [f"{key!r}: {represent(value)}" for key, value in sorted(self.items())]
        grow(sum(map(len, lines)))
        return "RcParams({" + (",\n" + 10 * " ").join(lines) + "})"

    def __str__(self) -> str:
        lines = [f"{key}: {to_text(value)}" for key, value in sorted(self.items())]
        grow(sum(map(len, lines)))
        return "\n".join(lines)


NESTING.add(RcParams)


_TRUE, _FALSE = (("t", "y", "yes", "on", "true", "1", 1, True), ("f", "n", "no", "off", "false", "0", 0, False))
_FONT_SIZES = "xx-small x-small small medium large x-large xx-large smaller larger".split()


def _number(value: Any, kind: type) -> Any:
    try:
        return kind(given.number(value))
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"Could not convert {represent(value)} to {kind.__name__}") from None


def _checked(check: str, key: str, value: Any) -> Any:
    """A setting as matplotlib keeps it. ValueError for what it does not take."""
    name, _, rest = check.partition(" ")
    low = value.lower() if type(value) is str else value
    if name.endswith("_or_None") and (value is None or low == "none"):
        return None
    name = name.removesuffix("_or_None")
    if name in ("float", "int"):
        return _number(value, float if name == "float" else int)
    if name == "bool":
        if low in _TRUE or low in _FALSE:
            return low in _TRUE
        raise ValueError(f"Cannot convert {represent(low)} to bool")
    if name == "fontsize":
        if low in _FONT_SIZES:
            return low
        try:
            return given.number(value)
        except (TypeError, ValueError):
            sizes = ", ".join(_FONT_SIZES)
            raise ValueError(f"{to_text(low)} is not a valid font size. Valid font sizes are {sizes}.") from None
    if name == "color" and parse(value) is None and not (type(value) is str and parse(f"#{value}") is not None):
        raise ValueError(f"{represent(value)} does not look like a color arg")
    if name == "one":
        known = json.loads(rest.partition(" ")[2])
        if value not in known:
            raise ValueError(f"{represent(value)} is not a valid value for {key}; supported values are {known}")
    if name == "floatlist" and rest:
        return [_number(part, float) for part in _pair(value, int(rest))]
    if name == "strlist" and type(value) is str:
        return [part.strip() for part in value.split(",") if part.strip()]
    if name == "strlist":
        return list(given.several(value) or [])
    if name == "cycler" and not isinstance(value, Cycler):
        raise ValueError(f"Object is not a string or Cycler instance: {represent(value)}")
    return value


def _pair(value: Any, count: int) -> list[Any]:
    found = value.split(",") if type(value) is str else given.several(value)
    if found is None:
        raise ValueError(f"Expected str or other non-set iterable, but got {represent(value)}")
    if len(found) != count:
        raise ValueError(f"Expected {count} values, but there are {len(found)} values in {represent(value)}")
    return found


def _defaults() -> dict[str, Any]:
    meter.charge(len(_RECORDED))
    return {key: _value(json.loads(found)) for key, (_, found) in _RECORDED.items()}


def rc_params() -> RcParams:
    """The settings of the run in progress."""
    known = sessions.active.settings.get(("matplotlib", "rcParams"))
    if known is None:
        known = sessions.active.settings["matplotlib", "rcParams"] = RcParams()
        dict.update(known, {**_defaults(), "backend": "agg"})
    return known


def setting(name: str) -> Any:
    """What a setting is in this run."""
    settings = rc_params()
    return settings[name] if name in settings else _value(json.loads(_RECORDED[name][1]))


def use_style(style: Any) -> None:
    """`matplotlib.style.use`: the settings of a style by its name, or of a dictionary. OSError for an unknown name."""
    for one in [style] if isinstance(style, str | dict) else given.several(style) or []:
        name = {"mpl20": "default", "mpl15": "classic"}.get(one, one) if isinstance(one, str) else one
        if name == "default":
            reset()
        elif isinstance(name, dict):
            rc_params().update(name)
        elif name in _STYLES:
            found = {key: _value(value) for key, value in json.loads(_STYLES[name]).items()}
            meter.charge(len(found) >> 1)
            dict.update(rc_params(), found)
        else:
            raise OSError(
                f"{represent(name)} is not a valid package style, path of style file, URL of style file, or library"
                " style name (library styles are listed in `style.available`)"
            )


def reset() -> None:
    """`matplotlib.rcdefaults`."""
    dict.update(rc_params(), _defaults())


_SHORT = {
    "lw": "linewidth", "ls": "linestyle", "c": "color", "fc": "facecolor", "ec": "edgecolor", "mew": "markeredgewidth",
    "aa": "antialiased", "sans": "sans-serif",
}  # fmt: skip


def rc(group: Any, **settings: Any) -> None:
    """`matplotlib.rc("font", size=12)`."""
    for one in [group] if isinstance(group, str) else given.several(group) or []:
        for key, value in settings.items():
            name = _SHORT.get(key, key)
            try:
                rc_params()[f"{one}.{name}"] = value
            except KeyError:
                raise KeyError(f'Unrecognized key "{one}.{name}" for group "{one}" and name "{name}"') from None


class Context:
    """`with rc_context(…):` and `with style.context(…):`, after which the settings are what they were."""

    __slots__ = ("before", "change")
    __module__ = "contextlib"
    __program__ = True
    __invisible__ = True
    __abstract__ = ()

    def __init__(self, change: Callable[[], None]) -> None:
        self.change = change
        self.before: RcParams | None = None

    def __enter__(self) -> None:
        self.before = rc_params().copy()
        self.change()

    def __exit__(self, *exception: object) -> None:
        if self.before is not None:
            dict.clear(rc_params())
            dict.update(rc_params(), self.before)


def rc_context(rc: Any = None, fname: Any = None) -> Context:
    return Context(lambda: rc_params().update(rc or {}))


def style_context(style: Any, after_reset: Any = False) -> Context:
    def change() -> None:
        if after_reset:
            reset()
        use_style(style)

    return Context(change)


def size(value: Any) -> tuple[float, float]:
    """Width and height in inches. TypeError for what is no pair."""
    pair = given.several(value)
    if pair is None:
        raise TypeError(f"object of type '{type(value).__name__}' has no len()")
    if len(pair) != 2:
        raise ValueError(
            f"Key figure.figsize: Expected 2 values, but there are {len(pair)} values in {represent(value)}"
        )
    return given.number(pair[0]), given.number(pair[1])
