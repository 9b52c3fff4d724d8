"""The process in which the code blocks of one page run, one after the other in one namespace.

It is started as a file, reads what to do as JSON on its standard input, and writes a recording into a folder for each
block as soon as it has run: `{"document": …, "at": …, "error": …, "printed": …}`.
"""

from __future__ import annotations

import ast
import importlib
import json
import linecache
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

ENGINE = "engine"
"""What records where there is no PyTorch: the engine of the distribution backlight-service."""


def main() -> None:
    """Run the blocks that standard input names."""
    given = json.loads(sys.stdin.buffer.read())
    sys.path[:] = given["path"]
    folder = Path(given["folder"])
    made = _on_engine(given) if given["with"] == ENGINE else _on_torch(given)
    for number, recording in enumerate(made):
        part = folder / f"{number}.part"
        part.write_text(json.dumps(recording), "utf-8", "backslashreplace")
        part.rename(folder / f"{number}.json")


def _on_torch(given: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Recordings of blocks that run on PyTorch: each is what its block did, in the namespace that the last one left."""
    run_of = importlib.import_module("backlight.run").Run
    torch = importlib.import_module("torch")
    module = sys.modules["__main__"] = ModuleType("__main__")  # where pickle looks for the program's classes
    torch.manual_seed(given["seed"])
    for number, code in enumerate(given["blocks"], 1):
        name = f"{given['name']}, block {number}"
        linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
        run = run_of()
        run.begin(name)
        _show_optimizers(run, code, module.__dict__)
        error: BaseException | None = None
        try:
            exec(compile(code, name, "exec"), module.__dict__)
        except BaseException as raised:
            error = raised
        names = {key: value for key, value in module.__dict__.items() if not key.startswith("__")}
        run.end(error, names, every=False)
        if run.document["events"]:
            _begin_with_gradients(run.document)
        yield _told(run.document, 0, [] if error is None else [kind.__name__ for kind in type(error).__mro__])


def _show_optimizers(run: Any, code: str, names: dict[str, Any]) -> None:
    """Have a recording notice what optimizers do that its block names: their tensors are of earlier blocks."""
    torch = importlib.import_module("torch")
    for word in set(re.findall(r"\w+", code)):
        if isinstance(names.get(word), torch.optim.Optimizer):
            for group in names[word].param_groups:
                for tensor in group["params"]:
                    run._recorder.recording.tensor(tensor)


def _begin_with_gradients(document: dict[str, Any]) -> None:
    """Have a document begin with what earlier blocks left in `.grad`."""
    left = {tensor["id"]: tensor["grad"] for tensor in document["tensors"] if tensor["is_leaf"]}
    for event in reversed(document["events"]):
        if event["kind"] in ("grad", "accumulate") and event["tensor"] in left:
            left[event["tensor"]] = event["before"]
    changes = [
        {"kind": "grad", "tensor": tensor, "before": None, "after": value, "by": "unrecorded", "line": None}
        for tensor, value in left.items()
        if value is not None
    ]
    document["events"][:0] = changes
    for finding in document.get("findings", ()):
        finding["evidence"]["events"] = [event + len(changes) for event in finding["evidence"]["events"]]


def _on_engine(given: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Recordings of blocks that run on the engine: each is the page's program up to its block, to begin where that
    does. Of a block that failed, what follows has the statements before the one that did."""
    run = importlib.import_module("engine").run
    ran: list[str] = []
    before = 0
    printed = ""
    for code in given["blocks"]:
        program = "\n".join(f"# %% In [{n}]\n{each.rstrip()}\n" for n, each in enumerate([*ran, code], 1))
        first = program.rstrip().count("\n") - code.rstrip().count("\n") + 1
        document = run(code=program, seed=given["seed"]).document
        error = document["error"]
        events = document["events"]
        begun = (i for i, event in enumerate(events) if (event.get("line") or 0) >= first)  # or sooner, in a function
        at = min(before, next(begun, len(events)))
        before = sum(event["kind"] != "error" for event in events)
        recording = _told(document, at, [] if error is None else [error["type"]])
        recording["printed"] = document["stdout"].removeprefix(printed)
        yield recording
        if error is None:
            printed = document["stdout"]
            ran.append(code)
        else:
            lines = [frame["line"] for frame in error["traceback"] if frame["function"] == "<module>"]
            ran.append(_before(code, (lines or [error["line"] or first])[0] - first + 1))
            printed = printed if not ran[-1] else document["stdout"]


def _before(code: str, line: int) -> str:
    """The statements of a block before the one that a line is in; none where it is no Python."""
    try:
        starts = [statement.lineno for statement in ast.parse(code).body if statement.lineno <= line]
    except SyntaxError:
        return ""
    return "".join(code.splitlines(keepends=True)[: starts[-1] - 1]) if starts else ""


def _told(document: dict[str, Any], at: int, error: list[str]) -> dict[str, Any]:
    """A recording without the folders of this machine. `error`: the names of the classes of what was raised."""
    here = os.getcwd()
    for file in document.get("files", ()):
        name = file["name"]
        if os.path.isabs(name):
            inside = os.path.relpath(name, here)
            file["name"] = os.path.basename(name) if inside.startswith("..") else inside
    return {"document": document, "at": at, "error": error, "printed": document["stdout"]}


if __name__ == "__main__":
    main()
