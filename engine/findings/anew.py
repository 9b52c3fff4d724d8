"""Rules: what each iteration makes anew, and so forgets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from .facts import Facts, Pass, Row
from .finding import Found, Rule
from .names import names_of
from .source import names_in

FEWEST = 3
"""Optimizers from one place of which each took one step."""

REMEMBERS = frozenset({
    "Adam", "AdamW", "Adamax", "NAdam", "RAdam", "SparseAdam", "RMSprop", "Adagrad", "Adadelta", "Rprop", "Adafactor",
    "Muon",
})  # fmt: skip
"""Optimizers whose steps depend on earlier gradients; SGD does with momentum."""

ITERATION = re.compile(r"epoch|step|iter|batch", re.IGNORECASE)
"""Names of what counts the iterations of a training, and not what is compared."""


def _made(facts: Facts, several: bool = False) -> Iterator[list[tuple[Row, list[Row]]]]:
    """(optimizer, its steps: one, or several) of optimizers from one place, each made after the steps of the last."""
    places: dict[tuple[object, ...], list[Row]] = {}
    for optimizer in facts.optimizers:
        if optimizer["line"] is not None and optimizer["tensors"]:
            key = optimizer.get("file"), optimizer["line"], optimizer["type"]
            places.setdefault(key, []).append(optimizer)
    for made in places.values():
        steps = [[use for use in o["uses"] if use["what"] == "step"] for o in made]
        pairs = [(o, own) for o, own in zip(made, steps, strict=True) if own]
        if len(pairs) < FEWEST or not all(steps[:-1]) or any((len(own) > 1) != several for _, own in pairs[:-1]):
            continue
        ends = [(own[0]["passes"], own[-1]["passes"]) for _, own in pairs]
        if all(one[1] < other[0] for one, other in pairwise(ends)) and (several or len(pairs[-1][1]) == 1):
            yield pairs


def optimizer_remade(facts: Facts) -> Iterator[Found]:
    """An optimizer for each step or epoch, which knows nothing of the steps before."""
    if facts.error is not None or facts.gaps:
        return
    for several in (False, True):
        for pairs in _made(facts, several):
            first, (step, *_) = pairs[0]
            tensors = first["tensors"]
            if any(o["tensors"] != tensors for o, _ in pairs) or not _remembers(facts, first):
                continue
            lines = {use["line"] for _, own in pairs for use in own}
            begin = facts.passes[step["passes"] - 1].begin if 0 < step["passes"] <= len(facts.passes) else 0
            written = [facts.events[at].get("line") for t in tensors for at in facts.writes.get(t, ()) if at > begin]
            if _compared(facts, first) or not lines.issuperset(written):  # begins again, or is set in other ways
                continue
            if several and not _epochs(facts, pairs):
                continue
            count = f"{len(pairs)} epochs" if several else f"{len(pairs)} steps"
            yield Found(
                f"Line {facts.shown(first['line'])} makes a new {first['type']} for each of {count} of "
                f"{names_of(facts, tensors)}: none knows of the gradients before",
                [first["line"], step["line"]],
                tensors,
            )


def _epochs(facts: Facts, pairs: list[tuple[Row, list[Row]]]) -> bool:
    """Whether optimizers of one rate are made in a loop that counts epochs, there or in a function it calls."""
    line = pairs[0][0]["line"]
    function = facts.source.function(line)
    calls = facts.source.all_calls(function.name) if isinstance(function, ast.FunctionDef) else []
    loops = [facts.source.loops(at)[-1:] for at in (line, *[call.lineno for call in calls])]
    heads = [[loop.target, loop.iter] if isinstance(loop, ast.For) else [loop.test] for (loop,) in filter(None, loops)]
    rates = {use.get("lr") for _, own in pairs for use in own[:1]}
    counted = any("epoch" in facts.source.text(part).lower() for head in heads for part in head)
    return counted and len(rates) == 1 and not _choosing(facts, line)


def _remembers(facts: Facts, optimizer: Row) -> bool:
    if optimizer["type"] != "SGD":
        return optimizer["type"] in REMEMBERS
    return any(
        keyword.arg == "momentum" and not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
        for call in facts.source.calls(optimizer["line"], "SGD")
        for keyword in call.keywords
    )


def _choosing(facts: Facts, line: int | None) -> list[ast.For]:
    """The loops around a statement that it takes something from."""
    used = names_in(facts.source.statement(line))
    return [loop for loop in facts.source.loops(line) if isinstance(loop, ast.For) and used & names_in(loop.target)]


def _compared(facts: Facts, optimizer: Row) -> bool:
    """Whether it is made of what a loop goes through: settings to compare."""
    return any(
        isinstance(loop.iter, ast.Tuple | ast.List | ast.Dict) or _is_items(loop.iter)
        for loop in _choosing(facts, optimizer["line"])
    )


def _is_items(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "items"


def model_remade(facts: Facts) -> Iterator[Found]:
    """A model for each step, which begins where the one before began."""
    if facts.error is not None or facts.gaps:
        return
    for pairs in _made(facts):
        shapes = [[facts.tensors[t]["shape"] for t in o["tensors"]] for o, _ in pairs]
        every = [t for o, _ in pairs for t in o["tensors"]]
        if len(set(every)) < len(every) or any(each != shapes[0] for each in shapes):
            continue
        if not all(_of_its_iteration(facts, o, own[0]) for o, own in pairs):
            continue
        tensors = pairs[-1][0]["tensors"]
        row = facts.tensors[tensors[0]]
        line = pairs[0][0]["line"] if facts.scopes[row["scope"]]["label"] == "__init__" else row["line"]
        if _chosen(facts, line) or _kept(facts, tensors):
            continue
        yield Found(
            f"{names_of(facts, tensors)} are made anew in each iteration: none of {len(pairs)} steps goes on from the "
            "one before",
            [line, row["line"], pairs[0][0]["line"], pairs[0][1][0]["line"]],
            tensors,
        )


def _of_its_iteration(facts: Facts, optimizer: Row, step: Row) -> bool:
    """Whether an optimizer's leaves are made in the iteration that trains them, and not used after it."""
    if not 0 < step["passes"] <= len(facts.passes):
        return False
    p: Pass = facts.passes[step["passes"] - 1]
    root = facts.root(p)
    turns = facts.loops(facts.tensors[root]["scope"])[:1] if root else []
    loop = facts.source.statement(turns[0]["line"]) if turns else None
    if not isinstance(loop, ast.For | ast.While) or not _counts(loop):
        return False
    for t in optimizer["tensors"]:
        if "." not in str(facts.tensors[t]["path"] or ""):
            return False  # of no module: what is fitted to each sample, such as a perturbation
        made = facts.loops(facts.tensors[t]["scope"])[:1]
        if not made or made[0]["id"] != turns[0]["id"] or t not in p.reached:
            return False
        if any(i >= p.ops and t not in facts.ops[i]["outputs"] for i in facts.users.get(t, ())):
            return False
    return True


