"""Record PyTorch's op database. Needs torch 2.13 (`pip install torch==2.13.0 expecttest`); from the repository root:

    python -m tests.record.opdb [--dtype complex128] [op …]

Inputs are the database's samples, rounded to two decimals so that the files stay readable; cases that torch refuses
after rounding are left out. Of float64, tier 1 is recorded whole, of the others the small cases and at most 40 per op.
Of other dtypes, which have folders of their own, at most `MORE` cases per op, of those that follow from float64 at
most `FEW`, spread over the small samples; of ops without small samples the smallest one, if it has at most `LONGEST`
characters or the dtype is complex.
`--seed` draws other samples, `--to` writes them elsewhere, and `--cases` as many of an op: to try what no test has.
"""

from __future__ import annotations

import argparse
import json
import warnings
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_flatten, tree_map

from tests.opdb.codec import DIGITS, cotangent, encode_array

DATA = Path(__file__).parent.parent / "opdb" / "data"
TIERS = Path(__file__).parent.parent / "opdb" / "tiers.json"
ELEMENTS, CASES = 600, 40
MORE_ELEMENTS, MORE, FEW = 200, 12, 2
LONGEST = 30_000
DECIMALS = {"topk": 8}
"""Ops whose answer depends on the order of equal values, which rounding would make."""
WIDE = (np.float64, np.complex128)


def rounded(x: Any, decimals: int = 2) -> Any:
    """A leaf like `x`, with the same strides and rounded values."""
    if not isinstance(x, torch.Tensor):
        return x
    value = x.detach()
    if value.is_complex():
        value = torch.view_as_complex(torch.view_as_real(value.resolve_conj()).round(decimals=decimals))
    elif value.is_floating_point():
        value = value.round(decimals=decimals)
    if any(s == 0 and n > 1 for s, n in zip(x.stride(), x.shape, strict=True)):
        made = value.contiguous().clone()
    else:
        made = torch.empty_strided(x.shape, x.stride(), dtype=x.dtype).copy_(value)
    return made.requires_grad_(x.requires_grad)


def numbers(t: torch.Tensor, digits: int | None = None) -> Any:
    """The values of a tensor as JSON; of narrow types as few digits as tell them apart."""
    t = t.detach().resolve_conj().resolve_neg()
    if t.dtype is torch.bfloat16:
        return encode_array(t.float().numpy(), 4)
    array = t.numpy()
    return encode_array(array.astype(str).astype(np.float64) if t.dtype is torch.float32 else array, digits)


def encode(x: Any, usual: torch.dtype = torch.float64) -> Any:
    """An argument as JSON; tensors of the `usual` dtype do not say theirs."""
    if isinstance(x, torch.Tensor):
        if x.layout is not torch.strided:
            raise TypeError("sparse")
        tagged: dict[str, Any] = {"tensor": numbers(x)}
        if x.dtype is not usual:
            tagged["dtype"] = str(x.dtype).removeprefix("torch.")
        if x.requires_grad:
            tagged["grad"] = True
        if not x.is_contiguous() and x.numel():
            tagged["strides"] = list(x.stride())
        if not x.numel():
            tagged["shape"] = list(x.shape)
        return tagged
    if isinstance(x, torch.dtype | torch.memory_format):
        return {"torch": str(x).removeprefix("torch.")}
    if isinstance(x, torch.device):
        return str(x)
    if isinstance(x, tuple):
        return {"tuple": [encode(v, usual) for v in x]}
    if isinstance(x, list):
        return [encode(v, usual) for v in x]
    if isinstance(x, dict):
        return {"dict": {k: encode(v, usual) for k, v in x.items()}}
    if isinstance(x, slice):
        return {"slice": [encode(x.start), encode(x.stop), encode(x.step)]}
    if x is Ellipsis:
        return {"ellipsis": True}
    if isinstance(x, np.generic):
        x = x.item()
    if isinstance(x, float) and x not in (x + 0,) or isinstance(x, float) and abs(x) == float("inf"):
        return {"float": repr(x)}
    if isinstance(x, complex):
        return {"complex": [x.real, x.imag]}
    if x is None or isinstance(x, bool | int | float | str):
        return x
    raise TypeError(type(x).__name__)


def graph(node: Any, depth: int = 6) -> str:
    """`MulBackward0(AccumulateGrad,None)`."""
    if node is None:
        return "None"
    name = node.name().split("::")[-1]
    if not node.next_functions:
        return name
    if depth == 0:
        return name + "(...)"
    return f"{name}({','.join(graph(n, depth - 1) for n, _ in node.next_functions)})"


