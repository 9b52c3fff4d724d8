"""The jobs a worker does with the engine. Everything here runs in a worker process."""

from __future__ import annotations

import gzip
import hashlib
import importlib
import json
import pkgutil
import platform
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import ml_dtypes
import numpy as np
import scipy

import engine
from app.workers.encoding import compress, compress_value, encode, pack, unpack
from app.workers.wire import MAX_PARTS, Frame
from engine import program
from engine.codegen.deferred import compile_all
from engine.limits import TABLE, LimitExceeded, Limits
from engine.program import imports

LIBRARIES = ("numpy", "pyfakefs", "scipy._lib", "scipy.fft", "scipy.linalg", "scipy.special")
WITH_LIBRARIES = (*imports.EXTRA, "scipy", "joblib", "threadpoolctl", "dateutil")
"""Packages of which a program that imports a library may import something late."""

# Small, but with everything in it that is imported or compiled on first use.
WARM_UP = """\
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.manual_seed(0)
w = torch.randn(20, 20, requires_grad=True)
x = torch.tensor([2.0, 3.0], requires_grad=True)
for y in (x + 1, 1 + x, x - 1, 1 - x, x * 2, 2 * x, x / 2, 1 / x, -x, x ** 2, x ** 3, 2 ** x,
          x + x, x - x, x * x, x / x):
    y.sum().backward()
for f in (torch.sin, torch.cos, torch.exp, torch.log, torch.sqrt, torch.sigmoid, torch.tanh, torch.relu, torch.abs):
    f(x).mean().backward()
for y in (x[0], x.view(2, 1), x.reshape(1, 2), x.unsqueeze(0), x.clone(), x.max(), x.norm(), torch.stack([x, x]),
          torch.cat([x, x]), torch.softmax(x, 0), torch.where(x > 0, x, 0.0), w.t() @ w,
          (w @ w).transpose(0, 1), x @ x):
    y.sum().backward()
model = nn.Sequential(nn.Linear(20, 3), nn.ReLU(), nn.Linear(3, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(2):
    optimizer.zero_grad()
    loss = F.mse_loss(model(w), torch.zeros(20, 1))
    loss.backward()
    optimizer.step()
loss = torch.tanh(w @ w).sum()
loss.backward()
print("\\N{NABLA}", loss, f"{w.grad.norm():.3f}", x.grad)
loss.backward()
"""
COMMON = json.dumps(
    {
        "code": """\
import torch
a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor([3.0, 1.0])
def f(x):
    return (x * b).sum() + x
for step in range(2):
    loss = f(a)
    loss.backward()
    print(step, loss, a.grad)
"""
    }
).encode()
WARM_FIELDS = {"id": "", "passing_id": "", "seed": 0, "values_bytes": 0, "result_bytes": 1 << 20, "cpu_seconds": 60}
LATE_IMPORTS = ("linecache", "tokenize", "tracemalloc", "unicodedata", "numpy.fft", "numpy.linalg", "numpy.random")
NOT_ALONE = ("engine.figures.",)
"""What imports libraries that need not be installed: `figures.preload` does, where they are."""


def describe() -> dict[str, Any]:
    """The engine's version, a hash of its source and its limits, numpy's version, and which libraries are installed.

    Imports and compiles all of the engine and does one job of each kind, so that every worker starts warm and finds
    everything in memory that it could not read from disk any more.
    """
    for name in [*LATE_IMPORTS, *(module.name for module in pkgutil.walk_packages(engine.__path__, "engine."))]:
        if not name.endswith("__main__") and not name.startswith(NOT_ALONE):
            importlib.import_module(name)
    compile_all()
    request = {"request": json.dumps({"code": WARM_UP}).encode()}
    first = run({**WARM_FIELDS, "values_bytes": 1 << 20}, request)
    for name, part in first.parts.items():
        if name.startswith("value:"):
            format_value({}, {"value": part})
    export_dot({}, first.parts)
    export_mermaid({}, first.parts)
    warm()
    limits = {row.name: {"value": row.default, "unit": row.unit, "help": row.help} for row in TABLE}
    source = fingerprint(Path(*engine.__path__))
    libraries = imports.installed()
    return {
        "engine": engine.__version__,
        "source": source,
        "numpy": np.__version__,
        "machine": [*machine(), *sorted(libraries.items())],
        "libraries": sorted({*libraries, "scipy"}) if libraries else [],
        "limits": limits,
    }


def machine() -> list[str]:
    """What else a result depends on: Python, scipy, ml_dtypes, and the instructions numpy found here."""
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    return [platform.python_version(), scipy.__version__, ml_dtypes.__version__, platform.machine(), *found]


def warm(last: bool = False) -> None:
    """The program that most people start with."""
    framed(execute(WARM_FIELDS, {"request": COMMON}, last=last), WARM_FIELDS).encode()


def prepare() -> None:
    """Make what a program finds around it, which takes longer than to run a small one."""
    ours = [each for name, each in sys.modules.items() if name.partition(".")[0] in ("__main__", "app")]
    program.prepare(outside=ours)


def leave() -> None:
    """Undo `prepare`."""
    program.leave()


