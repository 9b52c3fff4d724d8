"""The picture of a moment, 1200 × 630, in the colours of the page."""

from __future__ import annotations

import io
import math
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from app.preview.moment import Card, Moment, Numbers

try:
    from PIL import Image, ImageDraw, ImageFont
except ImportError:  # the extra `libraries` is not installed
    Image = ImageDraw = ImageFont = None

WIDTH, HEIGHT, MARGIN = 1200, 630, 64
FINE = 2  # drawn so many times as large, for smooth edges
PAPER, PANEL, INK, SOFT, LINE = "#fbfaf7", "#ffffff", "#1d2330", "#646b79", "#e3e1da"
NOW, NOW_SOFT, NOW_MID = "#7c3aed", "#f3eeff", "#c4b0f7"
ZERO, ZERO_SOLID, POSITIVE, NEGATIVE = (232, 234, 235), (185, 183, 175), (8, 119, 189), (245, 147, 34)
CARD, WIDEST, GAP, CARDS_TOP, CARD_HEIGHT = 232, 340, 110, 410, 166
CELL_HEIGHT = 42


@cache
def fonts() -> Path | None:
    """The DejaVu fonts that matplotlib brings: they have the signs of mathematics, which Pillow's own has not."""
    spec = find_spec("matplotlib")
    return Path(next(iter(spec.submodule_search_locations or ())), "mpl-data", "fonts", "ttf") if spec else None


def drawable() -> bool:
    """Whether there is something to draw with."""
    return Image is not None and (folder := fonts()) is not None and (folder / "DejaVuSans.ttf").exists()


@cache
def font(name: str, size: int) -> Any:
    return ImageFont.truetype(f"{fonts()}/{name}.ttf", size * FINE)


class Sheet:
    """A drawing in the units of the picture."""

    def __init__(self) -> None:
        self.image = Image.new("RGB", (WIDTH * FINE, HEIGHT * FINE), PAPER)
        self.draw = ImageDraw.Draw(self.image)

    def box(self, x: float, y: float, w: float, h: float, radius: float, **look: Any) -> None:
        width = look.pop("width", 1)
        corners = [v * FINE for v in (x, y, x + w, y + h)]
        self.draw.rounded_rectangle(corners, radius * FINE, width=round(width * FINE), **look)

    def text(self, x: float, y: float, text: str, face: Any, fill: Any = INK, anchor: str = "ls") -> None:
        self.draw.text((x * FINE, y * FINE), text, font=face, fill=fill, anchor=anchor)

    def width(self, text: str, face: Any) -> float:
        return float(self.draw.textlength(text, font=face)) / FINE

    def cut(self, text: str, face: Any, room: float) -> str:
        """The text, shortened until it has room."""
        if self.width(text, face) <= room:
            return text
        while text and self.width(f"{text}…", face) > room:
            text = text[:-1]
        return f"{text.rstrip()}…"

    def wrap(self, text: str, face: Any, room: float, most: int) -> list[str]:
        lines = [""]
        for word in text.split():
            longer = f"{lines[-1]} {word}".strip()
            if self.width(longer, face) <= room or not lines[-1]:
                lines[-1] = longer
            else:
                lines.append(word)
        kept = lines[:most]
        if len(lines) > most:
            kept[-1] = f"{kept[-1]} …"
        return [self.cut(line, face, room) for line in kept]

    def way(self, *points: tuple[float, float], fill: Any, width: float) -> None:
        """A Bézier curve of four points."""
        parts = [i / 60 for i in range(61)]
        weights = [((1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s * s * (1 - s), s**3) for s in parts]
        path = [
            tuple(FINE * sum(w * p[k] for w, p in zip(each, points, strict=True)) for k in (0, 1)) for each in weights
        ]
        self.draw.line(path, fill=fill, width=round(width * FINE), joint="curve")

    def line(self, start: tuple[float, float], end: tuple[float, float], *, fill: Any, width: float) -> None:
        self.draw.line([round(v * FINE) for v in (*start, *end)], fill=fill, width=round(width * FINE))

    def disc(self, x: float, y: float, radius: float, **look: Any) -> None:
        width = look.pop("width", 1)
        self.draw.ellipse(
            [v * FINE for v in (x - radius, y - radius, x + radius, y + radius)], width=width * FINE, **look
        )


def draw(moment: Moment, title: str) -> bytes:
    """The picture as PNG."""
    bold, plain, mono = font("DejaVuSans-Bold", 42), font("DejaVuSans", 24), font("DejaVuSansMono", 25)
    sheet = Sheet()
    brand(sheet)
    y = 128.0
    for line in sheet.wrap(title[:300], bold, WIDTH - 2 * MARGIN, 2):
        sheet.text(MARGIN, y + 20, line, bold)
        y += 54
    if moment.code:
        sheet.box(MARGIN, y, WIDTH - 2 * MARGIN, 48, 8, fill=NOW_SOFT)
        sheet.box(MARGIN, y, 6, 48, 3, fill=NOW)
        sheet.text(MARGIN + 26, y + 33, str(moment.line), mono, SOFT)
        at = MARGIN + 26 + sheet.width(f"{moment.line}  ", mono)
        sheet.text(at, y + 33, sheet.cut(moment.code[:200], mono, WIDTH - MARGIN - at - 16), mono)
        y += 66
    for line in sheet.wrap(moment.sentence[:300], plain, WIDTH - 2 * MARGIN, 2 if y < 290 else 1):
        sheet.text(MARGIN, y + 24, line, plain, SOFT)
        y += 34
    tensors(sheet, moment)
    out = io.BytesIO()
    sheet.image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS).save(out, "PNG", optimize=True)
    return out.getvalue()