def evaluate(op: Any, arguments: Any, keywords: Any) -> tuple[list[Any], list[Any]]:
    """Outputs and leaves of one run on fresh leaves."""
    leaves: list[Any] = []

    def fresh(x: Any) -> Any:
        if not isinstance(x, torch.Tensor):
            return x
        t = torch.empty_strided(x.shape, x.stride(), dtype=x.dtype).copy_(x.detach())
        if x.requires_grad:
            leaves.append(t.requires_grad_())
        return t

    arguments, keywords = tree_map(fresh, (arguments, keywords))
    torch.manual_seed(0)
    out = op(*arguments, **keywords)
    flat, _ = tree_flatten(out)
    return [t for t in flat if isinstance(t, torch.Tensor)], leaves


def record(op: Any, sample: Any, dtype: torch.dtype) -> dict[str, Any]:
    decimals = DECIMALS.get(op.name, 2)
    arguments = [tree_map(lambda t: rounded(t, decimals), x) for x in (sample.input, *sample.args)]
    keywords = tree_map(lambda t: rounded(t, decimals), sample.kwargs)
    case: dict[str, Any] = {"args": [encode(a, dtype) for a in arguments]}
    if keywords:
        case["kwargs"] = {k: encode(v, dtype) for k, v in keywords.items()}
    outputs, leaves = evaluate(op.op, arguments, keywords)
    wanted = [i for i, t in enumerate(outputs) if t.requires_grad]
    cotangents = [
        torch.from_numpy(cotangent(tuple(outputs[i].shape), WIDE[outputs[i].is_complex()], i)).to(outputs[i].dtype)
        for i in wanted
    ]
    names = [outputs[i].grad_fn.name().split("::")[-1] if outputs[i].grad_fn is not None else "LEAF" for i in wanted]
    trees = [graph(outputs[i].grad_fn) for i in wanted[:2]]
    grads: Any = []
    if wanted and leaves:
        try:
            grads = torch.autograd.grad([outputs[i] for i in wanted], leaves, cotangents, allow_unused=True)
        except RuntimeError as error:
            if dtype is torch.float64:
                raise
            case["raises"] = str(error)
    case["out"] = [numbers(t, DIGITS) for t in outputs]
    if dtype is not torch.float64 and any(t.dtype is not dtype for t in outputs):
        case["dtypes"] = [str(t.dtype).removeprefix("torch.") for t in outputs]
    case["diff"] = wanted
    case["grads"] = [None if g is None else numbers(g, DIGITS) for g in grads]
    case["names"] = names
    case["graph"] = trees
    return case


def size(case: dict[str, Any]) -> int:
    return sum(
        text.count(",") for text in (json.dumps(case["args"]), json.dumps(case["out"]), json.dumps(case["grads"]))
    )


def spread(lines: list[str], count: int) -> list[str]:
    """At most `count` of them, from first to last."""
    return lines if len(lines) <= count else [lines[i * (len(lines) - 1) // (count - 1)] for i in range(count)]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--dtype", default="float64")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--to", type=Path, default=DATA)
    parser.add_argument("--cases", type=int)
    parser.add_argument("ops", nargs="*")
    given = parser.parse_args()
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    dtype = getattr(torch, given.dtype)
    usual = dtype is torch.float64
    folder = given.to if usual else given.to / given.dtype
    most = given.cases or (CASES if usual else MORE if dtype is torch.complex128 else FEW)
    elements = ELEMENTS if usual or given.cases else MORE_ELEMENTS
    tiers = json.loads(TIERS.read_text())
    folder.mkdir(exist_ok=True, parents=True)
    written: dict[str, list[str]] = {}
    for op in op_db:
        if op.name not in tiers or not op.supports_autograd or dtype not in op.dtypes:
            continue
        if given.ops and op.name not in given.ops:
            continue
        key = op.name + (f".{op.variant_test_name}" if op.variant_test_name else "")
        lines = written.setdefault(key, [])
        torch.manual_seed(zlib.crc32(key.encode()) % 2**31 + given.seed)
        try:
            samples = list(op.sample_inputs("cpu", dtype, requires_grad=True))
        except Exception as error:  # a sample generator that this build of torch cannot run
            print(key, "no samples:", error)
            continue
        found: list[tuple[int, str]] = []
        for sample in samples:
            try:
                case = record(op, sample, dtype)
                if tiers[op.name].get("random"):
                    case["random"] = True
                found.append((size(case), json.dumps(case, separators=(",", ":"))))
            except Exception as error:
                print(key, type(error).__name__, str(error).split("\n")[0][:90])
        if usual and tiers[op.name]["tier"] == 1:
            lines += [line for _, line in found]
            continue
        small = [line for extent, line in found if extent <= elements]
        if not usual and not small:
            small = [line for _, line in sorted(found)[:1] if dtype.is_complex or len(line) <= LONGEST]
        lines += small[:most] if usual else spread(small, most)
    for key, lines in written.items():
        if lines:
            (folder / f"{key}.jsonl").write_text("\n".join(lines) + "\n")
    print(sum(map(len, written.values())), "cases of", len(written), "ops")


if __name__ == "__main__":
    main()
