"""The path from leaves to a loss, followed backwards over everything that computed it, and where it is cut."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

import numpy as np

from .facts import Facts, Row
from .source import called

MAKERS = frozenset({"tensor", "as_tensor", "from_numpy", "Tensor", "FloatTensor", "asarray", "full", "DoubleTensor"})
"""Functions that make a tensor of numbers."""

DRAWS = frozenset({"multinomial", "bernoulli", "poisson", "binomial"})
"""Samples, which nobody expects a gradient through."""

COMPARED = 40
"""Exits whose numbers are looked for in a new tensor."""

RULE = {
    "detach": "cut-detach", "data": "cut-detach", "no_grad": "cut-no-grad", "integer": "cut-integer",
    "item": "cut-item", "tolist": "cut-item", "numpy": "cut-numpy", "tensor": "cut-tensor-copy",
    "not_differentiable": "no-path", "later": "late-requires-grad",
}  # fmt: skip


@dataclass(slots=True, eq=False)
class Cut:
    """The end of a path: `source` requires grad, and what was made of it (`result`) does not know of it."""

    how: str
    source: str
    result: str
    line: int | None


@dataclass(slots=True, eq=False)
class History:
    """The history of a tensor: `parents` of each tensor on the way, and the cuts."""

    root: str
    parents: dict[str, list[str]] = field(default_factory=dict)
    cuts: list[Cut] = field(default_factory=list)

    def leaves(self, facts: Facts, start: str) -> set[str]:
        """Leaves that require grad behind a tensor."""
        found: set[str] = set()
        seen = {start}
        todo = [start]
        while todo:
            t = todo.pop()
            if facts.leaf(t):
                found.add(t)
            new = [parent for parent in self.parents.get(t, ()) if parent not in seen]
            seen.update(new)
            todo += new
        return found


def history(facts: Facts, root: str, ops: int) -> History:
    """The history of `root` as it was before op number `ops`."""
    found = History(root)
    todo = [(root, ops)]
    seen: set[tuple[str, str | None]] = set()
    while todo:
        tensor, time = todo.pop()
        made = facts.before(tensor, time)
        key = tensor, made["id"] if made else None
        if key in seen:
            continue
        seen.add(key)
        row = facts.tensors[tensor]
        parents: list[tuple[str, int]] = []
        if row["detached_from"] is not None:
            source = row["detached_from"]
            if facts.tensors[source]["requires_grad"]:
                found.cuts.append(Cut(_detached(facts, row), source, tensor, row["line"]))
            parents.append((source, time))
        if made is not None and (not facts.leaf(tensor) or _became_leaf(facts, tensor, made)):
            number = facts.number[made["id"]]
            parents += [(t, number) for t in made["inputs"]]
            why = row["why_no_grad"]
            for source, how, line in numbers(facts, made):
                found.cuts.append(Cut(how, source, tensor, line))
                parents.append((source, time))
            how = _how(why, made)
            if how in RULE and made["name"] not in DRAWS:
                wanted = [t for t in made["inputs"] if facts.tensors[t]["requires_grad"]]
                found.cuts += [Cut(how, t, tensor, made["line"]) for t in wanted]
        if made is None and row["detached_from"] is None:
            for source, how, line in exits(facts, row):
                found.cuts.append(Cut(how, source, tensor, line))
                parents.append((source, time))
        found.parents[tensor] = [*found.parents.get(tensor, ()), *(t for t, _ in parents)]
        todo += parents
    return found


def _how(why: Row | None, made: Row) -> str:
    """What cut a result off. Where none of what it was made of required grad, some of it may do so since."""
    how = "" if why is None else str(why["cut"])
    return "later" if how == "inputs_without_requires_grad" and made["node"] is None else how


def _became_leaf(facts: Facts, tensor: str, made: Row) -> bool:
    """Whether requires_grad_() was called on a result: a new leaf that had a past. A copy of a leaf has none."""
    if tensor in made["inputs"] or tensor in facts.parameters:
        return False
    copied, _ = facts.origin(tensor)
    source = facts.tensors[copied]["detached_from"] or copied
    return source == tensor or not facts.leaf(source)


def _detached(facts: Facts, row: Row) -> str:
    """The way a tensor was detached: one that only became an array left by `numpy()`."""
    if row["name"] is None and any(e["tensor"] == row["id"] and e["how"] == "numpy" for e in facts.exits):
        return "numpy"
    return str(row["why_no_grad"]["cut"]) if row["why_no_grad"] else "detach"


def exits(facts: Facts, row: Row) -> list[tuple[str, str, int | None]]:
    """(tensor, how, line) of what left the graph and came back as the numbers of this new tensor."""
    if not facts.exits:
        return []
    line = row["line"]
    calls = facts.source.calls(line, *MAKERS)
    if facts.source.tree.body and not calls:
        return []
    lines = {line, *facts.source.behind([a for call in calls for a in call.args])}
    here = [e for e in facts.exits if e["line"] in lines]
    found = here or [e for e in facts.exits[:COMPARED] if _same_numbers(facts, facts.tensors[e["tensor"]], row)]
    places: dict[str, tuple[str, str, int | None]] = {}
    for exit in found:
        source = facts.tensors[exit["tensor"]]
        origin = source["detached_from"] or source["id"]
        if facts.tensors[origin]["requires_grad"] and origin != row["id"]:
            places.setdefault(origin, (origin, exit["how"], exit["line"]))
    return list(places.values())


def numbers(facts: Facts, op: Row) -> list[tuple[str, str, int | None]]:
    """(tensor, how, line) of what left the graph and came back as a Python number that an op was given."""
    given = [x for x in op["arguments"].values() if isinstance(x, int | float)] if facts.exits else []
    if not given:
        return []
    single = set(np.array(given, np.float32).tolist())
    lines = _number_lines(facts, op)
    found: dict[str, tuple[str, str, int | None]] = {}
    for origin, how, line, values in _numbers_out(facts):
        if (line in lines or not single.isdisjoint(values)) and origin not in op["outputs"]:
            found.setdefault(origin, (origin, how, line))
    return list(found.values())


def _numbers_out(facts: Facts) -> list[tuple[str, str, int | None, frozenset[float]]]:
    """(tensor that requires grad, how, line, what it held if nobody writes such numbers) of exits to Python numbers."""
    known: list[tuple[str, str, int | None, frozenset[float]]] | None = facts.known.get("numbers out")
    if known is None:
        known = facts.known["numbers out"] = []
        for exit in facts.exits:
            source = facts.tensors[exit["tensor"]]
            origin = source["detached_from"] or source["id"]
            if exit["how"] in ("item", "tolist") and facts.tensors[origin]["requires_grad"]:
                own = not facts.plain(source["value"])
                values = frozenset(facts.numbers(source["value"])) if own else frozenset()
                known.append((origin, exit["how"], exit["line"], values))
    return known


def _number_lines(facts: Facts, op: Row) -> set[int]:
    """Lines on which the Python numbers in an expression were taken out of tensors."""
    place = op["line"], op["column"], op["end_line"], op["end_column"]
    known: dict[tuple[int | None, ...], set[int]] = facts.known.setdefault("number lines", {})
    if place not in known:
        node = facts.source.expression(op)
        parts = [] if node is None else list(ast.walk(node))
        taken = [part for part in parts if isinstance(part, ast.Call) and _takes_out(part)]
        plain: list[ast.expr] = [part for part in parts if isinstance(part, ast.Name) and part.id not in facts.bound]
        known[place] = {part.lineno for part in taken} | facts.source.behind(plain)
    return known[place]


def _takes_out(call: ast.Call) -> bool:
    """Whether a call makes a Python number of a tensor, as the functions of `math` do."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return called(call) in ("item", "tolist", "float") or isinstance(owner, ast.Name) and owner.id == "math"


def _same_numbers(facts: Facts, source: Row, row: Row) -> bool:
    """Whether the new tensor holds what the source held, and that is no number that anybody writes."""
    one, many = facts.numbers(source["value"]), facts.numbers(row["value"])
    if not one or not many or len(one) > len(many) or facts.plain(source["value"]):
        return False
    return one[0] in many if len(one) == 1 else one == many


def receiver(facts: Facts, line: int | None, method: str = "backward") -> ast.expr | None:
    """The expression that a method is called on, on a line."""
    for call in facts.source.calls(line, method):
        if isinstance(call.func, ast.Attribute) and called(call) == method:
            return call.func.value
    return None
