"""Record what PyTorch and CPython answer to the programs in tests/snippets. Needs torch 2.13 and CPython 3.11, whose
words the language of programs has; run from the repository root:

    python -m tests.record.programs [part of a name …]

Beside every `program.py` a `program.json` is written: what it printed and raised, its tensors at the end, and the runs
of the backward engine with their graph, their order and the gradients at each node. Every program runs twice, with
different seeds in place of the operating system's entropy, and must answer the same: programs seed what they draw.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import platform
import random
import re
import signal
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import torch
import torch._decomp.decompositions_for_jvp  # warns when it is first imported
import torch.autograd.functional
import torch.func
import torch.utils.checkpoint
import torch.utils.data

SNIPPETS = Path(__file__).parent.parent / "snippets"
FILENAME = "<program>"
SEEDS = (1, 2)
SECONDS = 120
VALUES = 200  # elements of a tensor up to which its values are kept
GRADIENTS = 64  # the same for the gradients at a node
PASSES, NODES = 6, 300  # backward passes and nodes after which further passes are only counted
MEMBERS = 20  # length up to which lists and dicts are looked into

Edge = tuple[Any, int]


def masked(text: str) -> str:
    """The text without addresses of objects."""
    return re.sub(r"\b0x[0-9a-fA-F]+", "0xADDR", text)


def number(value: Any, digits: int) -> Any:
    """A number as JSON has it: rounded to what its type can hold, the three that JSON lacks as words."""
    if isinstance(value, list):
        return [number(v, digits) for v in value]
    if isinstance(value, complex):
        return [number(value.real, digits), number(value.imag, digits)]
    if not isinstance(value, float):
        return value
    if not math.isfinite(value):
        return str(value)
    return float(f"{value:.{digits}g}")


def values(tensor: torch.Tensor, limit: int) -> Any:
    if tensor.numel() > limit:
        return None
    with torch.no_grad():
        return number(tensor.detach().to_dense().clone().tolist(), 17 if tensor.dtype is torch.float64 else 9)


def dtype(tensor: torch.Tensor) -> str:
    return str(tensor.dtype).removeprefix("torch.")


def name_of(node: Any) -> str:
    return node.name().split("::")[-1]


def describe(tensor: torch.Tensor) -> dict[str, Any]:
    """A tensor as the program left it."""
    grad = tensor.grad if tensor.is_leaf or tensor.retains_grad else None
    return {
        "shape": list(tensor.shape),
        "dtype": dtype(tensor),
        "requires_grad": tensor.requires_grad,
        "is_leaf": tensor.is_leaf,
        "grad_fn": None if tensor.grad_fn is None else name_of(tensor.grad_fn),
        "values": values(tensor, VALUES),
        "grad": None if grad is None else gradient(grad, VALUES) | {"dtype": dtype(grad)},
    }


def gradient(tensor: Any, limit: int = GRADIENTS) -> Any:
    if not isinstance(tensor, torch.Tensor):
        return None
    found: dict[str, Any] = {"shape": list(tensor.shape)}
    numbers = values(tensor, limit)
    return found | {"values": numbers} if numbers is not None or limit == VALUES else found


def named_tensors(namespace: dict[str, Any]) -> list[tuple[str, torch.Tensor]]:
    """Tensors by the name a reader of the program would give them: variables, parameters, members of containers."""
    found: list[tuple[str, Any]] = []
    for name, value in namespace.items():
        if name.startswith("__"):
            continue
        if isinstance(value, torch.Tensor):
            found.append((name, value))
        elif isinstance(value, torch.nn.Module):
            members = [*value.named_parameters(), *value.named_buffers()]
            found += [(f"{name}.{member}", tensor) for member, tensor in members]
        elif isinstance(value, list | tuple) and len(value) <= MEMBERS:
            found += [(f"{name}[{i}]", member) for i, member in enumerate(value)]
        elif isinstance(value, dict) and len(value) <= MEMBERS:
            found += [(f"{name}[{key!r}]", member) for key, member in value.items()]
    return [(name, value) for name, value in found if isinstance(value, torch.Tensor)]


def program_frames() -> list[FrameType]:
    """The frames of the program that are running now, innermost first."""
    frame: FrameType | None = sys._getframe(1)
    found = []
    while frame is not None:
        if frame.f_code.co_filename == FILENAME:
            found.append(frame)
        frame = frame.f_back
    return found


def gradient_edge(output: Any) -> Edge:
    """The node and output number a root of `backward` stands for; the node is None for what has no graph."""
    if not isinstance(output, torch.Tensor):
        return output.node, output.output_nr
    if output.grad_fn is not None:
        return output.grad_fn, output.output_nr
    with contextlib.suppress(RuntimeError):
        return torch.autograd.graph.get_gradient_edge(output).node, 0
    return None, 0


class Pass:
    """One run of the backward engine, watched through hooks on every node."""

    def __init__(self, outputs: Any, options: tuple[Any, ...], accumulate: bool) -> None:
        frames = program_frames()
        retain_graph, create_graph, inputs = (*options, None, None, ())[:3]
        self.ids: dict[Any, int] = {}
        self.order: list[int] = []
        self.seen: dict[str, dict[str, Any]] = {}
        self.handles: list[Any] = []
        self.unreadable: str | None = None
        edges = [gradient_edge(o) for o in ([outputs] if isinstance(outputs, torch.Tensor) else outputs)]
        self.roots = [None if node is None else [self.number(node), nr] for node, nr in edges]
        self.found: dict[str, Any] = {
            "call": "backward" if accumulate else "grad",
            "line": frames[0].f_lineno if frames else None,
            "line_top": frames[-1].f_lineno if frames else None,
            "retain_graph": bool(retain_graph),
            "create_graph": bool(create_graph),
            "n_inputs": len(inputs or ()),
            "roots": self.roots,
        }
        self.found["nodes"] = self.nodes(frames)
        self.found["n_nodes"] = len(self.ids)

    def number(self, root: Any) -> int:
        """The root's number; everything reachable from it gets one too, nearest first."""
        if root not in self.ids:
            self.ids[root] = len(self.ids)
            queue = [root]
            for node in queue:
                for following, _ in node.next_functions:
                    if following is not None and following not in self.ids:
                        self.ids[following] = len(self.ids)
                        queue.append(following)
        return self.ids[root]

    def nodes(self, frames: list[FrameType]) -> list[dict[str, Any]]:
        names: dict[int, list[str]] = {}
        for frame in frames:
            for name, tensor in named_tensors(dict(frame.f_locals)):
                known = names.setdefault(id(tensor), [])
                if name not in known:
                    known.append(name)
        rows = []
        for node, i in self.ids.items():
            edges = [[None if n is None else self.ids[n], nr] for n, nr in node.next_functions]
            rows.append({"id": i, "name": name_of(node), "next": edges})
            if name_of(node) == "AccumulateGrad":
                rows[-1]["variable"] = names.get(id(node.variable), [])
        return rows

    def watch(self) -> None:
        for node, i in self.ids.items():
            self.handles += [node.register_prehook(self.before(i)), node.register_hook(self.after(i))]

    def before(self, i: int) -> Any:
        def hook(grad_outputs: Any) -> None:
            self.order.append(i)
            self.see(i, grad_outputs, None)

        return hook

    def after(self, i: int) -> Any:
        def hook(grad_inputs: Any, grad_outputs: Any) -> None:
            self.see(i, grad_outputs, grad_inputs)

        return hook

    def see(self, i: int, grad_outputs: Any, grad_inputs: Any) -> None:
        both = {"grad_outputs": grad_outputs, "grad_inputs": grad_inputs}
        try:
            self.seen[str(i)] = {key: gs and [gradient(g) for g in gs] for key, gs in both.items()}
        except RuntimeError as unreadable:  # under vmap a gradient has no numbers of its own
            self.unreadable = str(unreadable)

    def finish(self, errored: bool) -> None:
        for handle in self.handles:
            handle.remove()
        self.found["order"] = self.order
        self.found["node_grads"] = {key: self.seen[key] for key in sorted(self.seen, key=int)}
        if errored:
            self.found["errored"] = True


