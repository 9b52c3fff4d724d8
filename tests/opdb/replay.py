"""Run recorded cases on the engine and compare: values, gradients, grad_fn names, graphs."""

from __future__ import annotations

import itertools
import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import engine.torch as torch
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.types.bfloat16 import BFLOAT16
from tests.opdb.codec import cotangent, decode, decode_array

DATA = Path(__file__).parent / "data"
TIERS: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "tiers.json").read_text())
CLOSE = {
    "float64": (1e-6, 1e-7, False),
    "complex128": (1e-6, 1e-7, False),
    "float32": (1e-5, 1e-5, True),
    "complex64": (1e-5, 1e-5, True),
    "bfloat16": (2**-7, 2**-8, True),
}
"""Relative and absolute tolerance, and whether the latter grows with the largest number of a result."""


@dataclass
class Verdict:
    """How one op did: cases by outcome, and why cases failed."""

    key: str
    cases: int = 0
    right: int = 0
    names: int = 0
    graphs: int = 0
    absent: int = 0
    why: list[str] = field(default_factory=list)


def folder(dtype: str) -> Path:
    return DATA if dtype == "float64" else DATA / dtype


def keys(tier: int | None = None, dtype: str = "float64") -> list[str]:
    """Ops (with variants) that are recorded in a dtype, of one tier or all."""
    found = sorted(path.stem for path in folder(dtype).glob("*.jsonl"))
    return [k for k in found if tier is None or TIERS[base(k)]["tier"] == tier]


def base(key: str) -> str:
    """`div.floor_rounding` → `div`; names of namespaces keep their dots."""
    return key if key in TIERS else key.rpartition(".")[0]


def cases(key: str, dtype: str = "float64") -> Iterator[dict[str, Any]]:
    with (folder(dtype) / f"{key}.jsonl").open() as file:
        for line in file:
            yield json.loads(line)


REORDERED: dict[str, Any] = {
    "einsum": lambda tensors, equation: torch.einsum(equation, tensors),
    "nn.functional.embedding": lambda weight, *a, **k: torch.nn.functional.embedding(a[0], weight, *a[1:], **k),
    "nn.functional.embedding_bag": lambda weight, *a, **k: torch.nn.functional.embedding_bag(a[0], weight, *a[1:], **k),
    "polygamma": lambda x, n: torch.polygamma(n, x),
    "special.polygamma": lambda x, n: torch.special.polygamma(n, x),
    "slice": lambda x, *a, **k: ops.slice(x, *a, **k),
    "where": lambda x, condition, other: torch.where(condition, x, other),
}
"""Ops whose recorded arguments are not in the order of the call."""

VARIANTS: dict[str, Any] = {
    "linalg.lstsq.grad_oriented": lambda a, b, **k: torch.linalg.lstsq(a, b, **k)[:2],
    "normal.number_mean": lambda std, mean, *a, **k: torch.normal(mean, std, *a, **k),
    "_softmax_backward_data": lambda g, result, dim, dtype: ops._softmax_backward_data(g, result, dim),
    "torch.ops.aten._safe_softmax.default": lambda x, dim: ops._safe_softmax(x, dim),
    "max_pool2d_with_indices_backward": lambda *a, **k: _max_pool2d_backward(*a, **k),
    "_segment_reduce.lengths": lambda *a, **k: torch.segment_reduce(*a, **k),
    "_segment_reduce.offsets": lambda *a, **k: torch.segment_reduce(*a, **k),
    "pca_lowrank": lambda a, b, **k: _seeded(torch.pca_lowrank, a @ b.mT, **k),
    "svd_lowrank": lambda a, b, **k: _seeded(torch.svd_lowrank, a @ b.mT, **k),
    "linalg.pinv.singular": lambda a, b, **k: torch.linalg.pinv(a @ b.mT, **k),
}
"""What was recorded of a variant that is more than a choice of samples."""


