"""No file leads back to itself, not even by imports that only type checkers follow, but for a few that are named."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
NAMED = frozenset({"engine.core.tensor", "engine.core.node", "engine.codegen.op", "engine.codegen.call"})
"""A tensor has a node, a node its op, and an op (of which `call` writes the code) takes tensors: what stands between
them names them all."""
KNOWN = frozenset({
    ("engine.batching.rules", "engine.batching.level"),  # which runs the rules
    ("engine.trace.skipping", "engine.trace.recorder"),  # in whose place it is for a while
    ("engine", "engine.running"),  # what the package offers
})  # fmt: skip
"""Other imports for types alone, between two files."""


def imports(package: str, types: bool) -> set[tuple[str, str]]:
    graph = grimp.build_graph(package, cache_dir=None, exclude_type_checking_imports=not types)
    return {(file, other) for file in graph.modules for other in graph.find_modules_directly_imported_by(file)}


def circle(edges: set[tuple[str, str]]) -> list[str]:
    """One of the circles among these imports."""
    order: TopologicalSorter[str] = TopologicalSorter()
    for file, other in edges:
        order.add(file, other)
    try:
        order.prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


@pytest.mark.parametrize(("package", "folder"), [("engine", ROOT), ("app", ROOT), ("backlight", ROOT / "client")])
def test_no_file_leads_back_to_itself(package: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(folder)
    followed, all_of_them = imports(package, types=False), imports(package, types=True)
    assert not circle(followed)
    allowed = {edge for edge in all_of_them - followed if edge[1] in NAMED} | KNOWN
    assert not circle(all_of_them - allowed)


def test_a_circle_is_found() -> None:
    assert set(circle({("a", "b"), ("b", "c"), ("c", "b")})) == {"b", "c"}
    assert not circle({("a", "b"), ("b", "c"), ("a", "c")})


def test_the_benchmarks_can_start() -> None:
    """They are run by hand, and so are the last to hear of a name that is gone."""
    assert callable(import_module("benchmarks.__main__").main)