class Watcher:
    """Stands in for the engine's entry point and writes down what passes through."""

    def __init__(self) -> None:
        self.run = torch.autograd._engine_run_backward
        self.passes: list[Pass] = []
        self.count = 0

    def __call__(self, outputs: Any, *args: Any, **keywords: Any) -> Any:
        edges = map(gradient_edge, [outputs] if isinstance(outputs, torch.Tensor) else outputs)
        if not any(node is not None for node, _ in edges):  # torch refuses before any node runs
            return self.run(outputs, *args, **keywords)
        self.count += 1
        if self.count > PASSES or sum(len(p.ids) for p in self.passes) > NODES:
            return self.run(outputs, *args, **keywords)
        current = Pass(outputs, args[1:4], bool(keywords.get("accumulate_grad")))
        current.watch()
        self.passes.append(current)
        errored = True
        try:
            result = self.run(outputs, *args, **keywords)
            errored = False
            return result
        finally:
            current.finish(errored)


def error(raised: BaseException) -> dict[str, Any]:
    """The uncaught error: `line` where it was raised, `line_top` the module's line that led there."""
    lines = [f.lineno for f in traceback.extract_tb(raised.__traceback__) if f.filename == FILENAME]
    if isinstance(raised, SyntaxError):
        return {"type": type(raised).__name__, "message": raised.msg, "line": raised.lineno, "line_top": raised.lineno}
    message = masked(str(raised))
    return {"type": type(raised).__name__, "message": message, "line": lines[-1], "line_top": lines[0]}


