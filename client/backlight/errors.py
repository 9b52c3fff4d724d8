"""The error of a program as the document has it: where it happened, why, and what it is about."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from .carried import explanation, meant
from .document.limits import MESSAGE, shorten
from .recorder.owners import HERE
from .recorder.positions import Place, at, text_of
from .recorder.recording import Recording
from .recorder.values import memory_of


def described(recording: Recording, error: BaseException) -> dict[str, Any]:
    """The error: where in the user's files it happened, and on which way."""
    places: list[tuple[Place, str]] = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if recording.positions.kind(code) == 0:
            place = recording.positions.instruction(code, trace.tb_lasti, trace.tb_lineno)
            places.append((place, code.co_name))
        trace = trace.tb_next
    where = places[-1][0] if places else None
    message = str(error)
    program = "" if where is None else text_of(recording.positions.files[where.file])
    why, fix = explanation(error, message, program, (None,) * 4 if where is None else where[1:])
    slip = _meant(error)
    row: dict[str, Any] = {
        "type": shorten(type(error).__name__),
        "message": shorten(message, MESSAGE),
        "line": None,
        "column": None if where is None else where.column,
        "end_line": None if where is None else where.end_line,
        "end_column": None if where is None else where.end_column,
        "traceback": [at({"function": shorten(function)}, place) for place, function in places],
        "explanation": why,
        "fix": fix if slip is None else slip[1],
        "suggestion": None if slip is None else slip[0],
        "tensors": [],
        "nodes": [],
        "related_lines": [],
    }
    return at(row, where)


def tidy(error: BaseException | None) -> None:
    """Leave the recorder's frames, which stand between the program and PyTorch, out of the tracebacks of an error and
    of those that it followed."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        trace = error.__traceback__
        while trace is not None:
            further = trace.tb_next
            while further is not None and further.tb_frame.f_code.co_filename.startswith(HERE):
                further = further.tb_next
            trace.tb_next, trace = further, further
        error = error.__cause__ or error.__context__


def _meant(error: BaseException) -> tuple[str, str] | None:
    """The name that was meant by one that is not there, and what to do."""
    if not isinstance(error, NameError | AttributeError) or type(error) not in (NameError, AttributeError):
        return None
    name, trace = error.name, error.__traceback__
    if type(name) is not str or trace is None:
        return None
    names: Iterable[object] = ()
    if isinstance(error, NameError):
        while trace.tb_next is not None:
            trace = trace.tb_next
        frame = trace.tb_frame
        names = {*frame.f_locals, *frame.f_globals, *frame.f_builtins}
    elif isinstance(error, AttributeError) and error.obj is not None:
        with suppress(Exception):  # a class may say itself what it has
            names = dir(error.obj)
    return meant(name, names)


def point_at_written(recording: Recording, error: dict[str, Any]) -> None:
    """Name the node that wanted a saved tensor which was written, that tensor, and the lines that wrote it."""
    said = error["message"].partition(" Hint")[0]
    if "modified by an inplace operation" in said:
        recording.nodes.ask_again()
    found = [id for id, (words, _) in recording.nodes.refused.items() if words.partition(" Hint")[0] == said]
    ops = [op for op in recording.ops if op.node in found]
    if not ops:
        return
    op = ops[-1]  # the last one made is the first one reached
    assert op.node is not None
    memory = memory_of(recording.nodes.refused[op.node][1])
    rows = [recording.tensors.by_name(id) for id in dict.fromkeys((*op.inputs, *op.outputs))]
    bases = dict.fromkeys(row.view_of for row in rows if row.view_of is not None)
    rows = [*[recording.tensors.by_name(id) for id in bases if id not in {row.id for row in rows}], *rows]
    tensors = [row.id for row in rows if row.tensor is not None and memory_of(row.tensor) == memory]
    began = next((i for i, e in enumerate(recording.events) if e["kind"] == "op" and e["op"] == f"o{op.number}"), 0)
    writes = [e for e in recording.events[began:] if e["kind"] == "write" and e["tensor"] in tensors]
    error["nodes"], error["tensors"] = [op.node], tensors
    error["related_lines"] = sorted({event["line"] for event in writes if event["line"] is not None})
