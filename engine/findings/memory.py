"""What a graph holds in memory, by what its nodes keep."""

from __future__ import annotations

from collections.abc import Iterable

from .facts import Facts


def held(facts: Facts, nodes: Iterable[str]) -> int:
    """Bytes of what was computed and is kept by nodes that no pass has made let go of it; a storage counts once."""
    freed = {facts.events[i]["node"] for i in facts.times("release")}
    sizes = {row["id"]: row["bytes"] for row in facts.document.get("storages", ()) if row["kind"] == "activation"}
    kept = {
        row["storage"]
        for node in nodes
        for row in facts.nodes[node].get("keeps", ())
        if node not in freed or row["name"].startswith("ctx.")
    }
    return sum(sizes.get(storage, 0) for storage in kept)


def behind(facts: Facts, start: str | None) -> set[str]:
    """A node and all that it leads to."""
    found: set[str] = set()
    todo = [] if start is None else [start]
    while todo:
        node = todo.pop()
        if node not in found:
            found.add(node)
            todo += [edge[0] for edge in facts.nodes[node]["next_functions"] if edge is not None]
    return found


def amount(size: int) -> str:
    """`480 bytes`, `12.4 MB`: a number of bytes in words."""
    for unit, one in (("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)):
        if size >= one:
            return f"{size / one:.1f} {unit}"
    return f"{size} bytes"
