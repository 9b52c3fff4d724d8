"""Where the parts of a model's picture stand: boxes from left to right in rows, arcs over them, frames around them."""

from __future__ import annotations

from typing import NamedTuple

from .boxes import Box, Frame, Level
from .drawing import Drawing
from .marks import Line, Mark, Rect, Text

# All in pixels. Width of a letter in names, in types and attributes, and in shapes.
_NAME, _TYPE, _SHAPE = 7.9, 6.5, 6.7
_PAD = 10
_LEAST, _MOST = 56, 230
_LINE = {"name": 18, "type": 15, "line": 14, "parameters": 14}
"""Heights of lines of text in a box."""
_LANE = 20
"""From one lane of arcs to the next: a shape stands in between."""
_MARGIN = 26
_FRAME = 9
"""Between a frame and what is in it; below, there is room for its name."""
_LABEL = 17
_BETWEEN = 34
"""Between rows, for the way from the end of one to the beginning of the next."""
_HEAD = 30


class _Placed:
    """A box with its place."""

    def __init__(self, box: Box) -> None:
        self.box = box
        texts = [(box.name, _NAME), (box.type, _TYPE), (box.parameters, _TYPE), *((line, _TYPE) for line in box.lines)]
        self.w = min(_MOST, max(_LEAST, max(len(text) * letter for text, letter in texts) + 2 * _PAD))
        lines = [("name", box.name), ("type", box.type), ("parameters", box.parameters)]
        self.h = 14 + sum(_LINE[kind] for kind, text in lines if text) + len(box.lines) * _LINE["line"]
        if box.kind != "module":
            self.w += 8 if box.lines else 0
            self.h = max(32, self.h - 2)
        self.x = self.y = 0.0
        self.row = 0

    @property
    def middle(self) -> float:
        return self.y + self.h / 2


class _Lane(NamedTuple):
    """A part of an arc over one row, from x to x."""

    start: float
    end: float
    link: int


def place(level: Level, width: int, title: str) -> Drawing:
    """The picture of a level, as wide as it needs, and at most `width`, in pixels."""
    return _Picture(level, width, title).draw()


