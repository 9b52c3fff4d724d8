"""A document's graph for other tools: Graphviz DOT and Mermaid. Edges point the way gradients travel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_MERMAID = re.compile(r"""["#&<>%`\\\x00-\x1f\x7f-\x9f\u2028\u2029]""")
"""Characters that Mermaid would not show: ends of labels, markup, comments and character codes."""

_DOT = str.maketrans({"&": "&amp;", "\\": "\\\\", '"': '\\"'})
"""Escapes of the characters that end a string of DOT, or mean something in it."""


def _labelled(document: dict[str, Any]) -> Iterator[tuple[str, str, bool]]:
    """Nodes, what is written on them, and whether they are leaves."""
    tensors = {tensor["id"]: tensor for tensor in document["tensors"]}
    for node in document["nodes"]:
        leaf = node["variable"] is not None
        label = str(node["name"])
        if leaf:
            tensor = tensors[node["variable"]]
            shape = ", ".join(map(str, tensor["shape"]))
            label = f"{tensor['name'] or tensor['id']} ({shape})"
        yield node["id"], label, leaf


def _edges(document: dict[str, Any]) -> Iterator[tuple[str, str, int]]:
    for node in document["nodes"]:
        for edge in node["next_functions"]:
            if edge is not None:
                yield node["id"], edge[0], edge[1]


def to_dot(document: dict[str, Any]) -> str:
    """The backward graph as Graphviz DOT: leaves are boxes, ops ellipses, edges carry output numbers above 0."""
    lines = ["digraph backward {", "  rankdir=RL;", '  node [fontname="sans-serif"];']
    for node, label, leaf in _labelled(document):
        lines.append(f"  {node} [shape={'box' if leaf else 'ellipse'}, label={_quote(label)}];")
    for source, target, number in _edges(document):
        lines.append(f"  {source} -> {target}{f' [label={_quote(str(number))}]' if number else ''};")
    lines.append("}")
    return "\n".join(lines) + "\n"


def to_mermaid(document: dict[str, Any]) -> str:
    """The backward graph as a Mermaid flowchart."""
    lines = ["flowchart RL"]
    for node, label, leaf in _labelled(document):
        text = _MERMAID.sub(lambda found: f"#{ord(found[0])};", label)
        lines.append(f'  {node}["{text}"]' if leaf else f'  {node}(["{text}"])')
    for source, target, number in _edges(document):
        lines.append(f"  {source} -->{f'|{number}|' if number else ''} {target}")
    return "\n".join(lines) + "\n"


def _quote(text: str) -> str:
    """A string of DOT, in which Graphviz knows the entities of HTML, too."""
    return f'"{text.translate(_DOT)}"'
