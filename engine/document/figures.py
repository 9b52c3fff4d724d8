"""The figures of a run document: what matplotlib draws, as numbers or a picture. Lengths are points."""

# No `from __future__ import annotations`, as in rows.py.
from typing import Annotated, Literal, NotRequired, TypedDict

from .notes import Defaulted, Keywords

NonFinite = Literal["NaN", "Infinity", "-Infinity"]
FigureId = Annotated[str, "Id of a figure.", Keywords(examples=("f0",))]
Real = Annotated[int | float | NonFinite, "Six digits, or as many as a picture of it can show."]
Paint = Annotated[str | None, "`#rrggbb` as matplotlib has it; null for no colour."]
Alpha = Annotated[float, "1 is opaque."]
Of = Annotated[int, "How many points the program gave; the document has fewer where that is more."]
Style = Annotated[str, "`-`, `--`, `-.`, `:`, or an empty text for no line."]


class Colormap(TypedDict):
    """From the low end of a range to its high end."""

    name: str
    colors: list[str]
    discrete: Annotated[bool, "The colours stay apart; else what lies between two of them is mixed."]


class Drawn(TypedDict):
    """What all series have."""

    label: Defaulted[str | None]
    alpha: Defaulted[Annotated[Alpha, Keywords(default=1)]]


class LineSeries(Drawn):
    """Points joined by a line, or marked, or both."""

    kind: Literal["line"]
    x: list[Real]
    y: list[Real]
    of: Of
    color: Paint
    style: Style
    width: Annotated[float, "Points of 1/72 inch."]
    marker: Annotated[str | None, "One of matplotlib's, e.g. `o`."]
    size: Annotated[float, "Of a marker, in points."]
    hollow: bool
    steps: Annotated[str | None, Keywords(examples=("pre", "post", "mid"))]


class PointSeries(Drawn):
    """`scatter`."""

    kind: Literal["points"]
    x: list[Real]
    y: list[Real]
    of: Of
    color: Paint
    colors: NotRequired[Annotated[list[Paint] | None, "One for each point."]]
    values: NotRequired[Annotated[list[Real] | None, "One for each point, which the map colours."]]
    range: NotRequired[tuple[Real, Real] | None]
    colormap: NotRequired[Colormap | None]
    marker: str | None
    sizes: Annotated[list[Real], "Square points; one for all, or one for each."]
    edge: Paint


class BarSeries(Drawn):
    """`bar`, `barh` and `hist`: the lower left corner and the size of each."""

    kind: Literal["bars"]
    x: list[Real]
    y: list[Real]
    width: list[Real]
    height: list[Real]
    of: Of
    upright: bool
    color: Paint
    colors: NotRequired[list[Paint] | None]
    edge: Paint
    hollow: bool


class FillSeries(Drawn):
    """`fill_between`; `outline`: a histogram drawn as steps."""

    kind: Literal["fill"]
    x: list[Real]
    low: list[Real]
    high: list[Real]
    of: Of
    upright: Annotated[bool, "If not, x and y are exchanged."]
    outline: bool
    color: Paint


_Segments = TypedDict(
    "_Segments",
    {
        "kind": Literal["segments"],
        "from": Annotated[list[list[Real]], "All x, then all y."],
        "to": list[list[Real]],
    },
)
"""`from` is a word of Python."""


class SegmentSeries(Drawn, _Segments):
    """Straight lines: the bars of `errorbar`, `hlines`, `vlines`, `stem`."""

    of: Of
    color: Paint
    style: Style
    width: float
    caps: bool


class RuleSeries(Drawn):
    """`axhline` and `axvline`."""

    kind: Literal["rule"]
    axis: Annotated[Literal["x", "y"], "The one that `at` lies on."]
    at: Real
    part: Annotated[list[Real], "From where to where across the axes, from 0 to 1."]
    color: Paint
    style: Style
    width: float


class SpanSeries(Drawn):
    """`axhspan` and `axvspan`."""

    kind: Literal["span"]
    axis: Literal["x", "y"]
    span: list[Real]
    color: Paint