class _Picture:
    def __init__(self, level: Level, width: int, title: str) -> None:
        self.level, self.title = level, title
        self.boxes = [_Placed(box) for box in level.boxes]
        self.inner = max(240.0, width - 2 * _MARGIN)
        next_to = {(link.source, link.target): link for link in level.links}
        self.after = [next_to.get((i, i + 1)) for i in range(len(self.boxes))]
        self.far = [link for link in level.links if link.target > link.source + 1]
        self.rows: list[list[int]] = []
        self.lanes: list[dict[int, int]] = []
        self.marks: list[Mark] = []

    def draw(self) -> Drawing:
        self._rows()
        self._lanes()
        bottom = self._down()
        width = max((p.x + p.w for p in self.boxes), default=0.0) + _MARGIN
        self._sides()
        self.right = max((p.x + p.w + _FRAME * len(p.box.frames) for p in self.boxes), default=0.0) + 20
        self._frames()
        self._ribbons()
        self._arcs()
        for placed in self.boxes:
            self._box(placed)
        width = max(width, self.right + 8 * (max(self.sides.values(), default=-1) + 1) + 6)
        width = max(width, len(self.title) * 8 + 2 * _MARGIN if self.title else 0)
        if self.title:
            self.marks.append(Text(_MARGIN, 22, self.title, "title", "start"))
        return Drawing(self.marks, round(width), round(bottom + _MARGIN / 2))

    # Places

    def _gap(self, i: int) -> float:
        """The room behind a box: for the shape of what goes on, and for the sides of frames."""
        link = self.after[i]
        here = self.level.boxes[i].frames
        there = self.level.boxes[i + 1].frames if i + 1 < len(self.boxes) else ()
        common = sum(a == b for a, b in zip(here, there, strict=False))
        sides = (len(here) - common) + (len(there) - common)
        return max(26.0, 0.0 if link is None else len(link.shape) * _SHAPE + 16) + sides * _FRAME

    def _rows(self) -> None:
        """As many boxes into each row as fit."""
        x, row = 0.0, list[int]()
        for i, placed in enumerate(self.boxes):
            begins = len(placed.box.frames) * _FRAME
            if row and (
                x + placed.w + begins > self.inner or x + self._frame_from(i) > self.inner >= self._frame_from(i)
            ):
                self.rows.append(row)
                x, row = 0.0, []
            if not row:
                x = begins
            placed.x, placed.row = _MARGIN + x, len(self.rows)
            row.append(i)
            x += placed.w + self._gap(i)
        if row:
            self.rows.append(row)

    def _frame_from(self, i: int) -> float:
        """The width of the outermost frame that begins with a box; 0 where none does."""
        here, before = self.level.boxes[i].frames, self.level.boxes[i - 1].frames if i else ()
        begun = [number for number in here if number not in before]
        inside = [k for k, box in enumerate(self.level.boxes) if begun and begun[0] in box.frames]
        return (
            sum(self.boxes[k].w for k in inside)
            + sum(self._gap(k) for k in inside[:-1])
            + len(here) * _FRAME * bool(begun)
        )

    def _lanes(self) -> None:
        """Arcs over each other have lanes of their own, the widest the farthest."""
        parts: list[list[_Lane]] = [[] for _ in self.rows]
        for number, link in enumerate(self.far):
            a, b = self.boxes[link.source], self.boxes[link.target]
            if a.row == b.row:
                parts[a.row].append(_Lane(a.x + a.w / 2, b.x + b.w / 2, number))
            else:
                parts[a.row].append(_Lane(a.x + a.w / 2, 1e9, number))
                parts[b.row].append(_Lane(b.x + b.w / 2, 1e9, number))
        for row in parts:
            lanes: dict[int, int] = {}
            done: list[_Lane] = []
            for part in sorted(row, key=lambda part: part.end - part.start):
                over = [lanes[p.link] for p in done if p.start < part.end and part.start < p.end and p.link in lanes]
                lanes[part.link] = max(over, default=-1) + 1
                done.append(part)
            self.lanes.append(lanes)

    def _sides(self) -> None:
        """Arcs to other rows that pass the same row have places of their own beside it."""
        self.sides: dict[int, int] = {}
        spans = {i: (self.boxes[link.source].row, self.boxes[link.target].row) for i, link in enumerate(self.far)}
        for number, (start, end) in sorted(spans.items(), key=lambda item: item[1][1] - item[1][0]):
            if start == end:
                continue
            taken = {self.sides[i] for i in self.sides if spans[i][0] <= end and start <= spans[i][1]}
            self.sides[number] = next(i for i in range(len(taken) + 1) if i not in taken)

    def _down(self) -> float:
        """From the top down: lanes, frames, boxes, names of frames; returns where the last row ends."""
        y = float(_HEAD if self.title else 8)
        for number, row in enumerate(self.rows):
            deep = max(len(self.level.boxes[i].frames) for i in row)
            lanes = max(self.lanes[number].values(), default=-1) + 1
            small = 12 if any(self.level.boxes[i].around for i in row) else 0
            tall = max(self.boxes[i].h for i in row)
            y += lanes * _LANE + (14 if lanes else small) + deep * _FRAME
            for i in row:
                self.boxes[i].y = y + (tall - self.boxes[i].h) / 2
            y += tall + deep * (_FRAME + _LABEL) + (_BETWEEN if number + 1 < len(self.rows) else 0)
        return y

    def _edges(self, row: int) -> tuple[float, float]:
        """The top and the bottom of the boxes of a row."""
        return (
            min(self.boxes[i].y for i in self.rows[row]),
            max(self.boxes[i].y + self.boxes[i].h for i in self.rows[row]),
        )

    # Marks

    def _frames(self) -> None:
        """Frames, the outer ones first; of one that goes on in the next row, a part in each, the widest named."""
        for number, frame in enumerate(self.level.frames):
            parts = [self._part(number, row) for row in range(len(self.rows))]
            there = [part for part in parts if part is not None]
            self.marks += there
            widest = max(there, key=lambda part: part.w)
            self._label(frame, widest.x + 9, widest.y + widest.h - 6, widest.w - 14)

    def _part(self, number: int, row: int) -> Rect | None:
        """The part of a frame that is in a row."""
        inside = [i for i in self.rows[row] if number in self.level.boxes[i].frames]
        if not inside:
            return None
        chains = [self.level.boxes[i].frames for i in inside]
        at = chains[0].index(number)
        below = max(len(chain) - 1 - at for chain in chains)
        first, last = self.boxes[inside[0]], self.boxes[inside[-1]]
        left = first.x - _FRAME * (len(chains[0]) - at)
        right = last.x + last.w + _FRAME * (len(chains[-1]) - at)
        top, bottom = self._edges(row)
        y = top - _FRAME * (below + 1) + 2
        return Rect(left, y, right - left, bottom + below * (_FRAME + _LABEL) + _LABEL + 3 - y, 9, "frame")

    def _label(self, frame: Frame, x: float, y: float, room: float) -> None:
        name = _cut(frame.name, room, _NAME)
        self.marks.append(Text(x, y, name, "framed", "start"))
        after = len(name) * _NAME + 8
        kind = _cut(frame.type, room - after, _TYPE)
        if kind:
            self.marks.append(Text(x + after, y, kind, "kind", "start"))

    def _ribbons(self) -> None:
        """From each box to the next, with the shape of what goes on."""
        for i, link in enumerate(self.after):
            if link is None:
                continue
            a, b = self.boxes[i], self.boxes[i + 1]
            y = a.middle
            if a.row == b.row:
                self.marks.append(Line([("M", a.x + a.w, y), ("L", b.x - 1, b.middle)], "way", arrow=True))
                self.marks.append(Text((a.x + a.w + b.x) / 2, y - 5, link.shape, "shape", "middle"))
                continue
            between = self._between(a.row)
            right, left = a.x + a.w + 10 + _FRAME * len(a.box.frames), b.x - 12 - _FRAME * len(b.box.frames)
            self.marks.append(
                Line(
                    [
                        ("M", a.x + a.w, y),
                        ("L", right - 6, y),
                        ("Q", right, y, right, y + 6),
                        ("L", right, between - 6),
                        ("Q", right, between, right - 6, between),
                        ("L", left + 6, between),
                        ("Q", left, between, left, between + 6),
                        ("L", left, b.middle - 6),
                        ("Q", left, b.middle, left + 6, b.middle),
                        ("L", b.x - 1, b.middle),
                    ],
                    "way",
                    arrow=True,
                )
            )
            self.marks.append(Text(left + 14, between - 5, link.shape, "shape", "start"))

    def _between(self, row: int) -> float:
        """The height at which the way to the next row goes back."""
        deep = max(len(self.level.boxes[i].frames) for i in self.rows[row])
        return self._edges(row)[1] + deep * (_FRAME + _LABEL) + 20

    def _arcs(self) -> None:
        """What goes past other boxes, over them; to another row, around its right end."""
        leaving: dict[int, int] = {}
        for number, link in enumerate(self.far):
            a, b = self.boxes[link.source], self.boxes[link.target]
            out = leaving[link.source] = leaving.get(link.source, 0) + 1
            start, end = a.x + a.w * min(0.9, 0.5 + 0.14 * out), b.x + b.w * 0.35
            top = self._lane(a.row, number)
            if a.row == b.row:
                self.marks.append(_over(start, a.y, end, b.y, top))
            else:
                x, down = self.right + 8 * self.sides[number], self._lane(b.row, number)
                self.marks.append(
                    Line(
                        [
                            *_up(start, a.y, top),
                            ("L", x - 6, top),
                            ("Q", x, top, x, top + 6),
                            ("L", x, down - 6),
                            ("Q", x, down, x - 6, down),
                            ("L", end + 8, down),
                            ("Q", end, down, end, down + 8),
                            ("L", end, b.y - 1),
                        ],
                        "around",
                        arrow=True,
                    )
                )
            self.marks.append(Text(start + 12, top - 4, link.shape, "shape", "start"))

    def _lane(self, row: int, link: int) -> float:
        deep = max(len(self.level.boxes[i].frames) for i in self.rows[row])
        return self._edges(row)[0] - deep * _FRAME - 12 - self.lanes[row][link] * _LANE

    def _box(self, placed: _Placed) -> None:
        box, x = placed.box, placed.x
        if box.around:
            a, b = x + placed.w * 0.2, x + placed.w * 0.8
            y = placed.y
            self.marks.append(Line([("M", a, y), ("C", a, y - 15, b, y - 15, b, y)], "around"))
        self.marks.append(Rect(x, placed.y, placed.w, placed.h, 8 if box.kind == "module" else 15, box.kind))
        middle, room = x + placed.w / 2, placed.w - _PAD
        if box.kind != "module" and not box.lines:
            self.marks.append(Text(middle, placed.middle + 5, _cut(box.name, room, _NAME), "name", "middle"))
            return
        y = placed.y + 7.0
        rows = [(box.name, "name"), (box.type, "type")]
        rows += [(line, "line") for line in box.lines] + [(box.parameters, "parameters")]
        for text, kind in rows:
            if text:
                y += _LINE[kind]
                self.marks.append(
                    Text(middle, y - 4, _cut(text, room, _NAME if kind == "name" else _TYPE), kind, "middle")
                )


def _up(x: float, y: float, top: float) -> list[tuple[str | float, ...]]:
    """Out of a box, to a lane and to the right."""
    return [("M", x, y), ("L", x, top + 8), ("Q", x, top, x + 8, top)]


def _over(start: float, y: float, end: float, to: float, top: float) -> Line:
    """An arc over boxes of a row."""
    path = [*_up(start, y, top), ("L", end - 8, top), ("Q", end, top, end, top + 8), ("L", end, to - 1)]
    return Line(path, "around", arrow=True)


def _cut(text: str, room: float, letter: float) -> str:
    """A text that fits, or its beginning."""
    most = int(room / letter)
    return text if len(text) <= most else f"{text[: most - 1]}…" if most > 2 else ""