def fingerprint(package: Path) -> str:
    """A hash of all files of a package: another engine may answer otherwise, whatever its version says."""
    digest = hashlib.sha256()
    for path in sorted(path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
        digest.update(f"{path.relative_to(package)}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def load_libraries() -> tuple[str, ...]:
    """Import what is installed of the libraries that programs import."""
    imports.preload()
    return WITH_LIBRARIES


class OutOfTime(Exception):
    """A run that is repeated takes more processor time than it did."""


def handle(
    kind: str, fields: Mapping[str, Any], parts: Mapping[str, bytes], answer: Callable[[Frame], NoReturn]
) -> Frame:
    """Do one job; `kind` is a key of `JOBS`."""
    try:
        return run(fields, parts, answer) if kind == "run" else JOBS[kind](fields, parts)
    except engine.GraphError as error:
        errors = [{"pointer": f"/graph{error.pointer}", "detail": shorten(error.detail)}]
        return Frame({"problem": "invalid-input", "detail": "The graph cannot be run.", "errors": errors})
    except OutOfTime:
        return Frame({"problem": "run-time-limit", "detail": "The run could not be repeated in its processor time."})
    except LimitExceeded as error:
        return Frame({"problem": "program-too-large", "detail": shorten(str(error)), "limit": error.allowed})


def shorten(text: str) -> str:
    """`text` without what a client could have put into it to make it long."""
    return text if len(text) <= 300 else f"{text[:299]}…"


def run(
    fields: Mapping[str, Any], parts: Mapping[str, bytes], answer: Callable[[Frame], NoReturn] | None = None
) -> Frame:
    """Run the program of the part `request`; the reply carries `document` and the large values as `value:v7`.

    Values are sent until they add up to `values_bytes`; the job `value` computes any of them again. A document that is
    `passing` has an id of its own, `passing_id`: the program's stands for what it always gives. `answer` is given where
    this is the last thing that the process does.
    """
    stuck = None if answer is None else lambda found: answer(framed(found, fields))
    return framed(execute(fields, parts, last=answer is not None, stuck=stuck), fields)


def framed(result: engine.Run, fields: Mapping[str, Any]) -> Frame:
    """A run as a reply."""
    document = result.document
    compressed = compress(result.json(encode, id=fields["passing_id" if result.passing else "id"]))
    if len(compressed) > fields["result_bytes"]:
        return Frame(
            {
                "problem": "result-too-large",
                "detail": f"The compressed run document has {len(compressed)} bytes.",
                "limit": fields["result_bytes"],
            }
        )
    answer = {"document": compressed}
    room = fields["values_bytes"]
    for name, array in result.values.items():
        room -= array.nbytes
        if room < 0 or len(answer) == MAX_PARTS:
            break
        answer[f"value:{name}"] = pack(array, document["values"][name]["dtype"])
    header = {"status": document["status"]}
    return Frame({**header, "passing": True} if result.passing else header, answer)


def execute(fields: Mapping[str, Any], parts: Mapping[str, bytes], **options: Any) -> engine.Run:
    request = json.loads(parts["request"])
    code, graph = request.get("code"), request.get("graph")
    check = [fields["leaf"]] if "leaf" in fields else request.get("check", ())
    limits = Limits(cpu_seconds=fields["cpu_seconds"])
    return engine.run(code=code, graph=graph, limits=limits, seed=fields["seed"], check=check, timed=True, **options)


def repeat(fields: Mapping[str, Any], parts: Mapping[str, bytes]) -> engine.Run:
    """The run again, as it was. Raises OutOfTime when it did not come as far in its processor time."""
    result = execute(fields, parts)
    if result.passing:
        raise OutOfTime
    return result


def recompute_value(fields: Mapping[str, Any], parts: Mapping[str, bytes]) -> Frame:
    """One large value (`name`) of a run whose stored values left it out: the run is repeated."""
    result = repeat(fields, parts)
    array = result.values.get(fields["name"])
    if array is None:
        return Frame({"problem": "unknown-value", "detail": "The run has no large value of this name."})
    return Frame({}, {"body": compress_value(array, result.document["values"][fields["name"]]["dtype"])})


def check_gradient(fields: Mapping[str, Any], parts: Mapping[str, bytes]) -> Frame:
    """The gradient of one leaf (`leaf`) of a run beside central differences: the run is repeated."""
    entry = repeat(fields, parts).document["checks"][0]
    if entry["tensor"] is None:
        return Frame({"problem": "unknown-check", "detail": entry["reason"]["text"]})
    return Frame({}, {"body": compress(encode(entry))})


def format_value(fields: Mapping[str, Any], parts: Mapping[str, bytes]) -> Frame:
    """A stored large value as the JSON clients get."""
    return Frame({}, {"body": compress_value(*unpack(parts["value"]))})


def export_dot(fields: Mapping[str, Any], parts: Mapping[str, bytes]) -> Frame:
    """The run's graph in Graphviz' language."""
    return _exported(engine.to_dot, parts)


def export_mermaid(fields: Mapping[str, Any], parts: Mapping[str, bytes]) -> Frame:
    """The run's graph in Mermaid's language."""
    return _exported(engine.to_mermaid, parts)


def _exported(write: Callable[[dict[str, Any]], str], parts: Mapping[str, bytes]) -> Frame:
    """A document as text. Halves of surrogate pairs, of which a name may be made, cannot be written: a ? each."""
    text = write(json.loads(gzip.decompress(parts["document"])))
    return Frame({}, {"body": compress(text.encode(errors="replace"))})


def list_ops(fields: Mapping[str, Any], parts: Mapping[str, bytes]) -> Frame:
    """Every op of the engine with its formulas."""
    return Frame({}, {"body": compress(encode({"ops": engine.ops_catalogue()}))})


JOBS: dict[str, Callable[[Mapping[str, Any], Mapping[str, bytes]], Frame]] = {
    "value": recompute_value,
    "check": check_gradient,
    "format": format_value,
    "graph.dot": export_dot,
    "graph.mmd": export_mermaid,
    "ops": list_ops,
}