class TextSeries(Drawn):
    """`text` and `annotate`."""

    kind: Literal["text"]
    text: str
    x: Real
    y: Real
    where: Annotated[Literal["data", "axes"], "What x and y count in: `data`, or shares of the `axes`."]
    across: Annotated[str, Keywords(examples=("left", "center", "right"))]
    upward: Annotated[str, Keywords(examples=("baseline", "bottom", "center", "top"))]
    to: Annotated[list[Real] | None, "Where its arrow points."]
    offset: Annotated[list[Real] | None, "Points that it stands beside its place."]
    color: Paint


class ImageSeries(Drawn):
    """`imshow`, `matshow`, `pcolormesh`: `values`, or `levels`, or `rgb`, the row of the lowest y first."""

    kind: Literal["image"]
    extent: Annotated[list[Real], "From and to along x, then along y; the lower first."]
    rows: int
    columns: int
    of: Annotated[tuple[int, int], "Rows and columns the program gave."]
    values: NotRequired[list[list[Real]] | None]
    levels: NotRequired[Annotated[list[list[int]] | None, "Where in the range, from 0 to 255; -1 for NaN."]]
    rgb: NotRequired[Annotated[list[str] | None, "A row each, six hexadecimal digits a cell."]]
    range: NotRequired[tuple[Real, Real] | None]
    colormap: NotRequired[Colormap | None]


class ContourSeries(Drawn):
    """`contour` and `contourf` over a grid."""

    kind: Literal["contour"]
    x: list[Real]
    y: list[Real]
    z: list[list[Real]]
    of: tuple[int, int]
    levels: list[Real]
    filled: bool
    colors: Annotated[list[Paint], "One for each level, or for what lies between two."]
    extend: Literal["neither", "min", "max", "both"]
    width: float
    style: Style


AnySeries = (
    LineSeries
    | PointSeries
    | BarSeries
    | FillSeries
    | SegmentSeries
    | RuleSeries
    | SpanSeries
    | TextSeries
    | ImageSeries
    | ContourSeries
)


class Place(TypedDict):
    """Where axes stand in a grid of rows and columns."""

    grid: tuple[int, int]
    row: int
    column: int
    rows: int
    columns: int


class Axis(TypedDict):
    """One direction of axes."""

    scale: Literal["linear", "log", "symlog"]
    limits: Annotated[tuple[Real, Real], "The first is larger where the axis is inverted."]
    label: str
    ticks: Annotated[list[Real] | None, "Where the program wants them."]
    labels: list[str] | None


class LegendEntry(TypedDict):
    """One line of a legend."""

    label: str
    series: int


class FigureLegend(TypedDict):
    """A legend."""

    title: str | None
    entries: list[LegendEntry]


class Colorbar(TypedDict):
    """What the colours of a series stand for."""

    series: int
    label: str


class Picture(TypedDict):
    """What the numbers of a document cannot tell, as matplotlib draws it: an image, which runs nothing."""

    svg: Annotated[str, "SVG without scripts; its letters are paths."]
    size: Annotated[tuple[Real, Real], "Width and height in points."]
    texts: Annotated[list[str], "What is written in it: titles, labels, legends."]


class Axes(TypedDict):
    """A coordinate system and what is drawn in it, lowest first."""

    place: Place | None
    box: Annotated[list[Real] | None, "Left, bottom, width, height as shares of the figure."]
    title: str
    x: Axis
    y: Axis
    frame: Annotated[bool, "Its frame and ticks are shown."]
    grid: bool
    equal: Annotated[bool, "A unit is as long in both directions."]
    twin: Annotated[int | None, "The axes of this figure that it lies upon."]
    series: list[AnySeries]
    left: Annotated[int, "Series that did not fit."]
    legend: FigureLegend | None
    colorbars: list[Colorbar]
    omitted: Annotated[list[str], "What was drawn by the program and is not told here."]
    picture: NotRequired[Annotated[Picture | None, "These axes as drawn, with those upon them; no series then."]]


class Figure(TypedDict):
    """What one call of `show` or `savefig` shows."""

    id: FigureId
    number: int | None
    name: str | None
    size: Annotated[tuple[Real, Real], "Inches."]
    title: str
    axes: list[Axes]
    left: Annotated[int, "Axes that did not fit."]
    picture: NotRequired[Annotated[Picture | None, "The whole figure as drawn; no axes then."]]
