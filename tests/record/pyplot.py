"""Record matplotlib's names, colours and colour maps, which `engine/program/stdlib/matplotlib/` reads.

    <python with matplotlib 3.11> -m tests.record.pyplot

`names.txt`: what modules and classes have, and (`.set`) the properties of what is drawn. `colors.txt`: the named
colours. `colormaps.txt`: a map a line: its colours in 255ths or millionths, or where each of red, green, blue changes.
`rc.txt`: each of `rcParams`, what checks it, and its default. `styles.txt`: what each style sets.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.artist
import matplotlib.cm
import matplotlib.colors
import matplotlib.pyplot as plt
import matplotlib.style

TARGET = Path(__file__).parent.parent.parent / "engine" / "program" / "stdlib" / "matplotlib"
LEFT_OUT = frozenset("berlin managua vanimo cubehelix flag prism twilight_shifted gist_ncar nipy_spectral".split())


def public(thing: Any) -> list[str]:
    return sorted(name for name in dir(thing) if not name.startswith("_"))


def properties(kind: type) -> list[str]:
    found = matplotlib.artist.ArtistInspector(kind)
    aliases = {alias for names in found.aliasd.values() for alias in names}
    return sorted({*found.get_setters(), *aliases})


def names() -> dict[str, list[str]]:
    """What there is, by module and class."""
    figure, axes = plt.subplots()
    image = axes.imshow([[1, 2]])
    shown = {
        "Figure": figure, "Axes": axes, "Line2D": axes.plot([1])[0], "PathCollection": axes.scatter([1], [1]),
        "Rectangle": axes.bar([1], [1])[0], "Polygon": axes.fill([1, 2], [1, 2])[0],
        "FillBetweenPolyCollection": axes.fill_between([1], [1]), "LineCollection": axes.hlines(1, 0, 1),
        "AxesImage": image, "QuadMesh": axes.pcolormesh([[1]]), "Text": axes.text(0, 0, "a"),
        "Annotation": axes.annotate("a", (0, 0)), "QuadContourSet": axes.contour([[1, 2], [3, 4]]),
        "BarContainer": axes.bar([1], [1]), "ErrorbarContainer": axes.errorbar([1], [1], yerr=1),
        "StemContainer": axes.stem([1]),
        "Legend": axes.legend([]), "Colorbar": figure.colorbar(image), "GridSpec": figure.add_gridspec(1, 1),
        "SubplotSpec": figure.add_gridspec(1, 1)[0], "Axis": axes.xaxis,
    }  # fmt: skip
    modules = {name: [n for n in public(module) if not inspect.ismodule(getattr(module, n))] for name, module in (
        ("matplotlib", mpl), ("matplotlib.pyplot", plt), ("matplotlib.cm", matplotlib.cm),
        ("matplotlib.colors", matplotlib.colors),
    )}  # fmt: skip
    found = {name: public(value) for name, value in shown.items()}
    return modules | found | {f"{name}.set": properties(type(value)) for name, value in shown.items()
                              if isinstance(value, matplotlib.artist.Artist)}  # fmt: skip


def colour_map(name: str) -> str | None:
    found = mpl.colormaps[name]
    if isinstance(found, matplotlib.colors.ListedColormap):
        flat = [part for colour in found.colors for part in colour[:3]]
        if all(abs(part * 255 - round(part * 255)) < 1e-9 for part in flat):
            return "bytes " + bytes(round(part * 255) for part in flat).hex()
        return "millionths " + "".join(f"{round(part * 1_000_000):05x}" for part in flat)
    data = found._segmentdata
    parts = [data[key] for key in ("red", "green", "blue")]
    if any(map(callable, parts)):
        return None
    return "changes " + " | ".join(" ".join(map(change, plain(part))) for part in parts)


def plain(part: Any) -> list[tuple[float, float, float]]:
    rows = [tuple(map(float, row)) for row in part]
    return [(row[0], row[1], row[-1]) for row in rows]


def change(row: tuple[float, float, float]) -> str:
    """Where, and the value up to there and from there on; one value if they are the same."""
    return ",".join(repr(part) if part % 1 else f"{part:.0f}" for part in (row if row[1] != row[2] else row[:2]))


def plainly(value: Any) -> Any:
    """A setting as JSON has it; a cycler as what its series take in turn."""
    if hasattr(value, "by_key"):
        return {"cycler": value.by_key()}
    return getattr(value, "value", value) if not isinstance(value, tuple) else {"tuple": value}


def checks(key: str) -> str:
    """What checks a setting: matplotlib's name for it, or the texts that it can be."""
    check = mpl.RcParams.validate[key]
    if hasattr(check, "valid"):
        return f"one of {json.dumps(list(check.valid.values()))}"
    default = mpl.rcParamsDefault[key]
    count = f" {len(default)}" if key == "figure.figsize" else ""
    return check.__name__.removeprefix("_").removeprefix("validate_") + count


def settings() -> list[str]:
    keys = sorted(set(mpl.rcParamsDefault) - {"backend"})
    return [f"{key}\t{checks(key)}\t{json.dumps(plainly(mpl.rcParamsDefault[key]))}" for key in keys]


def styles() -> list[str]:
    library = matplotlib.style.library
    known = set(mpl.rcParamsDefault)
    return [
        f"{name}\t{json.dumps({key: plainly(library[name][key]) for key in library[name] if key in known})}"
        for name in sorted(library)
    ]


def main() -> None:
    (TARGET / "rc.txt").write_text("\n".join(settings()) + "\n")
    (TARGET / "styles.txt").write_text("\n".join(styles()) + "\n")
    (TARGET / "names.txt").write_text("".join(f"{key}: {' '.join(found)}\n" for key, found in names().items()))
    named = matplotlib.colors.get_named_colors_mapping()
    colours = {k: matplotlib.colors.to_hex(v) for k, v in named.items() if not k.startswith("xkcd:")}
    (TARGET / "colors.txt").write_text("".join(f"{key} {found.lower()}\n" for key, found in sorted(colours.items())))
    maps = {name: colour_map(name) for name in sorted(mpl.colormaps) if not name.endswith("_r")}
    (TARGET / "colormaps.txt").write_text(
        "".join(f"{name} {found}\n" for name, found in maps.items() if found and name not in LEFT_OUT)
    )


if __name__ == "__main__":
    main()
