"""What of a model's calls is shown: boxes, frames around those that a module holds, and what goes from box to box."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import torch
from torch.nn.parameter import is_lazy

from .calls import Call, Shape

DEEPEST = 20
_ROOM = 26
"""Boxes that there is room for where no depth is given."""
_RUN = 3
"""Parts alike in a row that are shown as one; of modules that hold modules, two."""
_LONGEST = 8
"""A pattern of so many parts may repeat: Linear, Tanh, Linear, Tanh …"""


class Box:
    """One box. `calls`: those that it stands for; `lines`: what is written below name and type; `around`: whether
    something in it goes around modules; `frames`: numbers of those that it stands in, from outside in."""

    def __init__(self, calls: list[Call], frames: tuple[int, ...], times: int = 1) -> None:
        first = calls[0]
        self.calls, self.frames, self.kind = calls, frames, first.kind
        self.name, self.type = _title(calls, times) if first.kind == "module" else (first.name, "")
        self.lines = [*_attributes(first.module), *first.held[:3]]
        self.around = first.kind == "module" and _goes_around(first)
        size = 0 if first.module is None else count(first.module)
        self.parameters = f"{size:,} parameters{' each' if times > 1 else ''}" if size else ""


class Frame(NamedTuple):
    """A module that is open."""

    name: str
    type: str


class Link(NamedTuple):
    """What goes from one box to another, by their places."""

    source: int
    target: int
    shape: Shape


class Level(NamedTuple):
    """All that is shown."""

    boxes: list[Box]
    frames: list[Frame]
    links: list[Link]


def level_of(root: Call, depth: int | None) -> Level:
    """What is shown of a model: as deep as is said, or as there is room for."""
    _prune(root)
    _close(root)
    if depth is not None:
        return _Level(root, depth).level()
    best = _Level(root, 1)
    for deeper in range(2, DEEPEST + 1):
        level = _Level(root, deeper)
        if len(level.boxes) > _ROOM or len(level.boxes) == len(best.boxes) and level.frames == best.frames:
            break
        best = level
    return best.level()


class _Level:
    def __init__(self, root: Call, depth: int) -> None:
        self.boxes: list[Box] = []
        self.frames: list[Frame] = []
        self.depth = depth
        self._open([root], 1, ())

    def level(self) -> Level:
        place = {id(call): i for i, box in enumerate(self.boxes) for call in box.calls}
        links: dict[tuple[int, int], list[Shape]] = {}
        for i, box in enumerate(self.boxes):
            for call in box.calls:
                for inner in [call, *call]:
                    for use in inner.uses:
                        source = _place(place, use.maker)
                        if source is not None and source < i:  # what a repeated part gives to itself is its "×12"
                            links.setdefault((source, i), []).append(use.shape)
        return Level(self.boxes, self.frames, [Link(*ends, _shapes(all)) for ends, all in sorted(links.items())])

    def _open(self, members: list[Call], level: int, frames: tuple[int, ...]) -> None:
        """Show what is inside of calls that are alike."""
        columns = [list(column) for column in zip(*[member.children for member in members], strict=False)]
        for columns_of_piece, times in _pieces(columns):
            inside = frames
            if len(columns_of_piece) > 1 and times > 1:
                kinds = list(dict.fromkeys(column[0].type or column[0].name for column in columns_of_piece))
                every = sorted(_numbers([call for column in columns_of_piece for call in column]))
                label = f"{every[0]}…{every[-1]}" if every else ""
                self.frames.append(Frame(label, f"({', '.join(kinds)}) ×{times}"))
                inside = (*frames, len(self.frames) - 1)
            for column in columns_of_piece:
                alone = times if inside is frames else 1
                if level < self.depth and _opens(column[0]):
                    self.frames.append(Frame(*_title(column, alone)))
                    self._open(column, level + 1, (*inside, len(self.frames) - 1))
                else:
                    self.boxes.append(Box(column, inside, alone))


def _numbers(calls: Sequence[Call]) -> list[int]:
    found = [re.search(r"\d+$", call.name) for call in calls]
    return [int(match[0]) for match in found if match is not None]


def _place(places: dict[int, int], call: Call | None) -> int | None:
    """The box that a call is in."""
    while call is not None:
        if id(call) in places:
            return places[id(call)]
        call = call.parent
    return None


def _opens(call: Call) -> bool:
    """Whether there is something to show inside of a module."""
    return call.kind == "module" and any(child.kind == "module" for child in call.children) and not _is_whole(call)


def _is_whole(call: Call) -> bool:
    """Whether a module is one of PyTorch's, known by its name and not by what it calls."""
    return isinstance(call.module, torch.nn.MultiheadAttention)


def _prune(root: Call) -> None:
    """Leave out functions on whose results no output depends."""
    outputs = [call for call in root.children if call.kind == "output"]
    if not outputs:
        return
    needed: set[int] = set()
    waiting = list(outputs)
    while waiting:
        call = waiting.pop()
        if id(call) not in needed:
            needed.add(id(call))
            waiting += [use.maker for use in call.uses]
    for call in [root, *root]:
        call.children = [child for child in call.children if child.kind != "op" or id(child) in needed]


