"""Rules: hooks that do nothing, or something that nobody sees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from .facts import Facts, Pass, Row
from .finding import Found, Rule
from .names import name_of
from .source import called, names_in

REGISTERS = (
    "register_hook", "register_prehook", "register_post_accumulate_grad_hook", "register_full_backward_hook",
    "register_full_backward_pre_hook",
)  # fmt: skip
"""Methods whose hooks know their line; those of `register_backward_hook` are registered when the module is called."""

WRAPS = "BackwardHookFunctionBackward"


def _silent(facts: Facts) -> Iterator[tuple[ast.Call, str]]:
    """(call, what it is a method of) of registered hooks that did not run, whose handle nobody uses."""
    if facts.error is not None or facts.gaps or not facts.passes or "hook" not in facts.source.code:
        return
    ran = {facts.events[i].get("registered") for i in facts.times("hook")}
    for call in facts.source.all_calls(*REGISTERS):
        statement = facts.source.statement(call.lineno)
        if isinstance(call.func, ast.Attribute) and call.lineno not in ran and not _removed(facts, statement):
            yield call, facts.source.text(call.func.value)


def hook_never_ran(facts: Facts) -> Iterator[Found]:
    """A backward hook on what no later pass goes through."""
    several = len(facts.document.get("files", ())) > 1
    for call, on in _silent(facts):
        last = facts.passes[-1]
        if facts.source.statement(call.lineno) not in facts.source.tree.body or call.lineno >= (last.line or 0):
            continue
        if several and not facts.source.together(call.lineno, last.line):
            continue
        yield Found(
            f"The hook on {on} from line {facts.shown(call.lineno)} never runs: no backward() comes to it",
            [call.lineno, last.line],
            [t for t in [facts.bound.get(on)] if t is not None],
        )


def hook_too_late(facts: Facts) -> Iterator[Found]:
    """A backward hook that is registered after the pass that came through, when none follows."""
    told: set[str] = set()
    for call, on in _silent(facts):
        loop = _over_parameters(facts, call.lineno, on)
        line, what = (call.lineno, on) if loop is None else (loop.lineno, _gone_through(facts, loop))
        beside = [p for p in facts.passes if facts.source.together(line, p.line)]
        if not beside or any(p.line is None or p.line >= line for p in beside) or what in told:
            continue
        if facts.source.statement(call.lineno) in facts.source.tree.body and line < (facts.passes[-1].line or 0):
            continue  # another may have been meant
        tensors = _passed(facts, beside[-1], what, module=loop is not None or "full_backward" in called(call))
        if tensors:
            told.add(what)
            yield Found(
                f"The hook on {on} is registered on line {facts.shown(call.lineno)}, after the backward() of line "
                f"{beside[-1].line}, and never runs",
                [call.lineno, beside[-1].line],
                tensors,
                events=[beside[-1].begin],
            )


def _over_parameters(facts: Facts, line: int, on: str) -> ast.For | None:
    """The loop over parameters of a module whose body a hook is registered in."""
    for loop in facts.source.loops(line):
        if isinstance(loop, ast.For) and on in names_in(loop.target) and isinstance(loop.iter, ast.Call):
            if called(loop.iter) in ("parameters", "named_parameters"):
                return loop
    return None


def _gone_through(facts: Facts, loop: ast.For) -> str:
    """The module whose parameters a loop goes through."""
    function = loop.iter.func if isinstance(loop.iter, ast.Call) else None
    return facts.source.text(function.value) if isinstance(function, ast.Attribute) else ""


def _passed(facts: Facts, p: Pass, on: str, module: bool) -> list[str]:
    """The tensor, or the parameters of the module, of this name that a pass came to."""
    if module:
        return [t for t in p.reached if str(facts.tensors[t]["path"] or "").startswith(f"{on}.")]
    named = [facts.bound[on]] if on in facts.bound else [t for t in p.reached if facts.tensors[t]["name"] == on]
    return [t for t in named if t in p.reached or facts.tensors[t]["grad_fn"] in p.reachable]


def _removed(facts: Facts, statement: ast.stmt | None) -> bool:
    """Whether the handle of a hook is used, as to remove it."""
    names = [t.id for t in statement.targets if isinstance(t, ast.Name)] if isinstance(statement, ast.Assign) else []
    return isinstance(statement, ast.With) or any(facts.source.mentions("remove", name) for name in names)


def hook_wraps(facts: Facts) -> Iterator[Found]:
    """A full backward hook on a module whose output the program compares by identity, or writes to."""
    wrapped = [node for node in facts.nodes.values() if node["name"] == WRAPS]
    if not wrapped:
        return
    calls = facts.source.all_calls("register_full_backward_hook", "register_full_backward_pre_hook")
    compared = _identities(facts)
    if not calls or not compared:
        return
    made = {str(t["grad_fn"]): t for t in facts.tensors.values() if t["grad_fn"] is not None}
    outs: list[Row] = [made[node["id"]] for node in wrapped if node["id"] in made]
    for compare in compared:
        lines = {compare.lineno, *facts.source.behind([compare.left, *compare.comparators])}
        found = [row for row in outs if row["line"] in lines]
        if not found:
            continue
        yield Found(
            f"{facts.source.text(compare)} on line {facts.shown(compare.lineno)} compares with another object: the "
            f"full backward hook of line {facts.shown(calls[0].lineno)} wraps what its module takes and returns",
            [compare.lineno, calls[0].lineno],
            [row["id"] for row in found[:2]],
            [str(row["grad_fn"]) for row in found[:2]],
        )
        return


def _identities(facts: Facts) -> list[ast.Compare]:
    """Comparisons with `is` of what is no constant."""
    return [
        node
        for node in ast.walk(facts.source.tree)
        if isinstance(node, ast.Compare)
        and isinstance(node.ops[0], ast.Is | ast.IsNot)
        and not isinstance(node.comparators[0], ast.Constant)
    ]


def doubled(facts: Facts) -> Iterator[Found]:
    """A leaf whose .grad is twice its gradient, because a second pass added the same once more."""
    if facts.optimizers or facts.gaps or facts.error is not None or len(facts.outer_passes) < 2:
        return
    for first, p in pairwise(facts.outer_passes):
        if first.event["roots"] != p.event["roots"] and _written(facts, first) != _written(facts, p):
            continue
        twice = []
        for t in first.reached.keys() & p.reached.keys():
            one, other = facts.events[first.reached[t]], facts.events[p.reached[t]]
            whole = facts.array(one["incoming"]) is not None and not facts.zero(one["incoming"])
            if whole and one["before"] is None is not other["before"]:
                if facts.numbers(one["incoming"]) == facts.numbers(other["incoming"]):
                    twice.append(t)
        twice.sort(key=lambda t: int(t[1:]))
        if twice and not any(at > facts.outer_passes[0].begin for t in twice for at in facts.writes.get(t, ())):
            if _knows(facts):
                return
            name = name_of(facts, twice[0])
            yield Found(
                f"{name}.grad is twice its gradient: this backward() adds the same numbers once more",
                [p.line],
                twice,
                events=[p.reached[twice[0]]],
            )
            return


def _written(facts: Facts, p: Pass) -> str:
    """The line that begins a pass, as the program has it."""
    lines = facts.source.lines
    return lines[p.line - 1].partition("#")[0].strip() if p.line is not None and p.line <= len(lines) else ""


def _knows(facts: Facts) -> bool:
    """Whether the program clears gradients anywhere, or says what it shows."""
    cleared = facts.source.all_calls("zero_grad", "zero_") or facts.source.attributes("grad")
    return bool(cleared) or "accumulat" in facts.source.code.lower()


RULES = [
    Rule(
        "doubled", "construction", "hint",
        "A second backward(), of the same root or written in the same words, adds to a leaf's .grad exactly what the "
        "first one put there, nothing is updated, and the program never clears gradients.",
        "backward() adds to .grad, which keeps what an earlier pass has left.",
        "Clear it between the two, x.grad = None, or call backward() once.",
        "Silent with an optimizer, for gradients that differ, and for programs that speak of accumulating.", doubled,
    ),
    Rule(
        "hook-never-ran", "construction", "hint",
        "The program registers a backward hook outside of functions and branches, before its last backward() or "
        "grad(), and it never runs.",
        "A hook runs when a pass comes to its tensor or goes through its module: a pass that ends at the module's "
        "output, or goes another way, does not.",
        "Register it on a tensor that lies on the way, or ask for a gradient on the other side of the module.",
        "Silent when the hook is removed, when part of the run was not recorded, and in programs of several files for "
        "passes that begin in functions.",
        hook_never_ran,
    ),
    Rule(
        "hook-too-late", "construction", "hint",
        "A hook is registered after a backward(), or grad(), that came to its tensor or went through its module, in "
        "the same block, and no later one runs it.",
        "A hook is called when a pass comes by. What has already gone by is not told again.",
        "Register it before backward(): right after the tensor or the module is made.",
        "Silent when the hook is removed, when another pass follows that may have been meant, and when part of the run "
        "was not recorded.", hook_too_late,
    ),
    Rule(
        "hook-wraps", "construction", "hint",
        "The program compares with `is` what a module with a full backward hook takes or returns.",
        "To see the gradients at both ends, such a hook passes what goes in and what comes out through a node of its "
        "own: the numbers are the same, the tensors are others.",
        "Compare the numbers (torch.equal), or register the hook on the tensor itself.",
        "Silent without such a comparison.", hook_wraps,
    ),
]  # fmt: skip
