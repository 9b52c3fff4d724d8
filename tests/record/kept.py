"""Record what PyTorch's nodes keep for their gradients in programs of tests/snippets and tests/findings/healthy, and in
the examples. Needs torch 2.13; run from the repository root:

    python -m tests.record.kept [part of a name …]

Hooks for saved tensors (`torch.autograd.graph.saved_tensors_hooks`) see each tensor that a node saves. Written to
tests/engine/data/kept.json, by program: bytes of the tensors by the name of the node that saved them, and how many
storages of how many bytes they lie in. A program whose own hooks take theirs, or whose tensors are those of a
transform, is left out, and so is one that raises.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import warnings
from collections import Counter
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from tests.kept import UNNAMED, WRITTEN, programs
from tests.record.programs import record_apart

OTHERS = (
    "saved_tensors_hooks save_on_cpu checkpoint register_hooks allow_mutation_on_saved disable_saved_tensors vmap func."
    " is_grads_batched jacfwd hessian vectorize= jit. compile("
).split()
"""What a program says that is left out."""

_next_sequence = torch._C._autograd._get_sequence_nr


class Nodes:
    """Names of nodes by sequence number, of all that lead to what was seen."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}

    def see(self, value: Any) -> None:
        """Nodes of the tensors in a value."""
        if isinstance(value, torch.Tensor):
            with contextlib.suppress(RuntimeError):
                self.walk(value.grad_fn)
        elif isinstance(value, tuple | list):
            for item in value:
                self.see(item)
        elif isinstance(value, torch.nn.Module):
            return
        elif isinstance(value, dict):
            self.see(list(value.values()))

    def walk(self, node: Any) -> None:
        todo = [] if node is None else [node]
        while todo:
            node = todo.pop()
            number = node._sequence_nr()
            name = node.name().split("::")[-1]
            if name != "AccumulateGrad" and number not in self.names:
                self.names[number] = name
                todo += [following for following, _ in node.next_functions if following is not None]


class Watching(TorchFunctionMode):
    def __init__(self, nodes: Nodes) -> None:
        self.nodes = nodes

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        self.nodes.see(result)
        self.nodes.see(args[:1])
        return result


def record(code: str) -> dict[str, Any]:
    """Run a program in this process and tell what its nodes kept. RuntimeError where that cannot be told."""
    nodes, kept = Nodes(), list[tuple[int, torch.Tensor]]()
    apart: list[str] = []

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        if torch._C._functorch.is_functorch_wrapped_tensor(tensor):
            apart.append("a transform")
        elif tensor.layout is not torch.strided:
            apart.append("a sparse tensor")
        else:
            number = _next_sequence() - 1
            made = tensor.grad_fn
            if made is not None and made.name() == "CloneBackward0" and made._sequence_nr() == number:
                number -= 1  # a write keeps a clone of what it overwrites, made after its own node
            kept.append((number, tensor))
        return tensor

    run = torch.autograd._engine_run_backward

    def watched(outputs: Any, *args: Any, **keywords: Any) -> Any:
        nodes.see([outputs] if isinstance(outputs, torch.Tensor) else list(outputs))
        return run(outputs, *args, **keywords)

    namespace: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
    torch.autograd._engine_run_backward = watched
    try:
        with (
            contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(), Watching(nodes),
            torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor),
        ):  # fmt: skip
            warnings.simplefilter("ignore")
            exec(compile(code, "<program>", "exec", dont_inherit=True), namespace)
    finally:
        torch.autograd._engine_run_backward = run
    nodes.see(namespace)
    if apart:
        raise RuntimeError(f"it has {apart[0]}")
    names: Counter[str] = Counter()
    storages: dict[int, int] = {}
    for number, tensor in kept:
        names[nodes.names.get(number, UNNAMED)] += tensor.nbytes
        storage = tensor.untyped_storage()
        if tensor.nbytes:
            storages[storage._cdata] = storage.nbytes()
    sizes = Counter(storages.values())
    return {
        "nodes": {name: size for name, size in sorted(names.items()) if size},
        "storages": {str(size): count for size, count in sorted(sizes.items())},
    }


def main(wanted: list[str]) -> None:
    """Record the programs whose name contains one of the words, or all."""
    torch.set_num_threads(1)
    found: dict[str, Any] = json.loads(WRITTEN.read_text()) if wanted and WRITTEN.exists() else {}
    for name, path in programs().items():
        code = path.read_text()
        if "torch" not in code or any(word in code for word in OTHERS):
            continue
        if wanted and not any(word in name for word in wanted):
            continue
        try:
            told = record_apart(code, 0, record)
        except RuntimeError as failed:
            print(f"{name}: {failed}", file=sys.stderr)
            continue
        if told["storages"]:
            found[name] = told
    rows = [f"{json.dumps(name)}:{json.dumps(row, separators=(',', ':'))}" for name, row in sorted(found.items())]
    WRITTEN.write_text("{\n" + ",\n".join(rows) + "\n}\n")
    print(len(found), "programs")


if __name__ == "__main__":
    main(sys.argv[1:])
