"""Rules: a gradient arrives where no optimizer uses it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .facts import Facts, Row
from .finding import Found, Rule
from .names import name_of, names_of
from .source import Edit
from .targets import copies


def _orphans(facts: Facts) -> list[str]:
    """Leaves that got gradients while optimizers take steps, and are in none of them, and no copy of what is."""
    if not facts.stepping:
        return []
    written = {t for t, times in facts.writes.items() if any(time > facts.passes[0].begin for time in times)}
    lost = facts.reached - facts.held - written - copies(facts).keys()
    return sorted(lost, key=lambda t: int(t[1:]))


def optimizer_stale(facts: Facts) -> Iterator[Found]:
    """Optimizers that hold what modules have replaced."""
    if facts.error is not None or not facts.passes:
        return
    inside = {t for module in facts.document["modules"] for t in module["parameters"].values()}
    lost = _orphans(facts)
    for optimizer in facts.stepping:
        held = optimizer["tensors"]
        stale = [t for t in held if t not in inside and t not in facts.reached and not _consumed(facts, t)]
        names = {facts.tensors[t]["name"] for t in stale} - {None}
        orphans = [t for t in lost if t in facts.parameters or facts.tensors[t]["name"] in names]
        if not stale or not orphans:
            continue
        yield Found(
            f"{optimizer['name'] or optimizer['type']} still holds {len(stale)} tensors that were replaced: "
            f"{names_of(facts, orphans)} {'is' if len(orphans) == 1 else 'are'} never updated",
            [optimizer["line"], facts.tensors[orphans[0]]["line"]],
            [*orphans, *stale],
        )


def _consumed(facts: Facts, tensor: str) -> bool:
    """Whether anything but its initialisation used a tensor."""
    return any(tensor not in facts.ops[i]["outputs"] for i in facts.users.get(tensor, ()))


def not_in_optimizer(facts: Facts) -> Iterator[Found]:
    """Parameters with gradients that no optimizer has."""
    if facts.error is not None or not facts.passes or next(optimizer_stale(facts), None):
        return
    orphans = _orphans(facts)
    groups: dict[str, list[str]] = {}
    for t in orphans:
        row = facts.tensors[t]
        if t in facts.parameters:
            groups.setdefault(facts.parameters[t][0]["path"].split(".")[0], []).append(t)
        elif _beside(facts, t):
            groups.setdefault(row["name"], []).append(t)
        elif (module := _attribute_of(facts, t)) is not None:
            yield _unregistered(facts, t, module)
        elif _inside_module(facts, t):
            groups.setdefault("", []).append(t)
    for name, tensors in groups.items():
        line = facts.stepping[0]["line"]
        made = [t for t in tensors if _in_forward(facts, t) and not (name and _once(facts, t))]
        if made:
            at = facts.tensors[made[0]]["line"]
            yield Found(
                f"Parameters made in forward(), on line {at}, get gradients, but no optimizer holds them: each call "
                "makes new ones",
                [at, line],
                made,
                fix=f"Make {'it' if name else 'the layer'} once, in __init__, as an attribute of the module.",
            )
            tensors = [t for t in tensors if t not in made]
        if not tensors:
            continue
        in_list = not name
        some = not in_list and any(
            t in facts.held for t, (module, _) in facts.parameters.items() if module["path"].split(".")[0] == name
        )
        yield Found(
            f"{names_of(facts, tensors)} {'gets' if len(tensors) == 1 else 'get'} gradients, but no optimizer holds "
            + ("it" if len(tensors) == 1 else "them"),
            [line, facts.tensors[tensors[0]]["line"]],
            tensors,
            severity="warning" if in_list else "hint" if some or name in _tops(facts) else "warning",
        )


def _attribute_of(facts: Facts, tensor: str) -> Row | None:
    """The module of which a leaf is an attribute, and no parameter, while an optimizer holds parameters of it."""
    path, _, name = str(facts.tensors[tensor].get("path") or "").rpartition(".")
    if not path or facts.source.mentions("grad", facts.tensors[tensor]["name"]) or tensor in facts.parameters:
        return None
    if facts.source.mentions("grad", f"self.{name}"):
        return None
    top = path.split(".")[0]
    held = any(t in facts.held for t, (module, _) in facts.parameters.items() if module["path"].split(".")[0] == top)
    return next((module for module in facts.document["modules"] if module["path"] == path and held), None)


def _unregistered(facts: Facts, tensor: str, module: Row) -> Found:
    name = name_of(facts, tensor)
    own = name.rpartition(".")[2]
    made = [s for s in facts.source.attributes(own) if s.lineno == facts.tensors[tensor]["line"]]
    return Found(
        f"{name} gets gradients, but it is no parameter of {module['path']}, so no optimizer holds it",
        [facts.tensors[tensor]["line"], facts.stepping[0]["line"]],
        [tensor],
        edits=[edit] if len(made) == 1 and (edit := _registered(facts, made[0])) else [],
        fix=f"Make it a parameter, which parameters() lists: self.{own} = nn.Parameter(…).",
    )


def _registered(facts: Facts, made: ast.Assign) -> Edit | None:
    """`nn.Parameter(…)` around what is assigned, which needs no `requires_grad=True` then."""
    call = made.value
    if not isinstance(call, ast.Call) or not any(k.arg == "requires_grad" for k in call.keywords):
        return None
    if "nn" not in facts.source.imported:
        return None
    kept = [facts.source.text(a) for a in call.args]
    kept += [facts.source.text(k) for k in call.keywords if k.arg != "requires_grad"]
    return facts.source.replace(call, f"nn.Parameter({facts.source.text(call.func)}({', '.join(kept)}))")


def _in_forward(facts: Facts, tensor: str) -> bool:
    """Whether a leaf was made while a module was called."""
    scope = facts.tensors[tensor]["scope"]
    while scope is not None:
        row = facts.scopes[scope]
        if row["kind"] == "module":
            return True
        scope = row["parent"]
    return False


def _once(facts: Facts, tensor: str) -> bool:
    """Whether nothing else of its shape was made on its line: a layer that waits for its first input."""
    row = facts.tensors[tensor]
    made = [t for t, other in facts.tensors.items() if other["line"] == row["line"] and facts.leaf(t)]
    return [facts.tensors[t]["shape"] for t in made].count(row["shape"]) == 1


def _beside(facts: Facts, tensor: str) -> bool:
    """Whether a leaf of the program's own is used like others that an optimizer holds."""
    name = facts.tensors[tensor]["name"]
    passes = [p for p in facts.outer_passes if tensor in p.reached]
    if not name or len(passes) < 2 or facts.source.mentions("grad", name):
        return False
    if any(tensor in (p.event.get("inputs") or ()) for p in facts.passes):
        return False
    own = [t for t in facts.held if t not in facts.parameters]
    return any(all(t in p.reached for p in passes) for t in own)


