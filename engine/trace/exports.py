"""A document's graph for other tools: Graphviz DOT and Mermaid. Edges point the way gradients travel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def _label(document: dict[str, Any], node: dict[str, Any]) -> str:
    if node["variable"] is None:
        return str(node["name"])
    tensor = next(t for t in document["tensors"] if t["id"] == node["variable"])
    shape = ", ".join(map(str, tensor["shape"]))
    return f"{tensor['name'] or tensor['id']} ({shape})"


def _edges(document: dict[str, Any]) -> Iterator[tuple[str, str, int]]:
    for node in document["nodes"]:
        for edge in node["next_functions"]:
            if edge is not None:
                yield node["id"], edge[0], edge[1]


def to_dot(document: dict[str, Any]) -> str:
    """The backward graph as Graphviz DOT: leaves are boxes, ops ellipses, edges carry output numbers above 0."""
    lines = ["digraph backward {", "  rankdir=RL;", '  node [fontname="sans-serif"];']
    for node in document["nodes"]:
        shape = "box" if node["variable"] is not None else "ellipse"
        lines.append(f"  {node['id']} [shape={shape}, label={_quote(_label(document, node))}];")
    for source, target, number in _edges(document):
        lines.append(f"  {source} -> {target}{f' [label={_quote(str(number))}]' if number else ''};")
    lines.append("}")
    return "\n".join(lines) + "\n"


def to_mermaid(document: dict[str, Any]) -> str:
    """The backward graph as a Mermaid flowchart."""
    lines = ["flowchart RL"]
    for node in document["nodes"]:
        label = _label(document, node).replace('"', "#quot;")
        lines.append(f'  {node["id"]}["{label}"]' if node["variable"] is not None else f'  {node["id"]}(["{label}"])')
    for source, target, number in _edges(document):
        lines.append(f"  {source} -->{f'|{number}|' if number else ''} {target}")
    return "\n".join(lines) + "\n"


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
