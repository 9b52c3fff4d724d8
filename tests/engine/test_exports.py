"""Graphs for other tools: whatever nodes and tensors are called, both can read it and show the same name."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

import engine
from engine.trace.exports import to_dot, to_mermaid

NAMES = [
    'a"b', "x\\y", "tail\\", "new\nline", "<b>hi</b>", "#35;", "`tick`", "]) --> n9", "%%{init: {}}%%", "&amp;", "\\N",
    "é漢字😀", "end",
]  # fmt: skip


def document(name: str) -> dict[str, Any]:
    """A graph with a node of this name, and a leaf in a dict under it."""
    code = (
        f"import torch\nname = {name!r}\n"
        "class Odd(torch.autograd.Function):\n"
        "    forward = staticmethod(lambda ctx, x: x * 1)\n"
        "    backward = staticmethod(lambda ctx, g: g)\n"
        "Odd = type(name, (Odd,), {})\n"
        "held = {name: torch.ones(1, requires_grad=True)}\n"
        "Odd.apply(held[name]).backward()\n"
    )
    made = engine.run(code=code, seed=1).document
    assert made["error"] is None
    return made


@pytest.mark.parametrize("name", NAMES)
def test_names_are_shown_as_they_are(name: str) -> None:
    made = document(name)
    wanted = [f"{name}Backward", f"held[{name!r}] (1)"]
    labels = re.findall(r'label=("(?:[^"\\]|\\.)*")\]', to_dot(made), re.DOTALL)
    assert [html.unescape(re.sub(r"\\(.)", r"\1", label[1:-1], flags=re.DOTALL)) for label in labels] == wanted
    shown = re.findall(r'^  n\d+(?:\["(.*)"\]|\(\["(.*)"\]\))$', to_mermaid(made), re.MULTILINE)
    texts = ["".join(pair) for pair in shown]
    assert not any(re.search(r"""["<>&`%\\]|#(?!\d+;)""", text) for text in texts)
    plain = [re.sub(r"#(\d+);", lambda code: chr(int(code[1])), text) for text in texts]
    assert plain == wanted