def _max_pool2d_backward(
    x: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    given = (kernel_size, stride or kernel_size, padding, dilation)
    options = [(v, v) if isinstance(v, int) else tuple(v) for v in given]
    out, indices = ops.max_pool2d_with_indices(x, *options, ceil_mode)
    grad = Tensor._from_array(np.ones_like(out._array))
    return ops.max_pool2d_with_indices_backward(grad, x, *options, ceil_mode, indices)


def _seeded(function: Any, *args: Any, **keywords: Any) -> Any:
    torch.manual_seed(42)
    return function(*args, **keywords)


def find(name: str) -> Any:
    """The engine's function of an op's name. AttributeError when there is none."""
    if name in REORDERED:
        return REORDERED[name]
    if name in ("T", "mT", "H", "mH", "real", "imag"):
        return lambda x: getattr(x, name)
    if name.startswith("nn.functional."):
        return getattr(torch.nn.functional, name[14:])
    space, _, rest = name.partition(".")
    if rest and space in ("linalg", "special", "fft", "masked"):
        return getattr(getattr(torch, space), rest)
    if name.startswith("__"):
        return lambda first, *rest: getattr(first, name)(*rest)
    if name.endswith("_") or isinstance(getattr(torch, name, None), torch.dtype | None):
        function = getattr(Tensor, name)
        return (lambda x, *a, **k: function(x.clone(), *a, **k)) if name.endswith("_") else function
    return getattr(torch, name)


def _flat(value: Any) -> list[Tensor]:
    if isinstance(value, Tensor):
        return [value]
    return [t for v in value for t in _flat(v)] if isinstance(value, tuple | list) else []


def _graph(node: Any, depth: int = 6) -> str:
    if node is None:
        return "None"
    name = type(node).__name__
    if not node.next_functions:
        return name
    if depth == 0:
        return name + "(...)"
    return f"{name}({','.join(_graph(n, depth - 1) for n, _ in node.next_functions)})"


def _close(got: Any, want: Any, near: tuple[float, float, bool]) -> bool:
    array = np.asarray(got)
    expected = decode_array(want, str(array.dtype)) if want != [] or array.size == 0 else np.array(want)
    if expected.size == 0 and array.size == 0:
        return True
    relative, absolute, grows = CLOSE["bfloat16"] if array.dtype == BFLOAT16 else near
    if grows:
        absolute *= 1 + float(np.max(np.abs(expected), where=np.isfinite(expected), initial=0))
    return array.shape == expected.shape and np.allclose(array, expected, relative, absolute, equal_nan=True)


def run_case(function: Any, case: dict[str, Any], dtype: str = "float64") -> tuple[bool, bool, bool, str]:
    """(values and gradients right, names right, graph right, what was wrong)."""
    leaves: list[Tensor] = []

    def tensor(array: np.ndarray, requires_grad: bool) -> Tensor:
        t = Tensor._from_array(array if array.shape else array[()], requires_grad)
        if requires_grad:
            leaves.append(t)
        return t

    def name(text: str) -> Any:
        return getattr(torch, text)

    torch.manual_seed(0)
    arguments = [decode(a, tensor, name, dtype) for a in case["args"]]
    keywords = {k: decode(v, tensor, name, dtype) for k, v in case.get("kwargs", {}).items()}
    outputs = _flat(function(*arguments, **keywords))
    if len(outputs) != len(case["out"]):
        return False, False, False, f"{len(outputs)} outputs, expected {len(case['out'])}"
    if dtype != "float64":
        types = [t.dtype.name for t in outputs]
        if types != case.get("dtypes", [dtype] * len(outputs)):
            return False, False, False, f"outputs are {types}"
    random, near = case.get("random", False), CLOSE[dtype]
    for index, (got, want) in enumerate(zip(outputs, case["out"], strict=True)):
        if not random and not _close(got._array, want, near):
            return False, False, False, f"output {index}: {got._array!r} expected {want}"[:300]
    chosen = [outputs[i] for i in case["diff"]]
    got_names = [type(t.grad_fn).__name__ if t.grad_fn is not None else "LEAF" for t in chosen]
    got_graphs = [_graph(t.grad_fn) for t in chosen[:2]]
    if chosen and leaves:
        weights = [
            Tensor._from_array(cotangent(o._array.shape, o._array.dtype, i)[()])
            for i, o in zip(case["diff"], chosen, strict=True)
        ]
        try:
            grads = torch.autograd.grad(chosen, leaves, weights, allow_unused=True)
        except RuntimeError as error:
            if str(error) != case.get("raises"):
                raise
            grads = ()
        else:
            if "raises" in case:
                return False, False, False, f"did not raise {case['raises']}"
        for index, (g, want) in enumerate(zip(grads, case["grads"], strict=True)):
            if random:
                continue
            if g is None or want is None:
                other = want if g is None else g._array
                if other is not None and np.any(np.asarray(decode_array(other, dtype) if g is None else other)):
                    return False, False, False, f"gradient {index}: {g} expected {want}"[:300]
            elif not _close(g._array, want, near):
                return False, False, False, f"gradient {index}: {g._array!r} expected {want}"[:300]
    same_names, same_graph = got_names == case["names"], got_graphs == case["graph"]
    why = "" if same_names and same_graph else f"graph {got_graphs} expected {case['graph']}"[:300]
    return True, same_names, same_graph, why


def written_by_others(key: str) -> list[str]:
    """What changed although nobody wrote to it, in the first cases of an op: values, given gradients, what hooks kept,
    and gradients of other leaves, while gradients accumulate twice and are then overwritten one after the other."""
    function = VARIANTS.get(key) or find(base(key))
    found: list[str] = []
    for hooked, case in zip(itertools.cycle((True, False)), itertools.islice(cases(key), 6), strict=False):
        leaves: list[Tensor] = []
        held: dict[str, Any] = {}

        def tensor(array: np.ndarray, requires_grad: bool, leaves: Any = leaves, held: Any = held) -> Tensor:
            t = Tensor._from_array(array if array.shape else array[()], requires_grad)
            held[f"argument {len(held)}"] = t._array
            if requires_grad:
                leaves.append(t)
            return t

        def name(text: str) -> Any:
            return getattr(torch, text)

        arguments = [decode(a, tensor, name) for a in case["args"]]
        outputs = _flat(function(*arguments, **{k: decode(v, tensor, name) for k, v in case.get("kwargs", {}).items()}))
        chosen = [outputs[i] for i in case["diff"] if outputs[i].requires_grad]
        for number, t in enumerate(chosen):
            held[f"output {number}"] = t._array
            if hooked:
                t.register_hook(partial(_keep, held, f"hook {number}"))
        given = [Tensor._from_array(cotangent(t._array.shape, t._array.dtype, i)[()]) for i, t in enumerate(chosen)]
        held |= {f"given {number}": t._array for number, t in enumerate(given)}
        if not chosen or not leaves:
            continue
        for _ in range(2):
            before = {what: np.array(array) for what, array in held.items()}
            torch.autograd.backward(chosen, given, retain_graph=True)
            found += [f"{what} by backward" for what in before if not _same(before[what], held[what])]
        for number, leaf in enumerate(leaves):
            if leaf.grad is not None:
                before = {what: np.array(array) for what, array in held.items()}
                leaf.grad.fill_(37)
                found += [f"{what} with gradient {number}" for what in before if not _same(before[what], held[what])]
                held[f"gradient {number}"] = leaf.grad._array
    return found


def _keep(held: dict[str, Any], what: str, gradient: Tensor) -> None:
    held.setdefault(what, gradient._array)


def _same(a: Any, b: Any) -> bool:
    return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


def replay(key: str, dtype: str = "float64") -> Verdict:
    """Run every case of an op that is recorded in a dtype."""
    verdict = Verdict(key)
    try:
        function = VARIANTS.get(key) or find(base(key))
    except (AttributeError, NotImplementedError):
        function = None
    for number, case in enumerate(cases(key, dtype)):
        verdict.cases += 1
        if function is None:
            verdict.absent += 1
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                right, names, graph, why = run_case(function, case, dtype)
        except NotImplementedError as error:
            verdict.absent += 1
            right, names, graph, why = False, False, False, str(error)
        except Exception as error:
            right, names, graph, why = False, False, False, f"{type(error).__name__}: {error}"[:300]
        verdict.right += right
        verdict.names += names
        verdict.graphs += graph
        if why:
            verdict.why.append(f"case {number}: {why}")
    return verdict
