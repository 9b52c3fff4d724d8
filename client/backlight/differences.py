"""What two documents say differently, in the order of the run: for who reads, as text and as data.

The page of a comparison finds the first of each kind itself (static/js/compare), at the steps that it stops at.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

Row = Mapping[str, Any]
Gap = tuple[int, int, int, int]

KINDS = ("program", "structure", "value", "gradient", "output")
"""The text, what runs, what forward computes, what backward computes, what is printed and raised."""

_LISTED = 12
"""Differences that are printed."""
_SHOWN = 4
"""Elements of a value that are written out."""
_WIDTH = 60
"""Characters of a line of a program or of its output."""
_SEARCHED = 4_000_000
"""Pairs of steps to look through for those that are the same."""


class Difference(NamedTuple):
    """One difference.

    `place`: the file and line in the later run, where it has one; `before` and `after`: what either run has there,
    empty where it has nothing; `by`: the largest difference of two elements, where both are known.
    """

    kind: str
    about: str
    place: str
    before: str
    after: str
    by: float | None = None


class _Step(NamedTuple):
    """An event: what it is in any run, where, the numbers that it made, each with its kind and what it is, and the
    arguments of an op."""

    key: tuple[str, ...]
    said: str
    place: str
    numbers: list[tuple[str, str, Row | None]]
    arguments: Mapping[str, Any] = {}


class _Told:
    """A document, and its things by their ids."""

    def __init__(self, document: Row) -> None:
        self.document = document
        self.tensors = {row["id"]: row for row in document["tensors"]}
        self.nodes = {row["id"]: row for row in document["nodes"]}
        self.ops = {row["id"]: row for row in document["ops"]}
        self.made = {(row["grad_fn"], row["output_nr"]): row for row in document["tensors"] if row["grad_fn"]}
        self._met: set[str] = set()

    def place(self, row: Row) -> str:
        """`model.py:12`, or `line 12` of the main file."""
        if not row.get("line"):
            return ""
        file = row.get("file")
        if not file:
            return f"line {row['line']}"
        return f"{os.path.basename(self.document['files'][file]['name'])}:{row['line']}"

    def name(self, tensor: str) -> str:
        row = self.tensors.get(tensor, {})
        return str(row.get("path") or row.get("name") or "")

    def value(self, ref: str | None) -> Row | None:
        return None if ref is None else self.document["values"].get(ref)

    def node(self, node: str) -> str:
        row = self.nodes[node]
        if row["variable"] is not None:
            return f"{row['name']} of {self.name(row['variable']) or 'a leaf'}"
        made = self.made.get((node, 0))
        return f"{row['name']} of {made['name']}" if made and made["name"] else str(row["name"])

    def steps(self) -> Iterator[_Step]:
        for event in self.document["events"]:
            step = self._step(event["kind"], event)
            if step is not None:
                yield step

    def _step(self, kind: str, event: Row) -> _Step | None:
        if kind == "op":
            op = self.ops[event["op"]]
            numbers = [*self._given(op), *self._computed(op)]
            return _Step((kind, op["name"]), op["name"], self.place(op), numbers, op["arguments"])
        if kind == "write":
            name = self.name(event["tensor"])
            numbers = [("value", name or "what is written in place", self.value(event["value"]))]
            return _Step((kind, name), f"a write to {name or 'a tensor'}", self.place(event), numbers)
        if kind == "backward":
            numbers = [("gradient", "the gradient that backward() is given", self.value(g)) for g in event["gradients"]]
            return _Step((kind,), "backward()", self.place(event), numbers)
        if kind == "node":
            row = self.nodes[event["node"]]
            if row["variable"] is not None:
                return None  # what it does is told as `accumulate`
            said = self.node(event["node"])
            sends = [("gradient", self._sent(said, sent), self.value(sent["value"])) for sent in event["sends"]]
            return _Step((kind, row["name"]), said, self.place(row), sends)
        if kind in ("accumulate", "grad"):
            name = self.name(event["tensor"])
            about = f"{name or 'a leaf'}.grad"
            made = "a change of" if kind == "grad" else "what adds to"
            numbers = [("gradient", about, self.value(event["after"]))]
            return _Step((kind, name), f"{made} {about}", self.place(event), numbers)
        return None

    def _given(self, op: Row) -> Iterator[tuple[str, str, Row | None]]:
        """What an op is given that nothing recorded has made: once."""
        for id in op["inputs"]:
            row = self.tensors.get(id)
            if row is not None and row["is_leaf"] and id not in self._met:
                self._met.add(id)
                yield "value", self.name(id) or f"what {op['name']} is given", self.value(row["value"])

    def _computed(self, op: Row) -> Iterator[tuple[str, str, Row | None]]:
        for id in op["outputs"]:
            row = self.tensors.get(id)
            if row is not None and id not in self._met:
                self._met.add(id)
                yield "value", self.name(id) or f"the result of {op['name']}", self.value(row["value"])

    def _sent(self, said: str, sent: Row) -> str:
        leaf = self.nodes[sent["to"]]["variable"]
        to = self.name(leaf) if leaf is not None else ""
        return f"what {said} sends" + (f" to {to}" if to else "")


def differences(before: Row, after: Row) -> list[Difference]:
    """What two documents say differently; empty where they are of the same run but for its identity and its time."""
    return [*_programs(before, after), *_steps(_Told(before), _Told(after)), *_outputs(before, after)]


def lines(found: Sequence[Difference]) -> Iterator[str]:
    """The first of them, one each a line, and how many more of which kind there are."""
    if not found:
        yield "Nothing differs: both runs do the same with the same numbers."
    for each in found[:_LISTED]:
        where = f"{each.place}: " if each.place else ""
        by = "" if each.by is None or math.isnan(each.by) else f", by {each.by:.3g}"
        ends = (end or "nothing" for end in (each.before, each.after))
        yield f"{each.kind:10}{where}{each.about + ': ' if each.about else ''}{' | '.join(ends)}{by}"
    left = Counter(each.kind for each in found[_LISTED:])
    if left:
        yield f"… and {left.total()} more: {', '.join(f'{kind} {left[kind]}' for kind in KINDS if left[kind])}"


def _programs(before: Row, after: Row) -> Iterator[Difference]:
    """Of the main file, line by line."""
    texts = [run["source"]["code"].splitlines() if run["source"].get("code") else None for run in (before, after)]
    if texts[0] is None or texts[1] is None:  # one was saved without it
        return
    for i, i_end, j, j_end in _gaps(texts[0], texts[1]):
        yield Difference("program", "", f"line {j + 1}", _first(texts[0][i:i_end]), _first(texts[1][j:j_end]))


def _first(found: Sequence[str]) -> str:
    """The first line that says something, and how many follow."""
    told = [line.strip() for line in found if line.strip()]
    return _cut(told[0]) + (f" and {len(told) - 1} more" if len(told) > 1 else "") if told else ""


def _steps(before: _Told, after: _Told) -> Iterator[Difference]:
    a, b = list(before.steps()), list(after.steps())
    last = 0, 0
    gaps = _gaps([step.key for step in a], [step.key for step in b])
    for i, i_end, j, j_end in (*gaps, (len(a), len(a), len(b), len(b))):
        for one, other in zip(a[last[0] : i], b[last[1] : j], strict=True):
            yield from _numbers(one, other)
        last = i_end, j_end
        if i < i_end or j < j_end:
            at = b[min(j, len(b) - 1)].place if b else ""
            yield Difference("structure", "", at, _several(a[i:i_end]), _several(b[j:j_end]))


def _several(steps: Sequence[_Step]) -> str:
    told = [step.said for step in steps]
    return ", ".join(told[:3]) + (f" and {len(told) - 3} more" if len(told) > 3 else "")


def _numbers(one: _Step, other: _Step) -> Iterator[Difference]:
    for name in dict.fromkeys([*one.arguments, *other.arguments]):
        x, y = (step.arguments.get(name) for step in (one, other))
        if x != y:
            yield Difference("structure", f"{name} of {other.said}", other.place, _cut(str(x)), _cut(str(y)))
    for (kind, _, before), (_, about, after) in zip(one.numbers, other.numbers, strict=False):
        if _said(before) != _said(after):
            yield Difference(kind, about, other.place, *_written(before, after), _by(before, after))


def _said(value: Row | None) -> tuple[Any, ...] | None:
    return None if value is None else tuple(value.get(key) for key in ("shape", "dtype", "data", "stats"))


def _written(x: Row | None, y: Row | None) -> tuple[str, str]:
    """Both, with as many digits as tell them apart."""
    for digits in (6, 9, 17):
        told = _text(x, digits), _text(y, digits)
        if told[0] != told[1]:
            return told
    return told[0], f"{told[1]}, with other numbers"


def _text(value: Row | None, digits: int) -> str:
    if value is None:
        return "None"
    elements = _elements(value)
    if elements is not None and len(elements) <= _SHOWN:
        told = ", ".join(_number(each, digits) for each in elements)
        return f"[{told}]" if value["shape"] else told
    norm = (value.get("stats") or {}).get("norm")
    if norm is None and elements is not None:
        norm = math.hypot(*map(abs, elements))
    kind = f"{value['dtype']}{list(value['shape'])}"
    return kind if norm is None else f"{kind} of norm {_number(norm, digits)}"


def _number(x: Any, digits: int) -> str:
    return str(x) if isinstance(x, (bool, int, str)) else f"{x:.{digits}g}"


def _elements(value: Row) -> list[Any] | None:
    """The numbers of a value, where it has them all."""
    if value["data"] is None:
        return None
    found = [value["data"]]
    for _ in value["shape"]:
        found = [each for row in found for each in row]
    if value["dtype"].startswith("complex"):
        return [complex(*map(float, each)) for each in found]
    return [float(each) if isinstance(each, str) else each for each in found]


def _by(x: Row | None, y: Row | None) -> float | None:
    """The largest difference of two elements; None where they are not all known, or no numbers."""
    if x is None or y is None or x["shape"] != y["shape"] or "bool" in (x["dtype"], y["dtype"]):
        return None
    before, after = _elements(x), _elements(y)
    if before is None or after is None:
        return None
    found = [abs(a - b) for a, b in zip(before, after, strict=True) if a != b]
    return math.nan if any(map(math.isnan, found)) else max(found, default=None)


def _outputs(before: Row, after: Row) -> Iterator[Difference]:
    printed = [run["stdout"].splitlines() for run in (before, after)]
    for i, i_end, j, j_end in _gaps(*printed):
        yield Difference(
            "output", f"printed line {j + 1}", "", _first(printed[0][i:i_end]), _first(printed[1][j:j_end])
        )
    errors = [run["error"] for run in (before, after)]
    told = ["" if error is None else _cut(f"{error['type']}: {error['message']}") for error in errors]
    if told[0] != told[1]:
        line = errors[1] and errors[1]["line"]
        yield Difference("output", "raised", f"line {line}" if line else "", told[0], told[1])


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"


def _gaps(a: Sequence[Any], b: Sequence[Any]) -> Iterator[Gap]:
    """Where two lists differ: from and to in either."""
    start, most = 0, min(len(a), len(b))
    while start < most and a[start] == b[start]:
        start += 1
    end = 0
    while end < most - start and a[-1 - end] == b[-1 - end]:
        end += 1
    x, y = a[start : len(a) - end], b[start : len(b) - end]
    if len(x) * len(y) > _SEARCHED:
        yield start, start + len(x), start, start + len(y)
        return
    for tag, i, i_end, j, j_end in SequenceMatcher(None, x, y, autojunk=False).get_opcodes():
        if tag != "equal":
            yield start + i, start + i_end, start + j, start + j_end