def brand(sheet: Sheet) -> None:
    """The mark and the name."""
    for y, colour in ((46, POSITIVE), (66, NEGATIVE)):
        sheet.way((MARGIN + 4, y), (MARGIN + 22, y), (MARGIN + 16, 56), (MARGIN + 38, 56), fill=colour, width=4)
        sheet.disc(MARGIN + 4, y, 5, fill=colour)
    sheet.disc(MARGIN + 40, 56, 7, fill="#8b919d")
    sheet.text(MARGIN + 60, 65, "Backlight", font("DejaVuSans-Bold", 24))
    sheet.text(WIDTH - MARGIN, 64, "see the backward pass", font("DejaVuSans", 20), SOFT, "rs")


def tensors(sheet: Sheet, moment: Moment) -> None:
    """The root, the op, and ways from it to the leaves."""
    root, leaves = moment.root, moment.leaves
    left = MARGIN + (CARD + GAP if root else 0)
    wide = min(WIDEST, (WIDTH - MARGIN - left - 18 * (len(leaves) - 1)) / max(1, len(leaves)))
    peak = peak_of(root, *leaves)
    x, y = left - GAP / 2, CARDS_TOP + CARD_HEIGHT / 2
    places = [left + i * (wide + 18) for i in range(len(leaves))]
    if root:
        for leaf, at in sorted(zip(leaves, places, strict=True), key=lambda each: each[0].gradient is not None):
            down(sheet, (x, y), at + wide / 2, NOW if leaf.gradient else NOW_MID)
        sheet.line((MARGIN + CARD, y), (x, y), fill=NOW, width=5)
        card(sheet, root, MARGIN, CARD, peak, outline="#c9c7bf", width=2)
        sheet.disc(x, y, 26, fill=PANEL, outline=NOW, width=4)
        sheet.text(x, y, moment.op if 0 < len(moment.op) <= 2 else "∂", font("DejaVuSans-Bold", 24), INK, "mm")
    for leaf, at in zip(leaves, places, strict=True):
        card(sheet, leaf, at, wide, peak, outline=INK, width=3)


def down(sheet: Sheet, start: tuple[float, float], x: float, colour: str) -> None:
    """A way up from the op, along above the cards, and down to a leaf, with its arrow."""
    left, y = start
    top, turn = CARDS_TOP - 36, 16
    sheet.line((left, y), (left, top + turn), fill=colour, width=5)
    sheet.way((left, top + turn), (left, top + 4), (left + 4, top), (left + turn, top), fill=colour, width=5)
    sheet.line((left + turn, top), (x - turn, top), fill=colour, width=5)
    sheet.way((x - turn, top), (x - 4, top), (x, top + 4), (x, CARDS_TOP - 10), fill=colour, width=5)
    arrow = [(x - 10, CARDS_TOP - 14), (x + 10, CARDS_TOP - 14), (x, CARDS_TOP)]
    sheet.draw.polygon([(a * FINE, b * FINE) for a, b in arrow], fill=colour)


