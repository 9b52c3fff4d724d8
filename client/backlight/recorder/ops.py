"""The ops of a recording: operators that the program called."""

from __future__ import annotations

from typing import Any

from ..document import rows
from .positions import Place, at


class Op:
    """One of them, which becomes a row of the document when the recording is over: until then it is small.

    `node`: the id of the node that it made; `sequence`: the number of that node, where no tensor leads to it yet.
    """

    __slots__ = ("arguments", "inputs", "name", "node", "number", "outputs", "overload", "place", "scope", "sequence")

    def __init__(
        self,
        name: str,
        inputs: tuple[str, ...],
        place: Place,
        scope: str,
        arguments: dict[str, Any] | None = None,
        overload: str = "",
        sequence: int | None = None,
    ) -> None:
        self.name, self.inputs, self.place, self.scope = name, inputs, place, scope
        self.arguments, self.overload, self.sequence = arguments, overload, sequence
        self.outputs: tuple[str, ...] = ()
        self.node: str | None = None
        self.number = 0

    def event(self) -> dict[str, Any]:
        """What the timeline says of it."""
        return at({"kind": "op", "op": f"o{self.number}"}, self.place)

    def row(self) -> rows.Op:
        """The row of the document."""
        place = self.place
        row: rows.Op = {
            "id": f"o{self.number}",
            "name": self.name,
            "inputs": list(self.inputs),
            "outputs": list(self.outputs),
            "node": self.node,
            "line": place.line,
            "column": place.column,
            "end_line": place.end_line,
            "end_column": place.end_column,
            "scope": self.scope,
            "arguments": self.arguments or {},
        }
        if place.file:
            row["file"] = place.file
        return row