def _close(root: Call) -> None:
    """One of PyTorch's modules that calls no other is a box, where it is the model itself, too."""
    if any(child.kind == "module" for child in root.children) or not type(root.module).__module__.startswith("torch."):
        return
    inside = [child for child in root.children if child.kind == "op"]
    if inside:
        box = Call("module", "", root.type, None, root.module)
        box.parent, box.children = root, inside
        for op in inside:
            op.parent = box
        at = root.children.index(inside[0])
        root.children = [*root.children[:at], box, *(call for call in root.children[at:] if call.kind != "op")]


def _pieces(columns: list[list[Call]]) -> Iterator[tuple[list[list[Call]], int]]:
    """Parts in their order, alike ones in a row as one with how often: each a list of the calls that it stands for."""
    looks = [_looks(column[0]) for column in columns]
    at = 0
    while at < len(columns):
        best, best_period = 1, 1
        for period in range(1, min(_LONGEST, (len(columns) - at) // 2) + 1):
            end = at + period
            while end < len(columns) and looks[end] == looks[end - period]:
                end += 1
            times = (end - at) // period
            least = 2 if any(_opens(column[0]) for column in columns[at : at + period]) else _RUN
            modules = any(column[0].kind == "module" for column in columns[at : at + period])
            if modules and times >= least and times * period > best * best_period:
                best, best_period = times, period
        pattern = [[*columns[at + i]] for i in range(best_period)]
        for k in range(1, best):
            for i, column in enumerate(pattern):
                column += columns[at + k * best_period + i]
        yield pattern, best
        at += best * best_period


def _looks(call: Call) -> tuple[Any, ...]:
    """What parts have in common that are alike."""
    inner = tuple(_looks(child) for child in call.children)
    if call.kind != "module":
        return (call.kind, call.name, tuple(call.held), tuple(call.made))
    sizes = tuple(tuple(p.shape) for p in call.module.parameters(recurse=False) if hasattr(p, "shape"))
    return (call.type, tuple(_attributes(call.module)), sizes, inner)


def _title(calls: list[Call], times: int) -> tuple[str, str]:
    """Name and type of a module, or of several alike ones: `h.0…11`, `Block ×12`."""
    first, last = calls[0], calls[-1]
    name = _own(first)
    if times > 1:
        one, other = re.match(r"^(.*?)(\d+)$", name), re.match(r"^(.*?)(\d+)$", _own(last))
        if one and other and one[1] == other[1]:
            name = f"{name}…{other[2]}"
        return name, f"{first.type} ×{times}"
    return name, first.type


def _own(call: Call) -> str:
    """What a module is called where it stands: not by numbers alone, and without what its frame says."""
    parts = call.name.split(".")
    first = len(parts) - 1
    while first and parts[first].isdigit():
        first -= 1
    return ".".join(parts[first:])


def _shapes(shapes: list[Shape]) -> Shape:
    """The shapes of what goes one way."""
    different = list(dict.fromkeys(shapes))
    return different[0] if len(different) == 1 else f"{different[0]}, +{len(different) - 1}"


def _goes_around(call: Call) -> bool:
    """Whether something goes around modules inside of a module, and meets again what went through them."""
    pieces = {id(child): i for i, child in enumerate(call.children)}
    modules = [i for i, child in enumerate(call.children) if child.kind == "module"]
    for i, child in enumerate(call.children):
        sources = set()
        for inner in [child, *child]:
            for use in inner.uses:
                place = _place(pieces, use.maker)
                sources.add(-1 if place is None else place)
        sources -= {i}
        if len(sources) > 1 and any(min(sources) < module < i and module in sources | {i - 1} for module in modules):
            return True
    return any(_goes_around(child) for child in call.children if child.kind == "module" and not _is_whole(call))


def count(module: torch.nn.Module) -> int:
    """How many numbers the parameters of a module are, each once; those that no input has shaped yet are none."""
    return sum(parameter.numel() for parameter in module.parameters() if not is_lazy(parameter))


# Attributes

_PART = re.compile(r"(?:[^,(\[]|\([^)]*\)|\[[^\]]*\])+")
_NUMBER = re.compile(r"\((\d+(?:, \d+)*),?\)")
_MANY = 5


def _attributes(module: Any) -> list[str]:
    """What a module says of itself, in PyTorch's names, without what is by default so: `kernel_size=3×3`."""
    if module is None or any(True for _ in module.children()):
        return []
    try:
        told = [part.strip() for part in _PART.findall(module.extra_repr())]
        expected = {
            name: parameter.default
            for name, parameter in inspect.signature(type(module).__init__).parameters.items()
            if name != "self"
        }
    except (TypeError, ValueError, AttributeError, RuntimeError):
        return []
    told = [_NUMBER.sub(lambda found: found[1].replace(", ", "×"), part) for part in told]
    first = [part.partition("=")[2] if part.startswith(("in_", "out_")) else part for part in told]
    first = first[: next((i for i, part in enumerate(first) if not part.isdigit()), len(first))]
    onward = isinstance(module, torch.nn.RNNBase) or next(iter(expected), "").startswith(("in_", "input_"))
    lines = [(" → " if onward and len(first) == 2 else ", ").join(first)] if first else []
    lines += [part for part in told[len(first) :] if not _is_expected(part, expected)]
    return lines if len(lines) <= _MANY else [*lines[: _MANY - 1], "…"]


def _is_expected(part: str, expected: dict[str, Any]) -> bool:
    """Whether an attribute is what it is unless it is said; how much is dropped out is always told."""
    name, equals, value = part.partition("=")
    if not equals or name == "p":
        return False
    default = repr(expected.get(name))
    return value == default or name == "inplace" or set(value.split("×")) == {default}
