"""Snippets in ordinary Python, where `engine.torch` stands in for torch, print what torch printed."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

import pytest

from tests.forked import in_ordinary_python
from tests.snippets.judge import ADDRESS, recorded_words, same_token, tokens

HERE = Path(__file__).parent
ONLY_INTERPRETED = {
    "the type of a function that PyTorch has written in C": "mistakes/forgotten_parentheses texts/functions_printed"
    " libraries/inspect_signatures libraries/numpy_beside_tensors",
    "the version of the package torch, which is not installed": "python/temporary_files",
    "numpy's warnings of floats, which the engine switches off": "libraries/numpy_errors_of_floats",
    "numbers that the program does not seed": "texts/seed0_blitz_unseeded",
    "the same address for objects that are let go at once": "basics/storages_written",
}
"""What ordinary Python does not have, as docs/fidelity.md says, or has otherwise every time, and what uses it."""

AT_HAND = {"functorch", "numpy", "torch", *sys.stdlib_module_names}


def _for_torch_alone(path: Path) -> bool:
    """Whether a program imports nothing but PyTorch, numpy and what comes with Python."""
    tree = ast.parse(json.loads(path.read_text())["code"])
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in imported} <= AT_HAND


PROGRAMS = sorted(
    path
    for path in HERE.glob("*/*.json")
    if path.parent.name != "language"  # which is ordinary Python's own
    and (path.parent.name != "libraries" or _for_torch_alone(path))
    and f"{path.parent.name}/{path.stem}" not in " ".join(ONLY_INTERPRETED.values()).split()
)


@pytest.mark.sampled(16)
@pytest.mark.parametrize("path", PROGRAMS, ids=[f"{p.parent.name}/{p.stem}" for p in PROGRAMS])
def test_a_snippet_in_ordinary_python_prints_what_torch_printed(path: Path) -> None:
    record = json.loads(path.read_text())
    expected = record["expected"]
    printed, error = in_ordinary_python(record["code"])
    assert error == (expected["error"] and expected["error"]["type"])
    got, want = tokens(recorded_words(ADDRESS.sub("0xADDR", printed))), tokens(expected["stdout"])
    assert len(got) == len(want)
    for ours, theirs in zip(got, want, strict=True):
        assert same_token(ours, theirs), f"{ours} where torch printed {theirs}"
