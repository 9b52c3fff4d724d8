"""A run document indexed once, for all rules: who made a tensor, who used it, what each pass reached."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, chain
from typing import Any

import numpy as np

from .source import Source

Row = dict[str, Any]

CHAIN = frozenset({
    "view", "reshape", "_unsafe_view", "_reshape_alias", "squeeze", "unsqueeze", "flatten", "select", "slice", "t",
    "transpose", "permute", "contiguous", "clone", "to", "expand", "alias", "index", "unbind", "split", "chunk",
    "narrow",
})  # fmt: skip
"""Ops that only rearrange or pick numbers."""


@dataclass(slots=True, eq=False)
class Pass:
    """A backward pass: `begin` and `end` are times, `ops` how many ops came before it."""

    call: int
    begin: int
    end: int
    line: int | None
    ops: int
    event: Row
    reachable: frozenset[str]
    nodes: list[int] = field(default_factory=list)
    reached: dict[str, int] = field(default_factory=dict)
    """Leaves and the times of their `accumulate` events."""


@dataclass(slots=True, eq=False)
class Summary:
    """Statistics of a value, whatever its size."""

    size: int
    low: float
    high: float
    norm: float
    zeros: int
    nan: int
    inf: int

    @property
    def finite(self) -> bool:
        return not self.nan and not self.inf


SMALL = 64
"""Elements that are quicker to go through one by one than as an array."""


def _small_summary(row: Row) -> Summary | None:
    """Statistics of a value of few elements."""
    elements: Any = row["data"] if row["shape"] else [row["data"]]
    for _ in row["shape"][1:]:
        elements = chain.from_iterable(elements)
    try:
        numbers = [float(x) for x in elements]
    except (TypeError, ValueError):
        return None
    if not numbers:
        return None
    good = [x for x in numbers if math.isfinite(x)]
    nan = sum(x != x for x in numbers)
    low, high, norm = (min(good), max(good), math.hypot(*good)) if good else (math.nan, math.nan, math.nan)
    return Summary(len(numbers), low, high, norm, numbers.count(0), nan, len(numbers) - len(good) - nan)


class Facts:
    """A document as rules query it. Everything is derived from the document alone.

    ``shown``: what a line of the source is in words, where it is not that of its only file.
    """

    def __init__(self, document: Row, shown: Callable[[int], int] = int) -> None:
        self.document = document
        self.shown = shown
        self.tensors: dict[str, Row] = {t["id"]: t for t in document["tensors"]}
        self.nodes: dict[str, Row] = {n["id"]: n for n in document["nodes"]}
        self.ops: list[Row] = document["ops"]
        self.events: list[Row] = document["events"]
        self.scopes: dict[str, Row] = {s["id"]: s for s in document["scopes"]}
        self.values: dict[str, Row] = document["values"]
        self.optimizers: list[Row] = document.get("optimizers", [])
        self.exits: list[Row] = document.get("exits", [])
        self.error: Row | None = document["error"]
        self.source = Source(document["source"].get("code"))
        self.known: dict[str, Any] = {}
        self.number = {op["id"]: i for i, op in enumerate(self.ops)}
        self.makers: dict[str, list[int]] = {}
        self.users: dict[str, list[int]] = {}
        self.named: dict[str, list[int]] = {}
        for i, op in enumerate(self.ops):
            self.named.setdefault(op["name"], []).append(i)
            for out in op["outputs"]:
                self.makers.setdefault(out, []).append(i)
                base = self.tensors[out]["view_of"] if out in op["inputs"] else None
                if base is not None:
                    self.makers.setdefault(base, []).append(i)
            for given in op["inputs"]:
                self.users.setdefault(given, []).append(i)

    # Time

    @cached_property
    def passes(self) -> list[Pass]:
        found: dict[int, Pass] = {}
        ops = self.times("op")
        for i in self.times("backward"):
            event = self.events[i]
            reach = frozenset(event["reachable"])
            found[event["call"]] = Pass(
                event["call"], i, len(self.events), event.get("line"), bisect_left(ops, i), event, reach
            )
        for i in self.times("node"):
            if (p := found.get(self.events[i]["call"])) is not None:
                p.nodes.append(i)
        for i in self.times("accumulate"):
            if (p := found.get(self.events[i]["call"])) is not None:
                p.reached[self.events[i]["tensor"]] = i
        for i in self.times("backward_end"):
            if (p := found.get(self.events[i]["call"])) is not None:
                p.end = i
        return list(found.values())

    @cached_property
    def outer_passes(self) -> list[Pass]:
        """Passes that add to `.grad`: those of `backward`, not those of `autograd.grad`."""
        return [p for p in self.passes if p.event.get("inputs") is None or p.reached]

    @cached_property
    def by_line(self) -> dict[int | None, list[Pass]]:
        """The outer passes, by the line that begins them."""
        found: dict[int | None, list[Pass]] = {}
        for p in self.outer_passes:
            found.setdefault(p.line, []).append(p)
        return found

    @cached_property
    def reached(self) -> set[str]:
        """Leaves that got a gradient in some pass, recorded or not."""
        found = {t for p in self.passes for t in p.reached}
        for series in self.document.get("training", []):
            found.update(row["tensor"] for row in series["parameters"])
        return found

    @cached_property
    def gaps(self) -> bool:
        """Whether something of the run is missing."""
        return self.document["limits"].get("skipped") is not None

    @cached_property
    def _times(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for i, event in enumerate(self.events):
            found[event["kind"]].append(i)
        return found

    def times(self, kind: str) -> list[int]:
        """Times of the events of a kind."""
        return self._times.get(kind, [])

    @cached_property
    def writes(self) -> dict[str, list[int]]:
        """Times at which tensors were written, by tensor."""
        return self._by_tensor("write")

    @cached_property
    def grad_changes(self) -> dict[str, list[int]]:
        """Times at which `.grad` was changed by something else than a pass, in order, by tensor."""
        return self._by_tensor("grad")

    def _by_tensor(self, kind: str) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for i in self.times(kind):
            found.setdefault(self.events[i]["tensor"], []).append(i)
        return found

    def _around(self, scope: str | None) -> Iterator[Row]:
        """A scope and those that it is in, innermost first."""
        while scope is not None:
            row = self.scopes[scope]
            yield row
            scope = row["parent"]

    def iteration(self, scope: str | None) -> int | None:
        """The turn of the innermost loop that a scope is in."""
        return next((int(row["iteration"] or 0) for row in self._around(scope) if row["kind"] == "loop"), None)

    def loops(self, scope: str | None) -> list[Row]:
        """The turns that a scope is in, innermost first."""
        return [row for row in self._around(scope) if row["kind"] == "loop"]

    def without_grad(self, op: Row) -> bool:
        """Whether an op ran in a block that switches gradients off."""
        return any(row["kind"] in ("no_grad", "inference_mode") for row in self._around(op["scope"]))

    # Names

    @cached_property
    def known_names(self) -> dict[str, str]:
        """Names of tensors that were asked for so far."""
        return {}

    @cached_property
    def made_on(self) -> Counter[int | None]:
        """Number of leaves that require grad, by the line that made them."""
        return Counter(row["line"] for t, row in self.tensors.items() if self.leaf(t))

    def shape(self, tensor: str) -> str:
        sizes = self.tensors[tensor]["shape"]
        return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(map(str, sizes))})"

    @cached_property
    def bound(self) -> dict[str, str]:
        """The tensor that each name was bound to last."""
        return {(event := self.events[i])["name"]: event["tensor"] for i in self.times("bind")}

    @cached_property
    def parameters(self) -> dict[str, tuple[Row, str]]:
        """Parameters of modules that require grad: (the module's row, name in it)."""
        return {
            t: (module, name)
            for module in self.document["modules"]
            for name, t in module["parameters"].items()
            if self.tensors[t]["requires_grad"]
        }

    @cached_property
    def held(self) -> set[str]:
        """Tensors that an optimizer holds."""
        return {t for optimizer in self.optimizers for t in optimizer["tensors"]}

    @cached_property
    def stepping(self) -> list[Row]:
        """Optimizers that took a step."""
        return [o for o in self.optimizers if any(use["what"] == "step" for use in o["uses"])]

    # The graph

    def leaf(self, tensor: str) -> bool:
        """Whether gradients are to end up here; a view made under no_grad is none."""
        row = self.tensors[tensor]
        return bool(row["requires_grad"] and row["is_leaf"] and row["view_of"] is None)

    def op_of(self, node: str) -> Row | None:
        """The op that a node belongs to."""
        op = self.nodes[node]["op"]
        return None if op is None else self.ops[self.number[op]]

    def maker(self, tensor: str) -> Row | None:
        """The op that made a tensor."""
        found = self.makers.get(tensor)
        return self.ops[found[0]] if found and tensor not in self.ops[found[0]]["inputs"] else None

    def origin(self, tensor: str) -> tuple[str, Row | None]:
        """The origin of a tensor's numbers: the tensor and op before those that only rearrange."""
        for _ in range(20):
            made = self.maker(tensor)
            if made is None or made["name"] not in CHAIN or not made["inputs"]:
                return tensor, made
            tensor = made["inputs"][0]
        return tensor, None

    def root(self, p: Pass) -> str | None:
        """The tensor that a pass begins at."""
        roots = p.event["roots"]
        if len(roots) != 1 or roots[0] is None:
            return None
        node, number = roots[0]
        made = self.op_of(node)
        found: str | None = self.nodes[node]["variable"]
        return str(made["outputs"][number]) if made and number < len(made["outputs"]) else found

    @cached_property
    def losses(self) -> list[tuple[str, int, Pass]]:
        """(root, ops before the pass, pass) of some passes of each line: the first and the last ones."""
        groups = self.by_line.values()
        chosen = [p for group in groups for p in (group if len(group) < 6 else group[:3] + group[-2:])]
        chosen.sort(key=lambda p: p.begin)
        return [(root, p.ops, p) for p in chosen if (root := self.root(p)) is not None]

    def before(self, tensor: str, time: int) -> Row | None:
        """The last op before op number `time` that made or wrote a tensor."""
        made = self.makers.get(tensor, ())
        place = bisect_left(made, time)
        return self.ops[made[place - 1]] if place else None

    @cached_property
    def ran(self) -> dict[str, int]:
        """Times of ops by id."""
        return {self.events[i]["op"]: i for i in self.times("op")}

    @cached_property
    def latest(self) -> list[int]:
        """The highest number of a tensor when each op had run: they are numbered as they come."""
        return list(accumulate((max((int(out[1:]) for out in op["outputs"]), default=0) for op in self.ops), max))

    def made(self, op: Row) -> str | None:
        """The value of an op's first result when it had run: of one that writes in place, what it wrote."""
        out = op["outputs"][0]
        time = self.ran.get(op["id"]) if out in op["inputs"] else None
        if time is not None:
            for event in self.events[time + 1 :]:
                if event["kind"] != "write":
                    break
                if event["tensor"] == out:
                    return str(event["value"])
        return self.tensors[out]["value"]  # type: ignore[no-any-return]

    # Numbers

    def array(self, value: str | None) -> np.ndarray | None:
        """All numbers of a value; None where the document has only a summary."""
        row = None if value is None else self.values.get(value)
        if row is None or row["data"] is None:
            return None
        try:
            found = np.array(row["data"], dtype=np.float64)
        except (TypeError, ValueError):
            return None
        shape = tuple(row["shape"])
        return found if found.shape == shape else found.reshape(shape) if found.size == math.prod(shape) else None

    def numbers(self, value: str | None) -> list[float]:
        """All numbers of a value in a row, rounded to float32; none where the document has only a summary."""
        key = value or ""
        if key not in self._numbers:
            found = self.array(value)
            self._numbers[key] = [] if found is None else found.astype(np.float32).reshape(-1).tolist()
        return self._numbers[key]

    def plain(self, value: str | None) -> bool:
        """Whether these are numbers that anybody writes, of two decimals at most, or none at all."""
        key = value or ""
        if key not in self._plain:
            found = self.array(value)
            with np.errstate(all="ignore"):
                self._plain[key] = found is None or bool(
                    not np.isfinite(found).all() or (found == np.round(found, 2)).all()
                )
        return self._plain[key]

    @cached_property
    def _numbers(self) -> dict[str, list[float]]:
        return {}

    @cached_property
    def _plain(self) -> dict[str, bool]:
        return {}

    def summary(self, value: str | None) -> Summary | None:
        """Statistics of a value; None for what has no numbers to speak of."""
        if value is None:
            return None
        if value not in self._summaries:
            self._summaries[value] = self._summary(value)
        return self._summaries[value]

    @cached_property
    def _summaries(self) -> dict[str, Summary | None]:
        return {}

    def _summary(self, value: str) -> Summary | None:
        row = self.values.get(value)
        if row is None:
            return None
        if row["data"] is None:
            stats = row.get("stats")
            if stats is None or stats["min"] is None:
                return None
            low, high, norm = float(stats["min"]), float(stats["max"]), float(stats["norm"] or 0)
            return Summary(math.prod(row["shape"]), low, high, norm, stats["zeros"], stats["nan"], stats["inf"])
        if math.prod(row["shape"]) <= SMALL:
            return _small_summary(row)
        a = self.array(value)
        if a is None or not a.size:
            return None
        with np.errstate(all="ignore"):
            nan, inf = int(np.isnan(a).sum()), int(np.isinf(a).sum())
            good = a[np.isfinite(a)] if nan or inf else a
            low, high = (float(good.min()), float(good.max())) if good.size else (math.nan, math.nan)
            norm = float(np.linalg.norm(good)) if good.size else math.nan
        return Summary(a.size, low, high, norm, int((a == 0).sum()), nan, inf)

    def zero(self, value: str | None) -> bool:
        """Whether there is a value, and it is 0 everywhere."""
        found = self.summary(value)
        return found is not None and found.finite and found.low == found.high == 0
