"""What nodes keep for their gradients: what PyTorch answers of it in programs, and what a document says.

`python -m tests.record.kept` writes the answers.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent
FOLDERS = (
    *(TESTS / "snippets" / name for name in "training layers modules basics losses".split()),
    TESTS / "findings" / "healthy",
    TESTS.parent / "app" / "examples" / "programs",
)
WRITTEN = TESTS / "engine" / "data" / "kept.json"
UNNAMED = "?"
"""Nodes that nothing led to when their op had ended."""


def programs() -> dict[str, Path]:
    """Programs by name: `training/autoencoder`."""
    return {f"{path.parent.name}/{path.stem}": path for folder in FOLDERS for path in sorted(folder.rglob("*.py"))}


def recorded() -> dict[str, Any]:
    """PyTorch's answers, by program: bytes of kept tensors by node, and numbers of storages by their bytes."""
    found: dict[str, Any] = json.loads(WRITTEN.read_text("utf-8"))
    return found


def told(document: dict[str, Any]) -> dict[str, Any]:
    """The same of a document; what hangs on the ctx of custom Functions is not among what hooks of PyTorch see."""
    nodes: Counter[str] = Counter()
    used: set[str] = set()
    for node in document["nodes"]:
        for kept in node.get("keeps", []):
            if not kept["name"].startswith("ctx."):
                nodes[node["name"]] += kept["bytes"]
                used.add(kept["storage"])
    sizes = Counter(row["bytes"] for row in document.get("storages", []) if row["id"] in used)
    return {"nodes": dict(nodes), "storages": {str(size): count for size, count in sizes.items()}}


def differences(wanted: dict[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """What is not the same: (recorded, told) by node, and by the bytes of storages. Where PyTorch's answer has nodes
    without a name, the sum of all counts."""
    nodes, given = dict(wanted["nodes"]), dict(found["nodes"])
    differing: dict[str, Any] = {}
    alike = UNNAMED in nodes and sum(nodes.values()) == sum(given.values())
    for key in () if alike else nodes.keys() | given.keys():
        if nodes.get(key) != given.get(key):
            differing[key] = (nodes.get(key), given.get(key))
    for size in wanted["storages"].keys() | found["storages"].keys():
        if wanted["storages"].get(size) != found["storages"].get(size):
            differing[f"storages of {size}"] = (wanted["storages"].get(size), found["storages"].get(size))
    return dict(sorted(differing.items()))