def record(code: str) -> dict[str, Any]:
    """Run the program in this process and describe what happened, with the SyntaxWarnings of CPython's compiler."""
    namespace: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
    output, raised = io.StringIO(), None
    warned: list[dict[str, Any]] = []

    def showwarning(message: Any, category: type, filename: str, lineno: int, *_: Any, **__: Any) -> None:
        frames = program_frames()
        text = masked(re.sub(r" \(Triggered internally at .*\)$", "", str(message))).split("\n")[0][:400]
        row = {"category": category.__name__, "message": text, "line": frames[0].f_lineno if frames else None}
        if issubclass(category, SyntaxWarning) and filename == FILENAME:
            row["line"] = lineno
        if row not in warned:
            warned.append(row)

    watcher = Watcher()
    state = torch.get_rng_state().clone()
    torch.autograd._engine_run_backward = watcher
    try:
        with contextlib.redirect_stdout(output), warnings.catch_warnings():
            warnings.showwarning = showwarning
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", SyntaxWarning)
            compiled = compile(code, FILENAME, "exec", dont_inherit=True)
            warnings.simplefilter("always")
            warnings.simplefilter("ignore", ResourceWarning)  # as Python does by default
            exec(compiled, namespace)
    except (Exception, SystemExit) as caught:
        raised = caught
    finally:
        torch.autograd._engine_run_backward = watcher.run
    batched = any(p.unreadable for p in watcher.passes)  # PyTorch's passes over batches are nobody's to see
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tensors = {name: describe(tensor) for name, tensor in named_tensors(namespace)}
    return {
        "stdout": masked(output.getvalue()),
        "error": None if raised is None else error(raised),
        "warnings": warned,
        "tensors": tensors,
        "backward": [] if batched else [p.found for p in watcher.passes],
        "backward_count": None if batched else watcher.count,
        "rng_used": not torch.equal(state, torch.get_rng_state()),
    }


def record_apart(code: str, seed: int, recording: Callable[[str], dict[str, Any]] = record) -> dict[str, Any]:
    """Run the program in a process and a folder of its own: none sees or keeps what another one left behind."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.json"
        child = os.fork()
        if child == 0:
            status = 1
            try:
                signal.alarm(SECONDS)
                os.chdir(folder)
                torch.manual_seed(seed)
                np.random.seed(seed)
                random.seed(seed)
                path.write_text(json.dumps(recording(code)))
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(status)
        _, status = os.waitpid(child, 0)
        if status:
            raise RuntimeError(f"recording failed with wait status {status}")
        return json.loads(path.read_text())


def answer(path: Path) -> dict[str, Any]:
    """The record of one program file. Its first line says what it shows; a record with a source keeps its title."""
    code = path.read_text()
    expected, again = (record_apart(code, seed) for seed in SEEDS)
    if again != expected:
        different = [key for key in expected if expected[key] != again[key]]
        raise RuntimeError(f"two runs differ in {', '.join(different)}")
    written = path.with_suffix(".json")
    known = json.loads(written.read_text()) if written.exists() else {}
    kept = {key: known[key] for key in ("title", "tags", "source", "level") if "source" in known}
    return {
        "id": f"{path.parent.name}/{path.stem}",
        "title": code.split("\n", 1)[0].lstrip("# "),
        "tags": [path.parent.name],
        **kept,
        "code": code,
        "kind": "ok" if expected["error"] is None else "error",
        "rng": expected["rng_used"],
        "rng_seeded": expected["rng_used"],
        "deterministic": True,
        "python": platform.python_version(),
        "torch": torch.__version__,
        "expected": expected,
    }


def main(wanted: list[str]) -> None:
    """Record the programs whose path contains one of the words, or all."""
    torch.set_num_threads(1)
    for path in sorted(SNIPPETS.rglob("*.py")):
        name = f"{path.parent.name}/{path.stem}"
        if path.parent == SNIPPETS or (wanted and not any(word in name for word in wanted)):
            continue
        try:
            found = answer(path)
        except Exception as failed:
            print(f"{name}: {failed}", file=sys.stderr)
            continue
        path.with_suffix(".json").write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n")
        what = found["expected"]["error"]
        print(name, "" if what is None else f"— {what['type']}: {what['message'][:100]!r} (line {what['line']})")


if __name__ == "__main__":
    main(sys.argv[1:])
