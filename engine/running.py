"""One run, from a program or a JSON graph to its document."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine import __version__, graph, memory, settings
from engine.core.state import state
from engine.deadline import Deadline, deadline, last_words
from engine.document import keeping, rows
from engine.document.limits import MESSAGE, TEXT, WARNINGS, shorten
from engine.errors.explained import Expression, explain, slips
from engine.findings import findings
from engine.gradcheck import checks
from engine.kernels import random
from engine.limits import Limits, Turns
from engine.program import Beside, Outcome, execute, notebook, pasted
from engine.syntax import trees
from engine.tape import own_tape
from engine.trace import Builder, Recorder
from engine.trace.sizes import encoded, written

DOCUMENT_VERSION = 1
_running = threading.Lock()

_ATTEMPTS = 4
"""How often a document that came out too large is made again of less."""


@dataclass
class Run:
    """A finished run. `document`: docs/trace.md without its id; `values`: arrays too large to be inline, by id.

    A `passing` one might have come further on a faster machine, or with more memory of the system's. `written` is a
    large document as JSON, which was measured, without its `checks` and `findings`; `json` is the whole of any.
    """

    document: dict[str, Any]
    values: dict[str, Any] = field(default_factory=dict)
    passing: bool = False
    written: bytes | None = None

    def json(self, encode: Callable[[Any], bytes], **first: Any) -> bytes:
        """The document as JSON with other fields before its own; `encode` writes what is not `written` yet."""
        if self.written is None:
            return encode({**first, **self.document})
        added = {name: self.document[name] for name in ("checks", "findings") if name in self.document}
        parts = [encode(first)[1:-1], self.written[1:-1], encode(added)[1:-1]]
        return b"{%b}" % b",".join([part for part in parts if part])


def run(
    *,
    code: str | None = None,
    graph: dict[str, Any] | None = None,  # noqa: A002 - the name of the request's field
    limits: Limits | None = None,
    seed: int | None = None,
    last: bool = False,
    check: Sequence[str] = (),
    timed: bool = False,
    stuck: Callable[[Run], None] | None = None,
) -> Run:
    """Run a program (`code`) or a JSON graph (`graph`) and describe what happened.

    `check` names leaves whose gradients are held beside central differences (`checks` in the document).

    A program that raises still gives its document up to there. `seed` stands for what PyTorch takes from the operating
    system when a program does not call `manual_seed`. Raises `engine.graph.GraphError` for a graph that is not one, and
    `engine.limits.LimitExceeded` for input too large to look at, and RuntimeError while another run is under way in
    this process. The document depends on nothing but these arguments in processes that were started with
    `PYTHONHASHSEED=0`, which decides in which order sets of strings lie, and with one thread for BLAS. What the caller
    has set in `engine.torch` is left as it was, unless this is the `last` thing the process does with the engine: then
    nothing is put aside, which takes a third of the memory that a small run touches. A `timed` run, which only the main
    thread can make, has the processor time that `limits` names. `stuck` gets what there is of a timed run whose program
    does not come back from a call in C; it is called from within that, where no way leads on, and must not return.

    Python itself runs the program, in this process and with all that this process may do: a stranger's belongs into one
    that may be lost, behind locks, as `app.workers` has them.
    """
    if (code is None) == (graph is None):
        raise ValueError("give either code or graph")
    limits = limits or Limits()
    source: dict[str, Any] = {}
    if code is not None:
        code = code.removeprefix("\ufeff")  # a mark of the file, as Python has it
        cells = pasted.from_file(code)
        code = code if cells is None else cells.code
        source = {"kind": "code", "code": code, **({} if cells is None else {"changes": cells.changes})}
    if graph is not None:
        code = _graph_program(graph)
        source = {"kind": "graph", "code": code, "graph": graph}
    assert code is not None
    if not _running.acquire(blocking=False):
        raise RuntimeError("engine.run is running in this process: it runs one program at a time")
    try:
        with (
            deadline(limits.cpu_seconds) if timed else nullcontext() as clock,
            last_words(limits.cpu_seconds) if timed and stuck else nullcontext(),
            memory.young(),
            nullcontext() if last else settings.aside(),
        ):
            made = _run(code, source, limits, seed, check, clock, stuck)
            error = made.document["error"]
            made.passing = clock is not None and (clock.met or error is not None and error["type"] == "MemoryError")
            return made
    finally:
        _running.release()


def _run(
    code: str,
    source: dict[str, Any],
    limits: Limits,
    seed: int | None,
    check: Sequence[str],
    clock: Deadline | None,
    stuck: Callable[[Run], None] | None,
) -> Run:
    recorder = Recorder(limits)

    def told(outcome: Outcome) -> None:
        recorder.finish(failed=True)
        run, _ = _document(outcome, source, recorder, limits)
        run.passing = True
        assert stuck is not None
        stuck(run)

    outcome = _watched(code, recorder, limits, seed, told if stuck else None)
    affordable = 2 * outcome.fuel_used <= limits.fuel
    if recorder.skipped_the_end and seed is not None and affordable and (clock is None or clock.leaves_half()):
        # Once more, to see how it ends: a loop was left before its last turn, by an error.
        recorder = Recorder(limits, recorder.turns - 1)
        outcome = _watched(code, recorder, limits, seed)
    own = None
    if affordable:
        own = own_tape(
            code,
            recorder.calls,
            outcome,
            lambda other, beside: _watched(code, other, limits, seed, beside=beside),
            lambda: Recorder(limits),
            lambda: clock is None or clock.leaves_half(),
        )
    if own is not None:
        outcome, recorder, recorder.tape = own
    recorder.finish(failed=outcome.error is not None)
    with np.errstate(all="ignore"):
        run, builder = _document(outcome, source, recorder, limits)
        if check:
            named = run.document["globals"]
            run.document["checks"] = checks(
                check, recorder, builder, named, lambda other: _again(code, other, limits, seed), limits
            )
        found = findings(run.document)
        if found:
            run.document["findings"] = found
        return run


def _again(code: str, recorder: Recorder, limits: Limits, seed: int | None) -> None:
    outcome = _watched(code, recorder, limits, seed)
    recorder.finish(failed=outcome.error is not None)


def _watched(
    code: str,
    recorder: Recorder | None,
    limits: Limits,
    seed: int | None,
    stuck: Callable[[Outcome], None] | None = None,
    beside: Beside | None = None,
) -> Outcome:
    _fresh(seed)
    state.watch(recorder)
    try:
        return execute(code, limits=limits, recorder=recorder, seed=seed, stuck=stuck, beside=beside)
    finally:
        state.watch(None)


def _document(outcome: Outcome, source: dict[str, Any], recorder: Recorder, limits: Limits) -> tuple[Run, Builder]:
    """The document, made of less when it is larger than it may be."""
    whole = limits.document_bytes
    beside = recorder.figure_bytes + recorder.training.bytes()
    room = max(0.96 * whole - recorder.records.weight - beside, 0.05 * whole)
    for attempt in range(_ATTEMPTS):
        variables = outcome.globals if recorder.tape is None else recorder.tape.variables(outcome.globals)
        builder = Builder(recorder, variables, room)
        document, text = _assembled(outcome, source, recorder, builder), None
        if recorder.records.weight + beside + room - builder.room.left < whole / 2:
            break  # the estimate cannot be that wrong
        text = written(document)
        size = encoded(document) if text is None else len(text)
        if size <= whole or attempt == _ATTEMPTS - 1:
            break
        share = 0.9 * whole / size if attempt < _ATTEMPTS - 2 else 0.0
        recorder.shrink(share)
        room *= share
    return Run(document, builder.values.large, written=text), builder


def _assembled(outcome: Outcome, source: dict[str, Any], recorder: Recorder, builder: Builder) -> dict[str, Any]:
    parts = builder.build()
    warned = outcome.warnings[:WARNINGS]
    document = {
        "version": DOCUMENT_VERSION,
        "engine": __version__,
        "status": "ok" if outcome.error is None else "error",
        "source": source,
        "stdout": outcome.stdout,
        "warnings": [
            {"category": shorten(w.category), "message": shorten(w.message, TEXT), "line": w.line} for w in warned
        ],
        "error": None if outcome.error is None else _error(outcome.error, builder, source.get("code", "")),
        **parts,
        "limits": {
            "fuel_used": outcome.fuel_used,
            "ops": len(recorder.records.ops),
            "truncated": recorder.truncated or outcome.truncated or (None if builder.room.whole else "document_bytes"),
            **builder.recorded(),
        },
        "numpy": np.__version__,
    }
    keeping.tell_freed(document)
    return document | trees(document)


def _fresh(seed: int | None) -> None:
    """The engine as a new interpreter would find it."""
    settings.fresh()
    if seed is not None:
        random.seed_entropy(seed)
        random.default_generator.seed()


def _graph_program(description: dict[str, Any]) -> str:
    return graph.program(description)


def _error(error: Any, builder: Builder, code: str) -> rows.Error:
    """The error as the document has it: PyTorch's words, ours, and where to point."""
    message = shorten(error.message, MESSAGE)
    raised = Expression(code, error.line, error.column, error.end_line, error.end_column)
    told = explain(error.type, message, error.owners, raised)
    tensors: list[str] = []
    nodes: list[str] = []
    lines: list[int] = []
    cells = notebook.marks(code)
    culprit = state.culprit
    if culprit is not None and culprit.message == error.message:
        tensors, nodes, lines = builder.point_at(culprit)
    if error.turns is not None and error.turns.ended and error.turns.line != error.line:
        lines = [error.turns.line]
    meant = pasted.meant(code, error.type, message)
    described: rows.Error = {
        "type": shorten(error.type),
        "message": message,
        "line": error.line,
        "column": error.column,
        "end_line": error.end_line,
        "end_column": error.end_column,
        "traceback": [_frame(frame.line, frame.function, cells) for frame in error.traceback],
        "explanation": error.hint or (None if told is None else told.explanation),
        "fix": _fix(error, None if told is None else told.fix),
        "suggestion": error.suggestion,
        "tensors": tensors,
        "nodes": nodes,
        "related_lines": lines,
    }
    if meant is not None:
        described["program"] = {"code": meant.code, "changes": meant.changes}
    return described


def _fix(error: Any, told: str | None) -> str | None:
    if error.suggestion is not None:
        return slips.fix(error.suggestion)
    if error.turns is not None and error.turns.ended:
        return _fewer(error.turns)
    return None if error.hint else told


def _fewer(turns: Turns) -> str:
    """What to do about a loop that did not come to its end."""
    ended = f"{turns.ended:,}" if turns.of is None else f"{turns.ended:,} of its {turns.of:,}"
    plural = "" if (turns.of or turns.ended) == 1 else "s"
    check = "check that its condition becomes false, or " if turns.loop == "while" else ""
    return (
        f"The loop `{turns.loop}` had made {ended} turn{plural}: {check}let it end sooner, or do less in each turn. A"
        " few show the same picture."
    )


def _frame(line: int, function: str, cells: list[tuple[int, int]]) -> rows.Frame:
    frame: rows.Frame = {"line": line, "function": shorten(function)}
    place = notebook.place_in_cell(cells, line)
    if place is not None:
        frame["cell"] = {"number": place[0], "line": place[1]}
    return frame