def _tops(facts: Facts) -> set[str]:
    return {module["path"].split(".")[0] for module in facts.document["modules"]}


def _inside_module(facts: Facts, tensor: str) -> bool:
    """Whether a module that nothing leads to used the tensor as its own: one in a plain list."""
    if tensor in facts.parameters or not any(tensor in facts.ops[i]["inputs"] for i in facts.makers.get(tensor, ())):
        return False  # nothing initialised it
    for i in facts.users.get(tensor, ())[:10]:
        op: Row = facts.ops[i]
        scope = facts.scopes[op["scope"]]
        if scope["kind"] == "module" and tensor not in op["outputs"]:
            return True
    return False


RULES = [
    Rule(
        "optimizer-stale", "arrival", "error",
        "An optimizer that takes steps holds tensors that no module has and nothing uses, while parameters, or "
        "leaves of the same names, that no optimizer holds get gradients.",
        "An optimizer keeps the tensors it was given; a module that replaces another later has new ones.",
        "Create the optimizer after the last change to the model.",
        "Silent for tensors without a name in the document.", optimizer_stale,
    ),
    Rule(
        "not-in-optimizer", "arrival", "warning",
        "A parameter, or a leaf whose .grad the program never mentions, gets gradients but no optimizer holds it, "
        "while some optimizer takes steps; or a tensor that is an attribute of a module, and none of its parameters. A "
        "hint when a whole module is left out, which may be intended.",
        "Its gradient is computed but never used, so it keeps its initial value.",
        "Pass it to an optimizer; modules kept in a plain list belong in an nn.ModuleList.",
        "Silent for leaves that are written to, and when optimizer-stale says more.", not_in_optimizer,
    ),
]  # fmt: skip
