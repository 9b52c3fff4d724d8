"""PyTorch's own formulas of gradients, by the name of their node: `python -m tests.record.derivatives`.

Of the nodes that the engine has, read from the derivatives.yaml that torchgen carries with torchgen's own reader. The
result is engine/syntax/derivatives.txt.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import engine.torch  # noqa: F401 - which declares the ops
from engine.core.registry import OPS

TARGET = Path(__file__).parents[2] / "engine" / "syntax" / "derivatives.txt"
HEAD = """\
# PyTorch's formulas of gradients, by the name of the node and the input, as its derivatives.yaml states them (2.13).
# Written by `python -m tests.record.derivatives`.
"""


def formulas() -> dict[str, dict[str, str]]:
    """`{node: {input: formula}}`; without what PyTorch says it has not implemented."""
    ours = {row.node_name for row in OPS.values()}
    from torchgen.api.autograd import DifferentiabilityInfo
    from torchgen.packaged.autograd.load_derivatives import load_derivatives

    spec = find_spec("torchgen")
    assert spec is not None and spec.origin is not None
    root = Path(spec.origin).parent / "packaged"
    native = root / "ATen" / "native"
    infos, _ = load_derivatives(
        str(root / "autograd" / "derivatives.yaml"), str(native / "native_functions.yaml"), str(native / "tags.yaml")
    )
    found: dict[str, dict[str, str]] = {}
    for by_key in infos.values():
        info: DifferentiabilityInfo = by_key["Default"] if "Default" in by_key else next(iter(by_key.values()))
        if info.op not in ours:
            continue
        for derivative in info.derivatives:
            text = " ".join(derivative.original_formula.split())
            if "not_implemented" not in text and not text.startswith("not_differentiable"):
                for name in derivative.var_names:
                    found.setdefault(info.op, {})[name] = text
    return found


def text() -> str:
    """The file: a node, and below it a line for each input."""
    lines = [HEAD.rstrip("\n")]
    for node, rows in sorted(formulas().items()):
        lines.append(node)
        lines.extend(f"  {name}: {formula}" for name, formula in rows.items())
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), "utf-8")
