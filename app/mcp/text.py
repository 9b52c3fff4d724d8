"""A run document as text: what the page says of a run, for who reads instead of looking."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine.document.cuts import CUTS

Row = dict[str, Any]

CHARACTERS = 24_000
"""Of one answer. Passes give way first."""
ELEMENTS = 24
"""Of a tensor, whose numbers are written out."""
TENSORS = 60
TEXT = 4_000
"""Characters of what a program printed."""


class Told:
    """A document, and its things by their ids."""

    def __init__(self, document: Row) -> None:
        self.document = document
        self.tensors: dict[str, Row] = {row["id"]: row for row in document["tensors"]}
        self.nodes: dict[str, Row] = {row["id"]: row for row in document["nodes"]}
        self.made: dict[tuple[str, int], Row] = {
            (row["grad_fn"], row["output_nr"]): row for row in document["tensors"] if row["grad_fn"] is not None
        }
        self.lines: list[str] = (document["source"].get("code") or "").splitlines()

    # Words

    def value(self, name: str | None) -> str:
        """The numbers of a value; of a large one what is known of them."""
        if name is None:
            return "None"
        value = self.document["values"][name]
        count = 1
        for size in value["shape"]:
            count *= size
        if value["data"] is not None and count <= ELEMENTS:
            return numbers(value["data"])
        text = f"{count:,} elements of shape {tuple(value['shape'])}"
        known = value.get("stats") or (None if value["data"] is None else _summary(value["data"]))
        if known:
            told = (
                f"{key} {numbers(number)}" for key, number in known.items() if isinstance(number, int | float | str)
            )
            text += f" ({', '.join(told)})"
        return text

    def name(self, tensor: str) -> str:
        """What the program calls a tensor, else what made it."""
        row = self.tensors[tensor]
        return str(row["name"] or f"the result of line {row['line']}" if row["line"] else row["name"] or tensor)

    def node(self, node: str) -> str:
        """A node by its class, with the leaf that it is of or what the program calls its result."""
        row = self.nodes[node]
        if row["variable"] is not None:
            return f"{row['name']} of {self.name(row['variable'])}"
        made = self.made.get((node, 0))
        named = f" of {made['name']}" if made and made["name"] else ""
        return f"{row['name']}{named}" + (f" (line {row['line']})" if row["line"] else "")

    def line(self, number: int | None) -> str:
        """A line of the program with its text."""
        if not number:
            return ""
        text = self.lines[number - 1].strip() if number <= len(self.lines) else ""
        return f"line {number}" + (f": `{text}`" if text else "")

    def tensor(self, row: Row) -> str:
        """One tensor: where it comes from, its value, its gradient or why it has none."""
        kind = "leaf" if row["is_leaf"] else self.nodes[row["grad_fn"]]["name"] if row["grad_fn"] else "no grad_fn"
        grad = "requires grad" if row["requires_grad"] else "doesn't require grad"
        shape = f"shape {tuple(row['shape'])}, {row['dtype']}"
        text = f"{self.name(row['id'])} ({self.line(row['line']) or 'no line'}; {kind}, {grad}, {shape})"
        text += f" = {self.value(row['final'] or row['value'])}"
        if row["grad"] is not None:
            text += f"; .grad = {self.value(row['grad'])}"
        elif row["is_leaf"] and row["requires_grad"]:
            text += "; .grad is None"
        why = row["why_no_grad"]
        if why and why["cut"] in CUTS and why["cut"] != "leaf_without_requires_grad":
            text += f"; {CUTS[why['cut']].short}" + (f" (line {why['line']})" if why.get("line") else "")
        if row["detached_from"]:
            text += f"; detached from {self.name(row['detached_from'])}"
        return text

    # Sections

    def head(self) -> Iterator[str]:
        limits = self.document["limits"]
        recorded = limits["recorded"]
        ended = "ended without an error" if self.document["status"] == "ok" else "raised an exception"
        counts = (recorded["ops"], "op"), (recorded["passes"], "backward pass"), (len(self.nodes), "node")
        yield f"The program {ended}: {', '.join(_counted(*count) for count in counts)}."
        if limits["truncated"]:
            skipped = limits.get("skipped") or {}
            left = ", ".join(f"{count} {what}" for what, count in skipped.items())
            yield f"The record was cut at its limit of {limits['truncated']}" + (
                f"; left out: {left}." if left else "."
            )

    def error(self) -> Iterator[str]:
        error = self.document["error"]
        if error is None:
            return
        yield "## Error"
        yield f"{error['type']}: {error['message']}"
        yield from (f"at {self.line(line)}" for line in (error["line"], *error["related_lines"]) if line)
        for frame in error["traceback"]:
            yield f"  line {frame['line']}, in {frame['function']}"
        for label, key in (("Why", "explanation"), ("What helps", "fix"), ("Meant, probably", "suggestion")):
            if error.get(key):
                yield f"{label}: {error[key]}"
        if error.get("program"):
            yield f"The program that was meant:\n{error['program']['code']}"
        yield from (self.tensor(self.tensors[tensor]) for tensor in error["tensors"] if tensor in self.tensors)

    def findings(self) -> Iterator[str]:
        found = self.document.get("findings", ())
        if not found:
            return
        yield "## Findings: what the run's own numbers show to be wrong"
        for row in found:
            yield f"- {row['severity']} {row['rule']}: {row['headline']}"
            yield from (f"  {self.line(line)}" for line in row["lines"] if not row.get("file"))
            yield f"  Why: {row['why']}"
            yield f"  What to do: {row['fix']['text']}"
            for edit in row["fix"].get("edits", ()):
                yield f"  Edit: line {edit['line']}, columns {edit['column']} to {edit['end_column']}: {edit['new']!r}"
            values = row["evidence"]["values"]
            if values:
                yield f"  Numbers: {', '.join(f'{name} {numbers(value)}' for name, value in values.items())}"

    def printed(self) -> Iterator[str]:
        if self.document["stdout"]:
            yield "## Printed"
            yield cut(self.document["stdout"].rstrip("\n"), TEXT)
        if self.document["warnings"]:
            yield "## Warnings"
            yield from (
                f"line {row['line']}: {row['category']}: {cut(row['message'], 600)}"
                for row in self.document["warnings"][:20]
            )

    def named(self) -> Iterator[str]:
        """Leaves that require grad first, then whatever else has a name."""
        rows = [row for row in self.document["tensors"] if row["name"] or (row["is_leaf"] and row["requires_grad"])]
        rows.sort(key=lambda row: not (row["is_leaf"] and row["requires_grad"]))
        if rows:
            yield "## Tensors"
        yield from (f"- {self.tensor(row)}" for row in rows[:TENSORS])
        if len(rows) > TENSORS:
            yield f"… and {len(rows) - TENSORS} more; `explain` tells one of them."

    def checks(self) -> Iterator[str]:
        rows = self.document.get("checks", ())
        if rows:
            yield "## Gradients beside central differences"
        for check in rows:
            text = f"- {check['asked']}: {check['status']}"
            if check["status"] != "unchecked":
                text += (
                    f", {len(check['elements'])} of {check['of']} elements, largest error {check['largest_error']:.2g}"
                )
            yield text + (f". {check['reason']['text']}" if check["reason"] else "")
            for row in check.get("elements", ()):
                if not row["agrees"]:
                    beside = f"central difference {numbers(row['numeric'])}"
                    yield f"  at {row['index']}: autograd {numbers(row['autograd'])}, {beside}"

    def training(self) -> Iterator[str]:
        for row in self.document.get("training", ()):
            loss = row["loss"]
            shown = loss if len(loss) <= 12 else [*loss[:6], "…", *loss[-6:]]
            yield f"## Training: {row['passes']} passes of {self.line(row['line'])}"
            yield f"loss: {', '.join(map(numbers, shown))}"
            for leaf in row["parameters"]:
                yield f"- {self.name(leaf['tensor'])}: norm of .grad {_ends(leaf['grad'])}"

    def passes(self, about: frozenset[str] | None = None) -> Iterator[str]:
        """Each backward pass, node by node in order. `about`: of these nodes alone."""
        number = count = 0
        for event in self.document["events"]:
            kind = event["kind"]
            if kind == "backward":
                number += 1
                count = 0
                roots = ", ".join(self.node(node) for node, _ in event["roots"])
                start = ", ".join(self.value(value) for value in event["gradients"])
                flags = "".join(f", {flag}=True" for flag in ("retain_graph", "create_graph") if event[flag])
                yield f"## Backward pass {number}, {self.line(event['line'])}"
                yield f"begins at {roots} with gradient {start}{flags}; reaches {len(event['reachable'])} nodes"
            elif kind == "node" and self._shown(event["node"], about):
                count += 1
                yield from self._ran(event, count)
            elif kind == "accumulate" and self._shown(event["node"], about):
                before, after = self.value(event["before"]), self.value(event["after"])
                came = self.value(event["incoming"])
                yield f"   {self.name(event['tensor'])}.grad: {before} + {came} = {after}"
            elif kind == "grad" and (about is None or self._leaf(event["tensor"]) in about):
                before, after = self.value(event["before"]), self.value(event["after"])
                yield f"{self.name(event['tensor'])}.grad changed by {event['by']}: {before} to {after}"
            elif kind == "hook" and about is None:
                before, after = (", ".join(map(self.value, event[side])) for side in ("before", "after"))
                yield f"   hook on {event['on']} {self._target(event['target'])}: {before} to {after}"
            elif kind == "gap" and event["passes"]:
                number += event["passes"]
                yield f"… {event['passes']} backward passes ran here that are not recorded."

    def _ran(self, event: Row, count: int) -> Iterator[str]:
        node = self.nodes[event["node"]]
        if node["variable"] is not None:
            yield f"{count}. {self.node(node['id'])} receives {', '.join(map(self.value, event['grad_outputs']))}"
            return
        yield f"{count}. {self.node(node['id'])}: g = {', '.join(map(self.value, event['grad_outputs']))}"
        rule = "; ".join(f"{name}: {formula['text']}" for name, formula in node["formula"].items())
        known = [f"{name} = {self.value(value)}" for name, value in node["saved"].items() if isinstance(value, str)]
        if rule:
            yield f"   rule: {rule}" + (f", where {', '.join(known)}" if known else "")
        own = dict.fromkeys(self.document.get("derivatives", {}).get(node["name"], {}).values())
        if own:
            yield f"   PyTorch: {'; '.join(own)}"
        if node["says"]:
            yield f"   {node['says']}"
        for sent in event["sends"]:
            text = f"   sends {self.value(sent['value'])} to {self.node(sent['to'])}"
            if sent["expected"] > 1:
                text += f", gradient {sent['arrived']} of {sent['expected']}, sum {self.value(sent['sum'])}"
            yield text

    def _shown(self, node: str, about: frozenset[str] | None) -> bool:
        return about is None or node in about

    def _leaf(self, tensor: str) -> str | None:
        return next((row["id"] for row in self.document["nodes"] if row["variable"] == tensor), None)

    def _target(self, target: str | None) -> str:
        if target in self.tensors:
            return self.name(str(target))
        return self.node(str(target)) if target in self.nodes else str(target)

    # One tensor

    def find(self, name: str) -> Row | None:
        """The tensor that a name means at the end, as `w`, `net.fc1.weight` or `t3`."""
        held = self.document["globals"].get(name)
        if held in self.tensors:
            return self.tensors[held]
        rows = (row for row in reversed(self.document["tensors"]) if name in (row["name"], row["path"], row["id"]))
        return next(rows, None)

    def leading(self, row: Row) -> frozenset[str]:
        """The nodes on the way from roots to a tensor, its own with them."""
        own = row["grad_fn"] if row["grad_fn"] is not None else self._leaf(row["id"])
        if own is None:
            return frozenset()
        callers: dict[str, list[str]] = {}
        for node in self.document["nodes"]:
            for edge in node["next_functions"]:
                if edge is not None:
                    callers.setdefault(edge[0], []).append(node["id"])
        found, left = {own}, [own]
        while left:
            for node in callers.get(left.pop(), ()):
                if node not in found:
                    found.add(node)
                    left.append(node)
        return frozenset(found)


def run(document: Row) -> str:
    """Everything: outcome, error, findings, output, checks, training, tensors with values and gradients, passes."""
    told = Told(document)
    return bounded(
        told.head(), told.error(), told.findings(), told.printed(), told.checks(), told.training(), told.named(),
        told.passes(),
    )  # fmt: skip


def explain(document: Row, name: str) -> str:
    """How the gradient of one tensor came about, or why there is none. Raises LookupError where none has the name."""
    told = Told(document)
    row = told.find(name)
    if row is None:
        names = sorted({row["name"] for row in document["tensors"] if row["name"]})
        raise LookupError(
            f"No tensor is called {name!r}. "
            + (f"There are {', '.join(names[:40])}." if names else "The program names no tensor.")
        )
    about = [found for found in document.get("findings", ()) if row["id"] in found["evidence"]["tensors"]]
    mine = Told({**document, "findings": about})
    way = told.leading(row)
    return bounded(
        told.head(), iter([f"- {told.tensor(row)}"]), told.error(), mine.findings(), told.checks(),
        told.passes(way) if way else iter(["No node of the graph leads to it: nothing computes a gradient for it."]),
    )  # fmt: skip


def compare(first: Row, second: Row) -> str:
    """What two runs have different: outcome, output, gradients and values by name, and the first step that differs."""
    runs = Told(first), Told(second)
    return bounded(*(part(*runs) for part in (_outcomes, _outputs, _steps, _names)))


def _outcomes(a: Told, b: Told) -> Iterator[str]:
    for label, told in (("first", a), ("second", b)):
        error = told.document["error"]
        raised = "" if error is None else f" {error['type']}: {cut(error['message'], 600)} ({told.line(error['line'])})"
        yield f"The {label}: {' '.join(told.head())}{raised}"
    rules = [{(row["rule"], row["headline"]) for row in told.document.get("findings", ())} for told in (a, b)]
    for label, found in (("first", rules[0] - rules[1]), ("second", rules[1] - rules[0])):
        yield from (f"Found in the {label} alone: {rule}: {headline}" for rule, headline in sorted(found))


def _outputs(a: Told, b: Told) -> Iterator[str]:
    printed = [told.document["stdout"].splitlines() for told in (a, b)]
    if printed[0] == printed[1]:
        yield "Both print the same."
        return
    at = next((n for n, (one, other) in enumerate(zip(*printed, strict=False)) if one != other), min(map(len, printed)))
    ends = [repr(cut(lines[at], 300)) if at < len(lines) else "nothing" for lines in printed]
    yield f"Output differs first in its line {at + 1}: {ends[0]} and {ends[1]}."


def _steps(a: Told, b: Told) -> Iterator[str]:
    """The first step of the passes that differs: the node that runs, or what it receives."""
    steps = [[event for event in told.document["events"] if event["kind"] in ("backward", "node")] for told in (a, b)]
    for number, pair in enumerate(zip(*steps, strict=False), 1):
        shown = [_step(told, event) for told, event in zip((a, b), pair, strict=True)]
        if shown[0] != shown[1]:
            yield f"Step {number} of the backward passes is the first that differs:"
            yield f"  first: {shown[0][0]} {_place(a, pair[0])}: {shown[0][1]}"
            yield f"  second: {shown[1][0]} {_place(b, pair[1])}: {shown[1][1]}"
            return
    if len(steps[0]) != len(steps[1]):
        yield f"The backward passes are alike for {min(map(len, steps))} steps; then only one of the runs goes on."
    else:
        yield (
            f"All {len(steps[0])} steps of the backward passes are the same."
            if steps[0]
            else "Neither runs backward()."
        )


def _step(told: Told, event: Row) -> tuple[str, str]:
    if event["kind"] == "backward":
        return "a pass begins", ", ".join(map(told.value, event["gradients"]))
    node = told.nodes[event["node"]]
    received = ", ".join(map(told.value, event["grad_outputs"]))
    sent = ", ".join(told.value(sent["value"]) for sent in event["sends"])
    return node["name"], f"receives {received}" + (f", sends {sent}" if sent else "")


def _place(told: Told, event: Row) -> str:
    line = event["line"] if event["kind"] == "backward" else told.nodes[event["node"]]["line"]
    return f"(line {line})" if line else ""


def _names(a: Told, b: Told) -> Iterator[str]:
    names = dict.fromkeys(row["name"] for told in (a, b) for row in told.document["tensors"] if row["name"])
    lines: list[str] = []
    for name in names:
        rows = a.find(name), b.find(name)
        if rows[0] is None or rows[1] is None:
            lines.append(f"- {name}: only in the {'first' if rows[1] is None else 'second'}")
            continue
        parts: tuple[tuple[str, Callable[[Row], str | None]], ...] = (
            ("", lambda row: row["final"] or row["value"]), (".grad", lambda row: row["grad"]),
        )  # fmt: skip
        for label, part in parts:
            one, other = a.value(part(rows[0])), b.value(part(rows[1]))
            if one != other:
                lines.append(f"- {name}{label}: {one} and {other}")
    yield "## What differs, by name" if lines else "Everything that has a name is the same in both."
    yield from lines


# Text


def bounded(*sections: Iterable[str]) -> str:
    """The lines of sections, up to the size of an answer; what is missing is said."""
    lines: list[str] = []
    room = CHARACTERS
    left = 0
    for line in (line for section in sections for line in section):
        if room < len(line):
            left += 1
            room = 0
        else:
            lines.append(line)
            room -= len(line) + 1
    if left:
        lines.append(f"… {left} more lines. `explain` with the name of a tensor tells how its gradient came about.")
    return legible("\n".join(lines))


def legible(text: str) -> str:
    """A text that can be sent: halves of surrogate pairs, which programs may print, are a ? each."""
    return text.encode("utf-8", "replace").decode("utf-8")


def cut(text: str, length: int) -> str:
    """A text with an ellipsis where it is longer."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


def numbers(value: Any) -> str:
    """Numbers of a document to six digits; texts as they are."""
    if isinstance(value, list):
        return f"[{', '.join(map(numbers, value))}]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("" if count == 1 else "es" if what.endswith("s") else "s")


def _ends(series: list[Any]) -> str:
    known = [value for value in series if value is not None]
    return "unknown" if not known else f"{numbers(known[0])} at first, {numbers(known[-1])} at last"


def _summary(data: Any) -> Row:
    """The least and the largest of inline numbers."""
    flat: list[Any] = []
    left = [data]
    while left:
        item = left.pop()
        if isinstance(item, list):
            left.extend(item)
        elif isinstance(item, int | float):
            flat.append(item)
    return {"min": min(flat), "max": max(flat)} if flat else {}