def _counts(loop: ast.For | ast.While) -> bool:
    """Whether a loop counts the iterations of a training: in its head, or a `while` in its body."""
    names = names_in(loop.target) if isinstance(loop, ast.For) else names_in(loop.test)
    added = [s.target for s in loop.body if isinstance(s, ast.AugAssign)] if isinstance(loop, ast.While) else []
    return any(ITERATION.search(name) for name in names | names_in(*added))


def _chosen(facts: Facts, line: int | None) -> bool:
    """Whether a loop makes a model on purpose: of what it goes through, or after a seed."""
    source = facts.source
    if source.all_calls("load_state_dict", "deepcopy") or _choosing(facts, line):
        return True
    seeds = [call.lineno for call in source.all_calls("manual_seed")]
    return any(loop.lineno < seed <= (loop.end_lineno or 0) for loop in source.loops(line) for seed in seeds)


def _kept(facts: Facts, tensors: list[str]) -> bool:
    """Whether the program collects what it makes."""
    own = {str(facts.tensors[t]["name"] or "").split(".")[0] for t in tensors} - {""}
    calls = facts.source.all_calls("append", "add", "extend", "insert")
    values: list[ast.AST] = [argument for call in calls for argument in call.args]
    values += [
        statement.value
        for statement in ast.walk(facts.source.tree)
        if isinstance(statement, ast.Assign) and any(isinstance(target, ast.Subscript) for target in statement.targets)
    ]
    return not own.isdisjoint(names_in(*values))


RULES = [
    Rule(
        "optimizer-remade", "construction", "warning",
        "At least 3 optimizers from one line take one step each, one after the other, of the same tensors: Adam or "
        "another that remembers gradients, or SGD with momentum. Or several steps each, at one rate, in a loop that "
        "counts epochs.",
        "Adam's averages and SGD's momentum are the optimizer's, and begin at 0 with it. A first step of Adam is the "
        "learning rate times the sign of the gradient, whatever its size.",
        "Make the optimizer once, before the loop.",
        "Silent when the weights are set in between, for settings that a loop goes through, and when part of the run "
        "was not recorded.", optimizer_remade,
    ),
    Rule(
        "model-remade", "construction", "warning",
        "In a for or while loop that counts epochs, steps, iterations or batches, each iteration makes a module and "
        "an optimizer that takes one step of its parameters, at least 3 times, and nothing uses them afterwards.",
        "New parameters are random again: what a step learned is thrown away with the model.",
        "Make the model and its optimizer once, before the loop.",
        "Silent for plain tensors, as those fitted to each sample, and for models that are collected, "
        "evaluated, copied, seeded or made of what the loop goes through.",
        model_remade,
    ),
]  # fmt: skip