def peak_of(*cards: Card | None) -> float:
    """The largest gradient, which has the full colour."""
    every = [abs(x) for each in cards if each and each.gradient for x in each.gradient.shown if math.isfinite(x)]
    return max(every, default=0.0)


def card(sheet: Sheet, tensor: Card, x: float, wide: float, peak: float, *, outline: str, width: int) -> None:
    """A tensor as the page draws it: name and value, below it the gradient."""
    name, number, small = font("DejaVuSans-Bold", 26), font("DejaVuSans", 24), font("DejaVuSans", 18)
    sheet.box(x, CARDS_TOP, wide, CARD_HEIGHT, 12, fill=PANEL, outline=outline, width=width)
    parts = tensor.name[-80:].split(".")
    names = [".".join(parts[i:]) for i in range(len(parts))]
    called = next(
        (each for each in names if sheet.width(each, name) <= wide - 40), sheet.cut(names[-1], name, wide - 40)
    )
    sheet.text(x + 20, CARDS_TOP + 48, called, name)
    room = wide - 56 - sheet.width(called, name)
    said = next((each for each in written(tensor.value) if sheet.width(each, number) <= room), "")
    sheet.text(x + wide - 20, CARDS_TOP + 48, said, number, INK, "rs")
    sheet.box(x + 1, CARDS_TOP + 70, wide - 2, 1, 0, fill=LINE)
    sheet.text(x + 20, CARDS_TOP + 98, tensor.role, small, SOFT)
    cells(sheet, tensor.gradient, x + 20, CARDS_TOP + 108, wide - 40, peak)


def cells(sheet: Sheet, held: Numbers | None, x: float, y: float, room: float, peak: float) -> None:
    """The first numbers of a gradient on their colours; an empty cell where there is none yet."""
    shown = held.shown if held else ()
    if not shown:
        sheet.box(x, y, room, CELL_HEIGHT, 6, outline="#c9c7bf", width=2)
        if held:
            sheet.text(x + room / 2, y + CELL_HEIGHT / 2, written(held)[-1], font("DejaVuSans", 18), SOFT, "mm")
        return
    most = max(1, int((room + 4) // 58))
    some = shown[:most]
    wide = (room - 4 * (len(some) - 1)) / len(some)
    for i, value in enumerate(some):
        colour = colour_of(value, peak)
        dark = sum(c * w for c, w in zip(colour, (0.299, 0.587, 0.114), strict=True)) < 140
        sheet.box(x + i * (wide + 4), y, wide, CELL_HEIGHT, 6, fill=colour)
        text = short(value)
        faces = [font("DejaVuSansMono-Bold", size) for size in (22, 18, 15, 12)]
        face = next((each for each in faces if sheet.width(text, each) <= wide - 6), faces[-1])
        sheet.text(x + i * (wide + 4) + wide / 2, y + CELL_HEIGHT / 2, text, face, PANEL if dark else INK, "mm")


def colour_of(value: float, peak: float) -> tuple[int, int, int]:
    """Hue is the sign of a gradient, strength its size, as on the page."""
    if not math.isfinite(value):
        return (29, 35, 48)
    if value == 0 or peak == 0:
        return ZERO_SOLID
    strength = 0.3 + 0.7 * min(1.0, abs(value) / peak)
    end = POSITIVE if value > 0 else NEGATIVE
    red, green, blue = (round(a + (b - a) * strength) for a, b in zip(ZERO, end, strict=True))
    return red, green, blue


def short(value: float) -> str:
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else "∞" if value > 0 else "−∞"
    return f"{value:.3g}".replace("-", "−").replace("e+0", "e").replace("e−0", "e−")


def written(value: Numbers | None) -> list[str]:
    """The numbers of a value where all are shown, and its shape, which takes less room."""
    if value is None:
        return [""]
    all_of_it = [] if value.more or not value.shown else [" ".join(map(short, value.shown))]
    return [*all_of_it, str(value.shape)]
