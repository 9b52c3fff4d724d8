"""The figures of a run document (`app.schema`): what matplotlib draws, as numbers or a picture. Lengths are points."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

NonFinite = Literal["NaN", "Infinity", "-Infinity"]
FigureId = Annotated[str, Field(description="Id of a figure.", examples=["f0"])]
Real = Annotated[int | float | NonFinite, Field(description="Six digits, or as many as a picture of it can show.")]
Paint = Annotated[str | None, Field(description="`#rrggbb` as matplotlib has it; null for no colour.")]
Alpha = Annotated[float, Field(description="1 is opaque.")]
Of = Annotated[int, Field(description="How many points the program gave; the document has fewer where that is more.")]
Style = Annotated[str, Field(description="`-`, `--`, `-.`, `:`, or an empty text for no line.")]


class Colormap(BaseModel):
    """From the low end of a range to its high end."""

    name: str
    colors: list[str]
    discrete: bool = Field(description="The colours stay apart; else what lies between two of them is mixed.")


class Drawn(BaseModel):
    """What all series have."""

    label: str | None = None
    alpha: Alpha = 1


class LineSeries(Drawn):
    """Points joined by a line, or marked, or both."""

    kind: Literal["line"]
    x: list[Real]
    y: list[Real]
    of: Of
    color: Paint
    style: Style
    width: float = Field(description="Points of 1/72 inch.")
    marker: str | None = Field(description="One of matplotlib's, e.g. `o`.")
    size: float = Field(description="Of a marker, in points.")
    hollow: bool
    steps: str | None = Field(examples=["pre", "post", "mid"])


class PointSeries(Drawn):
    """`scatter`."""

    kind: Literal["points"]
    x: list[Real]
    y: list[Real]
    of: Of
    color: Paint
    colors: list[Paint] | None = Field(None, description="One for each point.")
    values: list[Real] | None = Field(None, description="One for each point, which the map colours.")
    range: tuple[Real, Real] | None = None
    colormap: Colormap | None = None
    marker: str | None
    sizes: list[Real] = Field(description="Square points; one for all, or one for each.")
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
    colors: list[Paint] | None = None
    edge: Paint
    hollow: bool


class FillSeries(Drawn):
    """`fill_between`; `outline`: a histogram drawn as steps."""

    kind: Literal["fill"]
    x: list[Real]
    low: list[Real]
    high: list[Real]
    of: Of
    upright: bool = Field(description="If not, x and y are exchanged.")
    outline: bool
    color: Paint


class SegmentSeries(Drawn):
    """Straight lines: the bars of `errorbar`, `hlines`, `vlines`, `stem`."""

    kind: Literal["segments"]
    start: list[list[Real]] = Field(alias="from", description="All x, then all y.")
    to: list[list[Real]]
    of: Of
    color: Paint
    style: Style
    width: float
    caps: bool


class RuleSeries(Drawn):
    """`axhline` and `axvline`."""

    kind: Literal["rule"]
    axis: Literal["x", "y"] = Field(description="The one that `at` lies on.")
    at: Real
    part: list[Real] = Field(description="From where to where across the axes, from 0 to 1.")
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
    where: Literal["data", "axes"] = Field(description="What x and y count in: `data`, or shares of the `axes`.")
    across: str = Field(examples=["left", "center", "right"])
    upward: str = Field(examples=["baseline", "bottom", "center", "top"])
    to: list[Real] | None = Field(description="Where its arrow points.")
    offset: list[Real] | None = Field(description="Points that it stands beside its place.")
    color: Paint


class ImageSeries(Drawn):
    """`imshow`, `matshow`, `pcolormesh`: `values`, or `levels`, or `rgb`, the row of the lowest y first."""

    kind: Literal["image"]
    extent: list[Real] = Field(description="From and to along x, then along y; the lower first.")
    rows: int
    columns: int
    of: tuple[int, int] = Field(description="Rows and columns the program gave.")
    values: list[list[Real]] | None = None
    levels: list[list[int]] | None = Field(None, description="Where in the range, from 0 to 255; -1 for NaN.")
    rgb: list[str] | None = Field(None, description="A row each, six hexadecimal digits a cell.")
    range: tuple[Real, Real] | None = None
    colormap: Colormap | None = None


class ContourSeries(Drawn):
    """`contour` and `contourf` over a grid."""

    kind: Literal["contour"]
    x: list[Real]
    y: list[Real]
    z: list[list[Real]]
    of: tuple[int, int]
    levels: list[Real]
    filled: bool
    colors: list[Paint] = Field(description="One for each level, or for what lies between two.")
    extend: Literal["neither", "min", "max", "both"]
    width: float
    style: Style


Series = Annotated[
    LineSeries
    | PointSeries
    | BarSeries
    | FillSeries
    | SegmentSeries
    | RuleSeries
    | SpanSeries
    | TextSeries
    | ImageSeries
    | ContourSeries,
    Field(discriminator="kind"),
]


class Place(BaseModel):
    """Where axes stand in a grid of rows and columns."""

    grid: tuple[int, int]
    row: int
    column: int
    rows: int
    columns: int


class Axis(BaseModel):
    """One direction of axes."""

    scale: Literal["linear", "log", "symlog"]
    limits: tuple[Real, Real] = Field(description="The first is larger where the axis is inverted.")
    label: str
    ticks: list[Real] | None = Field(description="Where the program wants them.")
    labels: list[str] | None


class LegendEntry(BaseModel):
    """One line of a legend."""

    label: str
    series: int


class FigureLegend(BaseModel):
    """A legend."""

    title: str | None
    entries: list[LegendEntry]


class Colorbar(BaseModel):
    """What the colours of a series stand for."""

    series: int
    label: str


class Picture(BaseModel):
    """What the numbers of a document cannot tell, as matplotlib draws it: an image, which runs nothing."""

    svg: str = Field(description="SVG without scripts; its letters are paths.")
    size: tuple[Real, Real] = Field(description="Width and height in points.")
    texts: list[str] = Field(description="What is written in it: titles, labels, legends.")


class Axes(BaseModel):
    """A coordinate system and what is drawn in it, lowest first."""

    place: Place | None
    box: list[Real] | None = Field(description="Left, bottom, width, height as shares of the figure.")
    title: str
    x: Axis
    y: Axis
    frame: bool = Field(description="Its frame and ticks are shown.")
    grid: bool
    equal: bool = Field(description="A unit is as long in both directions.")
    twin: int | None = Field(description="The axes of this figure that it lies upon.")
    series: list[Series]
    left: int = Field(description="Series that did not fit.")
    legend: FigureLegend | None
    colorbars: list[Colorbar]
    omitted: list[str] = Field(description="What was drawn by the program and is not told here.")
    picture: Picture | None = Field(None, description="These axes as drawn, with those upon them; no series then.")


class Figure(BaseModel):
    """What one call of `show` or `savefig` shows."""

    id: FigureId
    number: int | None
    name: str | None
    size: tuple[Real, Real] = Field(description="Inches.")
    title: str
    axes: list[Axes]
    left: int = Field(description="Axes that did not fit.")
    picture: Picture | None = Field(None, description="The whole figure as drawn; no axes then.")
