"""Rules: graphs that stay in memory."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .cuts import history
from .facts import CHAIN, Facts, Pass, Row
from .finding import Found, Rule
from .losses import place
from .memory import amount, behind, held
from .names import name_of


def retain_graph_needless(facts: Facts) -> Iterator[Found]:
    """retain_graph=True where no later pass comes back."""
    if facts.error is not None or facts.gaps:
        return
    again: set[str] = set()
    lines: dict[int | None, list[Pass]] = {}
    needed: set[int | None] = set()
    for p in reversed(facts.passes):
        own = {n for n in p.reachable if facts.nodes[n]["variable"] is None}
        if p.event["retain_graph"] and not p.event["create_graph"] and _asked(facts, p.line):
            lines.setdefault(p.line, []).append(p)
            if own & again:
                needed.add(p.line)
        again |= own
    for line, passes in lines.items():
        if line in needed or line is None or len(passes) < 2:
            continue
        edits = []
        calls = [c for c in facts.source.calls(line, "backward") if any(k.arg == "retain_graph" for k in c.keywords)]
        if len(calls) == 1:
            call = calls[0]
            kept = [facts.source.text(a) for a in call.args]
            kept += [facts.source.text(k) for k in call.keywords if k.arg != "retain_graph"]
            edits = [facts.source.replace(call, f"{facts.source.text(call.func)}({', '.join(kept)})")]
        root = facts.root(passes[-1])
        size = held(facts, passes[-1].reachable)
        yield Found(
            f"retain_graph=True isn't needed on line {line}: backward() is never called on this graph again"
            + (f", which holds {amount(size)}" if size else ""),
            [line],
            [root] if root else [],
            events=[passes[-1].begin],
            values={"bytes": size} if size else {},
            edits=edits,
        )


def _asked(facts: Facts, line: int | None) -> bool:
    """Whether the program says `retain_graph` on a line: functions of torch that go through a graph say it, too."""
    calls = facts.source.calls(line, "backward", "grad")
    return any(len(c.args) > 1 or any(k.arg in ("retain_graph", None) for k in c.keywords) for c in calls)


def graph_grows(facts: Facts) -> Iterator[Found]:
    """A graph that reaches back into earlier turns."""
    yield from _reaching_back(facts)
    yield from _kept_losses(facts)
    yield from _listed_losses(facts)


def _reaching_back(facts: Facts) -> Iterator[Found]:
    second = facts.error is not None and "backward through the graph a second time" in facts.error["message"]
    for line, passes in facts.by_line.items():
        if len(passes) < (2 if second else 3):
            continue
        p, before = passes[-1], passes[-2]
        old = [
            facts.ops[number]
            for n in p.reachable
            if (op := facts.nodes[n]["op"]) is not None and (number := facts.number[op]) < before.ops
        ]
        grown = len(passes[-3].reachable) < len(before.reachable) < len(p.reachable) if len(passes) > 2 else False
        loop = facts.root(p)
        turn = None if loop is None else facts.iteration(facts.tensors[loop]["scope"])
        if not old or turn is None or not (grown or second) or not _other_turn(facts, old[-1], turn):
            continue
        newest = max(old, key=lambda op: facts.number[op["id"]])
        carried = newest["outputs"][0]
        users = [facts.ops[i] for i in facts.users.get(carried, ()) if i >= before.ops]
        name = facts.tensors[carried]["name"] or _target(facts, newest) or name_of(facts, carried)
        where = users[0]["line"] if users else newest["line"]
        more = held(facts, p.reachable) - held(facts, before.reachable)
        yield Found(
            f"backward() on line {line} goes back into earlier iterations through {name}: "
            f"{len(before.reachable)} nodes, then {len(p.reachable)}"
            + (f"; it holds {amount(more)} more each iteration" if more > 0 else ""),
            [where, newest["line"], line],
            [carried],
            [newest["node"]] if newest["node"] else [],
            [newest["id"]],
            events=[p.begin],
            values={
                "nodes": [len(q.reachable) for q in passes[:20]],
                **({"bytes": [held(facts, q.reachable) for q in passes[:20]]} if more > 0 else {}),
            },
            severity="error" if second else "warning",
            fix=f"Detach what is carried from one iteration to the next: {name} = {name}.detach().",
            since=turn,
            explains_error=second,
        )


def _target(facts: Facts, op: Row) -> str | None:
    """The attribute that the result of an expression was assigned to."""
    value = facts.source.expression(op)
    for statement in ast.walk(facts.source.tree) if value is not None else ():
        if isinstance(statement, ast.Assign) and statement.value is value and len(statement.targets) == 1:
            return facts.source.text(statement.targets[0])
    return None


def graph_freed(facts: Facts) -> Iterator[Found]:
    """A pass through what an earlier one has freed."""
    error = facts.error
    if error is None or "backward through the graph a second time" not in error["message"]:
        return
    node = error["nodes"][0] if error["nodes"] else _reached(facts, error["line"])
    freed = [i for i in facts.times("release") if facts.events[i]["node"] == node]
    op = facts.nodes[node]["op"] if node in facts.nodes else None
    if node is None or not freed or op is None or any(found.explains_error for found in _reaching_back(facts)):
        return
    made = facts.ops[facts.number[op]]
    earlier = next((p for p in facts.passes if p.call == facts.events[freed[0]]["call"]), None)
    if earlier is None:
        return
    name = name_of(facts, made["outputs"][0])
    place = f" (line {made['line']})" if made["line"] not in (None, error["line"]) else ""
    by = "the first one has" if earlier.line == error["line"] else f"the backward() of line {earlier.line} has"
    again = "goes a second time" if earlier.line == error["line"] else "goes"
    yield Found(
        f"backward() on line {error['line']} {again} through the graph of {name}{place}, which {by} freed",
        [*_to_change(facts, made, earlier), error["line"]],
        [made["outputs"][0]],
        [node],
        [op],
        events=[earlier.begin],
        fix=_unfreed(facts, made, earlier, name),
        explains_error=True,
    )


def _reached(facts: Facts, line: int | None) -> str | None:
    """The freed node that the last pass came to first, where the error does not name it: that of the latest op."""
    if not facts.passes or facts.passes[-1].line != line:
        return None
    last = facts.passes[-1]
    freed = {facts.events[i]["node"] for i in facts.times("release") if facts.events[i]["call"] != last.call}
    ops = [op for node in last.reachable if node in freed and (op := facts.nodes[node]["op"]) is not None]
    latest = max(ops, key=lambda op: facts.number[op], default=None)
    return None if latest is None else facts.ops[facts.number[latest]]["node"]


def _to_change(facts: Facts, made: Row, earlier: Pass) -> list[int | None]:
    """Lines on which something can be done about a graph that two passes share."""
    return [made["line"], earlier.line] if _made_once(facts, made, earlier) else [earlier.line, made["line"]]


def _made_once(facts: Facts, made: Row, earlier: Pass) -> bool:
    """Whether a tensor was made outside of the loop that a pass is in."""
    root = facts.root(earlier)
    inner = facts.loops(facts.tensors[root]["scope"]) if root is not None else []
    return bool(inner) and inner[0]["id"] not in {row["id"] for row in facts.loops(made["scope"])}


def _unfreed(facts: Facts, made: Row, earlier: Pass, name: str) -> str:
    """What helps against a second pass through a graph."""
    if _made_once(facts, made, earlier):
        calls = [c for c in facts.source.on(made["line"]) if isinstance(c, ast.Call)]
        if any(k.arg == "requires_grad" for c in calls for k in c.keywords):
            return f"{name} is the result of an op. Make the leaf last: {name} = (…).detach().requires_grad_()."
        if facts.source.calls(made["line"], "Parameter"):
            return f"Compute with the numbers first and make the parameter last: {name} = nn.Parameter(…)."
        return f"It is computed once, before the loop. Compute {name} anew in each iteration, from its leaves."
    behind = history(facts, made["outputs"][0], len(facts.ops)).leaves(facts, made["outputs"][0])
    taking = [
        o for o in facts.stepping if any(u["what"] == "step" and u["passes"] == earlier.call + 1 for u in o["uses"])
    ]
    if taking and behind and not any(behind & set(o["tensors"]) for o in taking):
        return (
            f"{taking[0]['name'] or 'The optimizer'} doesn't train what {name} was computed from: give the first loss "
            f"{name}.detach(), so that its backward() of line {earlier.line} ends there."
        )
    if facts.root(earlier) == made["outputs"][0] or facts.error is not None and earlier.line == facts.error["line"]:
        return "Call backward() once for each forward computation, or pass retain_graph=True to the first one."
    return (
        f"Add the losses and call backward() once, or pass retain_graph=True to the backward() of line {earlier.line}."
    )


def _other_turn(facts: Facts, op: Row, turn: int) -> bool:
    earlier = facts.iteration(op["scope"])
    return earlier is not None and earlier != turn


def _kept_losses(facts: Facts) -> Iterator[Found]:
    """A sum of losses that keeps every graph, although each has had its pass."""
    roots = {root for p in facts.outer_passes if (root := facts.root(p)) is not None}
    if len(roots) < 3:
        return
    chains: dict[tuple[int | None, ...], list[int]] = {}
    for i in facts.named.get("add", ()):
        op = facts.ops[i]
        if op["node"] is not None and any(_behind(facts, t) in roots for t in op["inputs"]):
            chains.setdefault(place(op), []).append(i)
    for at, chain in chains.items():
        links = [
            i for before, i in zip(chain, chain[1:], strict=False)
            if facts.ops[before]["outputs"][0] in {s for t in facts.ops[i]["inputs"] for s in (t, _behind(facts, t))}
        ]  # fmt: skip
        behind_passes = any(set(facts.ops[i]["outputs"]) & roots for i in chain)
        used = {facts.ops[i]["node"] for i in chain}
        if len(links) < 2 or behind_passes or any(used & p.reachable for p in facts.passes):
            continue
        if not any(facts.ops[links[0]] and chain[0] < p.ops <= chain[-1] for p in facts.passes):
            continue
        last = facts.ops[chain[-1]]
        total = last["outputs"][0]
        statement = facts.source.statement(at[0])
        edits = []
        if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
            loss = next((t for t in last["inputs"] if t in roots), None)
            if isinstance(statement.value, ast.Name) and loss is not None:
                edits = [facts.source.with_method(statement.value, "item()")]
        size = held(facts, behind(facts, last["node"]))
        yield Found(
            f"{name_of(facts, total)} adds up losses with their history: the graphs of {len(chain)} iterations stay "
            "in memory" + (f" and hold {amount(size)}" if size else ""),
            [at[0]],
            [total],
            [last["node"]],
            [last["id"]],
            values={"bytes": size} if size else {},
            edits=edits,
            fix="Add loss.item() instead: a plain number, without a graph.",
        )


def _listed_losses(facts: Facts) -> Iterator[Found]:
    """A list of losses that keeps every graph, although each has had its pass."""
    begun = {root: p for p in facts.outer_passes if (root := facts.root(p)) is not None}
    if len(begun) < 3:
        return
    for call in facts.source.all_calls("append"):
        if len(call.args) != 1 or not isinstance(call.args[0], ast.Name) or not isinstance(call.func, ast.Attribute):
            continue
        name = call.args[0]
        bound = [facts.events[i] for i in facts.times("bind")]
        turns = [event["tensor"] for event in bound if event["name"] == name.id and event["tensor"] in begun]
        kept = {facts.tensors[t]["grad_fn"] for t in turns} - {None}
        places = {facts.iteration(facts.tensors[t]["scope"]) for t in turns}
        line = facts.tensors[turns[-1]]["line"] if turns else None
        if len(kept) < 3 or len(places) < 3 or facts.source.function(call.lineno) is not facts.source.function(line):
            continue
        if any(kept & p.reachable for root, p in begun.items() if root not in turns):
            continue
        last = turns[-1]
        size = held(facts, set().union(*[behind(facts, node) for node in kept]))
        yield Found(
            f"{facts.source.text(call.func.value)} keeps losses with their history: the graphs of {len(kept)} "
            "iterations stay in memory" + (f" and hold {amount(size)}" if size else ""),
            [call.lineno],
            [last],
            [str(facts.tensors[last]["grad_fn"])],
            values={"bytes": size} if size else {},
            edits=[facts.source.with_method(name, "detach()")],
            fix=f"Keep {name.id}.detach() or {name.id}.item() instead: the number without its graph.",
            severity="hint",
        )


def _behind(facts: Facts, tensor: str) -> str:
    """The tensor of which another is a multiple or a view."""
    made = facts.maker(tensor)
    if made is not None and made["name"] in CHAIN | {"mul", "div"} and made["inputs"]:
        return str(made["inputs"][0])
    return tensor


RULES = [
    Rule(
        "retain-graph-needless", "construction", "hint",
        "In a loop, the program passed retain_graph=True, but no later backward() goes through that graph.",
        "The saved tensors stay in memory for as long as the loss does.",
        "Remove it.",
        "Silent for a single backward(), with create_graph, and when part of the run was not recorded.",
        retain_graph_needless,
    ),
    Rule(
        "graph-grows", "construction", "warning",
        "backward() in a loop goes through nodes of earlier iterations, more of them each time over three "
        "iterations, or fails there; or losses are summed, or kept in a list (a hint), with their history after "
        "their backward().",
        "Every iteration's graph is kept, so memory and time per iteration keep growing.",
        "Detach what is carried from one iteration to the next.",
        "Silent for sums that get a backward() of their own.", graph_grows,
    ),
    Rule(
        "graph-freed", "construction", "error",
        "backward() failed because an earlier backward() had gone through a part of its graph, and freed it.",
        "A backward pass frees what nodes saved, as soon as it has used that. What two losses share is there for the "
        "first alone.",
        "Add the losses and call backward() once, or pass retain_graph=True to the first backward().",
        "Silent when graph-grows says more.", graph_freed,
    ),
]  # fmt: skip
