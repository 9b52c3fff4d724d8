"""Rules: a gradient does not arrive."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from .cuts import MAKERS, RULE, Cut, History, history, receiver
from .facts import CHAIN, Facts, Pass
from .finding import Found, Rule, Severity
from .flags import NO_GRAD, flags
from .names import attribute, expression, name_of, names_of, spoken

MOST = 100
"""Cuts behind one loss that are looked at."""

CHECKPOINT = "None of the inputs have requires_grad=True"
"""The beginning of PyTorch's warning about a reentrant checkpoint."""

SAYS = {
    "detach": "{result} is detached from {source} on line {line}, so {leaf} {get} no gradient",
    "data": "{result} is taken from {data} on line {line}, so {leaf} {get} no gradient",
    "item": "{source} becomes a Python number on line {line}, so {leaf} {get} no gradient",
    "tolist": "{source} becomes Python numbers on line {line}, so {leaf} {get} no gradient",
    "numpy": "{source} becomes a numpy array on line {line}, so {leaf} {get} no gradient",
    "tensor": "{copy} copies the numbers of {source} on line {line}, so {leaf} {get} no gradient",
    "no_grad": "{result} is computed under no_grad on line {line}, so {leaf} {get} no gradient",
    "integer": "{op} on line {line} returns {dtype} values, which have no derivative, so {leaf} {get} no gradient",
    "detach at once": "{source} is detached on line {line}, so {leaf} {get} no gradient",
    "data at once": "{data} is used on line {line}, so {leaf} {get} no gradient",
    "not_differentiable": "{op} on line {line} has no derivative, so {leaf} {get} no gradient",
    "later": "{result} was computed on line {line}, before {source} required grad, so {leaf} {get} no gradient",
    "sample": "{result} is drawn by sample() on line {line}, which records nothing, so {leaf} {get} no gradient",
    "anew": "{result} is made anew under no_grad (line {line}), and what is made there doesn't require grad",
    "detach again": "{source} is replaced by its bare values on line {line}, so {leaf} {get} no gradient",
    "data again": "{source} is replaced by its .data on line {line}, so {leaf} {get} no gradient",
}


SAMPLED = (
    "Use rsample(), which draws as a function of the parameters; where a distribution has none, weigh "
    "log_prob(sample) by what the sample is worth."
)
"""What helps where a gradient ends at a sample."""


def failed_root(facts: Facts) -> tuple[str, int] | None:
    """The tensor that `backward` refused, and the ops before that."""
    if facts.error is None or not facts.error["message"].startswith(NO_GRAD):
        return None
    called_on = receiver(facts, facts.error["line"])
    if isinstance(called_on, ast.Name) and called_on.id in facts.bound:
        return facts.bound[called_on.id], len(facts.ops)
    if facts.ops and facts.ops[-1]["line"] == facts.error["line"]:
        return facts.ops[-1]["outputs"][0], len(facts.ops)
    attribute = ast.unparse(called_on) if called_on is not None else None
    found = [t["id"] for t in facts.document["tensors"] if t["name"] == attribute]
    return (found[-1], len(facts.ops)) if found else None


def trained(facts: Facts, leaf: str) -> bool:
    """Whether the program means to change a leaf: an optimizer holds it."""
    return leaf in facts.held


def cuts(facts: Facts) -> list[tuple[Cut, list[str], Severity]]:
    """Cuts that keep a gradient from leaves: (the cut, these leaves, how bad that is)."""
    known: list[tuple[Cut, list[str], Severity]] | None = facts.known.get("cuts")
    if known is None:
        known = facts.known["cuts"] = _cuts(facts)
    return known


def _cuts(facts: Facts) -> list[tuple[Cut, list[str], Severity]]:
    found: dict[tuple[str, int | None], tuple[Cut, list[str], Severity]] = {}
    failed = failed_root(facts)
    if failed is not None:
        past = history(facts, *failed)
        for cut in past.cuts[:MOST]:
            leaves = past.leaves(facts, cut.source)
            if leaves:
                _merge(found, _line(facts, cut), cut, leaves, "error")
        return list(found.values())
    if not any(row["requires_grad"] and t not in facts.reached and facts.leaf(t) and _wanted(facts, t)
               for t, row in facts.tensors.items()):  # fmt: skip
        return []
    for past in histories(facts):
        unreached = {t for t in past.leaves(facts, past.root) if t not in facts.reached and _wanted(facts, t)}
        if not unreached:
            continue
        for cut in past.cuts[:MOST]:
            missing = past.leaves(facts, cut.source) & unreached
            if missing:
                severity: Severity = "warning" if any(trained(facts, t) for t in missing) else "hint"
                _merge(found, _line(facts, cut), cut, missing, severity)
    return list(found.values())


def _merge(
    found: dict[tuple[str, int | None], tuple[Cut, list[str], Severity]],
    line: int | None, cut: Cut, leaves: set[str], severity: Severity,
) -> None:  # fmt: skip
    """Add a cut to those of its line."""
    first, before, worst = found.get((cut.how, line), (cut, [], severity))
    found[cut.how, line] = first, sorted(leaves.union(before), key=_order), worst


def histories(facts: Facts) -> list[History]:
    """Histories of the losses."""
    known: list[History] | None = facts.known.get("histories")
    if known is None:
        known = facts.known["histories"] = [history(facts, root, ops) for root, ops, _ in facts.losses]
    return known


def _order(tensor: str) -> int:
    return int(tensor[1:])


def _wanted(facts: Facts, leaf: str) -> bool:
    """Whether anybody would miss a leaf's gradient: with optimizers, only of what they hold."""
    return trained(facts, leaf) or not facts.optimizers


def _line(facts: Facts, cut: Cut) -> int | None:
    """The line to change: for no_grad that of the block."""
    scope = facts.tensors[cut.result]["scope"]
    while cut.how == "no_grad" and scope is not None:
        row = facts.scopes[scope]
        if row["kind"] in ("no_grad", "inference_mode"):
            block = isinstance(facts.source.statement(row["line"]), ast.With)
            line: int | None = row["line"] if block else cut.line
            return line
        scope = row["parent"]
    return cut.line


def _kept_detached(facts: Facts) -> int | None:
    """The line on which a custom Function puts something detached on its ctx."""
    calls = facts.source.all_calls("detach", "item", "numpy")
    kept = [call.lineno for call in calls if "ctx." in facts.source.text(facts.source.statement(call.lineno) or call)]
    return kept[0] if kept else None


def cut_rule(name: str) -> Callable[[Facts], Iterator[Found]]:
    """The rule for one kind of cut."""

    def find(facts: Facts) -> Iterator[Found]:
        for cut, leaves, severity in cuts(facts):
            if RULE[cut.how] != name:
                continue
            made = facts.before(cut.result, len(facts.ops))
            line = _line(facts, cut) or _kept_detached(facts)
            result = name_of(facts, cut.result)
            source = name_of(facts, cut.source)
            way, fix = _way(facts, cut, result, source)
            headline = (
                SAYS[way]
                .format(
                    result=result,
                    source=source,
                    data=attribute(name_of(facts, cut.source), "data"),
                    line=line,
                    leaf=names_of(facts, leaves),
                    get="gets" if len(leaves) == 1 else "get",
                    op=spoken(made["name"]) if made else "",
                    dtype=facts.tensors[cut.result]["dtype"],
                    copy=_copying(facts, cut),
                )
                .replace(" on line None", "")
            )
            yield Found(
                headline[0].upper() + headline[1:] if headline.startswith(("a tensor", "the result")) else headline,
                [line, cut.line],
                [*leaves, cut.source, cut.result],
                ops=[made["id"]] if made and cut.how in ("integer", "no_grad") else [],
                fix=fix,
                severity=severity,
                explains_error=facts.error is not None and failed_root(facts) is not None,
            )

    return find


def _copying(facts: Facts, cut: Cut) -> str:
    """How the program spells the function that copies numbers."""
    calls = facts.source.calls(cut.line, *MAKERS)
    return facts.source.text(calls[0].func) if calls else "torch.tensor"


def _way(facts: Facts, cut: Cut, result: str, source: str) -> tuple[str, str | None]:
    """The words of `SAYS` for a cut, and what helps where that is not what helps against others of its kind."""
    if cut.how in ("detach", "data"):
        again = result == source and facts.tensors[cut.result]["name"] is not None
        once = " again" if again else "" if facts.tensors[cut.result]["name"] else " at once"
        return cut.how + once, None
    if cut.how == "no_grad" and facts.source.calls(cut.line, "sample"):
        return "sample", SAMPLED
    if cut.how == "no_grad" and (stepped := _stepped(facts, result, cut.line)) is not None:
        return "anew", stepped
    return cut.how, None


def no_path(facts: Facts) -> Iterator[Found]:
    """Leaves that were used, and not on the way to any loss."""
    yield from cut_rule("no-path")(facts)
    if facts.error is not None or facts.gaps or not facts.outer_passes:
        return
    explained = facts.reached.union(*[leaves for _, leaves, _ in cuts(facts)])
    lost = [
        (t, row)
        for t, row in facts.tensors.items()
        if row["requires_grad"] and row["is_leaf"] and row["name"] and t not in explained
    ]
    behind = set().union(*[past.leaves(facts, past.root) for past in histories(facts)]) if lost else set()
    for p in facts.passes if lost else ():
        behind |= {t for n in p.reachable if (t := facts.nodes[n]["variable"]) is not None}
        behind.update(p.event.get("inputs") or ())
    for t, row in lost:
        if t in behind:
            continue
        users = [facts.ops[i] for i in facts.users.get(t, ()) if t not in facts.ops[i]["outputs"]]
        if t in facts.parameters or not users:
            continue
        if not trained(facts, t) and (facts.optimizers or not facts.source.mentions("grad", row["name"])):
            continue
        end = users[-1]
        yield Found(
            f"{name_of(facts, t)} is used on line {end['line']}, but not for anything that backward() was called on",
            [end["line"], row["line"]],
            [t],
            ops=[end["id"]],
            severity="warning" if trained(facts, t) else "hint",
        )


def unused_parameter(facts: Facts) -> Iterator[Found]:
    """Parameters of modules that no loss depends on."""
    if facts.error is not None or facts.gaps:
        return
    explained = {t for _, leaves, _ in cuts(facts) for t in leaves}
    groups: dict[str, list[str]] = {}
    top = {facts.parameters[t][0]["path"].split(".")[0] for t in facts.reached if t in facts.parameters}
    for t, (module, _) in facts.parameters.items():
        if t not in facts.reached | explained and module["path"].split(".")[0] in top:
            groups.setdefault(module["path"], []).append(t)
    for path, tensors in groups.items():
        used = [i for t in tensors for i in facts.users.get(t, ()) if t not in facts.ops[i]["outputs"]]
        what = "is used, but no loss depends on it" if used else "is never used"
        name = path if len(tensors) > 1 else name_of(facts, tensors[0])
        yield Found(f"{name} {what}, so it gets no gradient", [facts.tensors[tensors[0]]["line"]], tensors)


def frozen_all(facts: Facts) -> Iterator[Found]:
    """`backward` on something nothing of which requires grad."""
    root = failed_root(facts)
    checkpoint = any(warning["message"].startswith(CHECKPOINT) for warning in facts.document["warnings"])
    if root is None or checkpoint or cuts(facts):
        return
    past = history(facts, *root)
    if derivatives(facts).keys() & past.parents.keys() or any(misspelt for *_, misspelt in flags(facts)):
        return
    leaves = [
        t
        for t, parents in past.parents.items()
        if not set(parents) - {t} and facts.tensors[t]["dtype"].removeprefix("torch.").startswith("float")
    ]
    named = [t for t in leaves if facts.tensors[t]["name"]]
    held = [t for module in facts.document["modules"] for t in module["parameters"].values() if t in leaves]
    culprits = held or named or leaves
    edits = []
    name = name_of(facts, root[0])
    for t in named if len(named) == 1 and not held else []:
        for call in facts.source.calls(facts.tensors[t]["line"], "tensor", "randn", "rand", "ones", "zeros"):
            if not any(k.arg == "requires_grad" for k in call.keywords):
                text = facts.source.text(call)
                edits.append(facts.source.replace(call, f"{text[:-1]}, requires_grad=True)"))
    assert facts.error is not None
    yield Found(
        f"Nothing that {name} was computed from requires grad" + (f": {names_of(facts, culprits)}" if culprits else ""),
        [facts.error["line"], *[facts.tensors[t]["line"] for t in culprits[:3]]],
        [root[0], *culprits],
        edits=edits[:1] if len(edits) == 1 else [],
        explains_error=True,
    )


def derivatives(facts: Facts) -> dict[str, Pass]:
    """Gradients that passes without create_graph have given, and these passes."""
    known: dict[str, Pass] | None = facts.known.get("derivatives")
    if known is not None:
        return known
    known = facts.known["derivatives"] = {}
    plain = [p for p in facts.passes if not p.event["create_graph"]]
    asked = {p.line: p for p in plain if p.event.get("inputs") is not None}
    left = {facts.events[time]["after"]: p for p in plain for time in p.reached.values()}
    for t, row in facts.tensors.items():
        if row["requires_grad"] or not row["is_leaf"] or row["detached_from"] is not None or t in facts.makers:
            continue
        if _was_met(facts, t) and row["value"] in left:
            known[t] = left[row["value"]]
        elif row["line"] in asked and _given(facts, asked[row["line"]], row["value"]):
            known[t] = asked[row["line"]]
    return known


def _was_met(facts: Facts, tensor: str) -> bool:
    """Whether a tensor was there before it was first used, where a recording of PyTorch meets it."""
    line, users = facts.tensors[tensor]["line"], facts.users.get(tensor, ())
    return line is None or any(facts.ops[i]["line"] == line for i in users[:1])


def _given(facts: Facts, p: Pass, value: str) -> bool:
    """Whether a pass has sent these numbers."""
    sent = {given for time in p.nodes for given in facts.events[time]["grad_inputs"] if given is not None}
    return value in sent or any(facts.values.get(given) == facts.values.get(value) for given in sent)


def no_create_graph(facts: Facts) -> Iterator[Found]:
    """A gradient that is to be differentiated again, and has no graph."""
    if not facts.passes or not derivatives(facts):
        return
    error = facts.error
    failed = error is not None and error["message"].startswith(NO_GRAD)
    at = None if error is None else error["line"]
    if failed and error is not None:
        root = failed_root(facts)
        names = {part.id for part in facts.source.on(error["line"]) if isinstance(part, ast.Name)}
        behind = history(facts, *root).parents.keys() if root is not None else {facts.bound.get(n) for n in names}
    elif error is not None and "NoneType" in error["message"]:
        failed, last = True, facts.passes[-1]
        at = last.line
        start = facts.root(last) if last.event.get("inputs") and not last.nodes[1:] else None
        behind = history(facts, start, last.ops).parents.keys() if start is not None else set()
    elif error is None:
        behind = {t for past in histories(facts) for t in past.parents if _is_penalty(facts, t)}
    else:
        return
    told: set[int | None] = set()
    for t, p in derivatives(facts).items():
        users = [facts.ops[i] for i in facts.users.get(t, ())]
        if t not in behind or p.line in told or (failed and users and all(map(facts.without_grad, users))):
            continue
        told.add(p.line)
        used = at if failed else facts.ops[facts.users[t][0]]["line"]
        name = facts.tensors[t]["name"] or "a gradient"
        missing = [] if failed else _missing(facts, p)
        yield Found(
            f"{name} comes from a pass without create_graph=True on line {p.line}: on line {used} it is a constant, "
            + (f"so {names_of(facts, missing)} get no gradient" if missing else "and no derivative goes through it"),
            [p.line, used],
            [t, *missing],
            events=[p.begin],
            severity="error" if failed else "warning" if missing else "hint",
            explains_error=failed,
        )


def _missing(facts: Facts, p: Pass) -> list[str]:
    """What optimizers hold that the root of a pass was computed from, and that never gets a gradient."""
    root = facts.root(p)
    if root is None or facts.held <= facts.reached:
        return []
    behind = history(facts, root, p.ops).leaves(facts, root)
    return sorted((t for t in facts.held & behind if t not in facts.reached), key=_order)


PENALTIES = frozenset({"norm", "linalg_vector_norm", "pow", "square", "abs", "mse_loss", "l1_loss", "smooth_l1_loss"})
"""Ops by which a gradient becomes a term of a loss."""


PASSED = CHAIN | {"add", "sub"}
"""Ops between a gradient and those, as in the residual of an equation."""


def _is_penalty(facts: Facts, tensor: str) -> bool:
    """Whether a gradient is measured, and not taken for a step."""
    if tensor not in derivatives(facts):
        return False
    todo = [tensor]
    for _ in range(3):
        users = [facts.ops[i] for t in todo for i in facts.users.get(t, ())[:8]]
        if any(user["name"] in PENALTIES for user in users):
            return True
        todo = [user["outputs"][0] for user in users if user["name"] in PASSED and user["outputs"]]
    return False


def non_leaf_grad(facts: Facts) -> Iterator[Found]:
    """`.grad` of a tensor that is the result of an op."""
    seen: set[int | None] = set()
    for i in facts.times("warning"):
        event = facts.events[i]
        if "Tensor that is not a leaf Tensor is being accessed" not in event["message"]:
            continue
        line = event.get("line")
        if line in seen:
            continue
        seen.add(line)
        names = [
            ast.unparse(node.value)
            for node in facts.source.on(line)
            if isinstance(node, ast.Attribute) and node.attr == "grad"
        ]
        bound = [(name, t) for name in names if (t := facts.bound.get(name) or _attribute(facts, name)) is not None]
        rows = facts.tensors
        bound = [(name, t) for name, t in bound if not rows[t]["is_leaf"] and not rows[t]["retains_grad"]]
        tensors = [t for _, t in bound]
        named = bound[0][0] if bound else names[0] if names else "a tensor"
        made = facts.tensors[tensors[0]]["line"] if tensors else None
        edits = []
        passes = [p.line for p in facts.outer_passes if p.begin < i]
        if len(bound) == 1 and made is not None and facts.source.together(made, passes[-1] if passes else None):
            edit = facts.source.insert_before(passes[-1] or 0, f"{named}.retain_grad()")
            edits = [edit] if edit else []
        by = facts.maker(tensors[0]) if tensors else None
        how = f", the result of {expression(facts, by) or spoken(by['name'])} on line {by['line']}" if by else ""
        error, stepped = facts.error, _stepped(facts, named, made)
        yield Found(
            f"{named} is not a leaf{how}: its .grad stays None",
            [line, made],
            tensors,
            events=[i],
            edits=[] if stepped else edits,
            fix=stepped,
            explains_error=error is not None and error["line"] == line and "NoneType" in error["message"],
        )
    yield from _retained_late(facts)
    error = facts.error
    if error is not None and error["message"] == "can't optimize a non-leaf Tensor":
        found = [t for t in facts.document["tensors"] if t["name"] and not t["is_leaf"] and t["requires_grad"]]
        text = facts.source.lines[error["line"] - 1] if error["line"] else ""
        found = [t for t in found if re.search(rf"\b{re.escape(t['name'].split('.')[0])}\b", text)] or found[-1:]
        for t in found[:1]:
            yield Found(
                f"{t['name']} is the result of an op on line {t['line']}, not a leaf, so no optimizer can update it",
                [t["line"], error["line"]],
                [t["id"]],
                fix="Create the leaf last: x = (…).detach().requires_grad_().",
                severity="error",
                explains_error=True,
            )


def _retained_late(facts: Facts) -> Iterator[Found]:
    """retain_grad() after the pass that came by."""
    for call in facts.source.all_calls("retain_grad") if "retain_grad" in facts.source.code else ():
        on = facts.source.text(call.func.value) if isinstance(call.func, ast.Attribute) else ""
        t = facts.bound.get(on)
        row = None if t is None else facts.tensors[t]
        if t is None or row is None or row["is_leaf"] or row["grad"] is not None:
            continue
        passes = [p for p in facts.outer_passes if row["grad_fn"] in p.reachable]
        if not passes or not facts.source.together(call.lineno, passes[-1].line):
            continue
        if not facts.source.mentions("grad", on) or (passes[-1].line or 0) >= call.lineno:
            continue
        yield Found(
            f"{on}.retain_grad() on line {facts.shown(call.lineno)} comes after the backward() of line "
            f"{passes[-1].line}, which did not keep its gradient: {on}.grad stays None",
            [call.lineno, passes[-1].line],
            [t],
            events=[passes[-1].begin],
            fix=f"Call {on}.retain_grad() before backward().",
        )


def _stepped(facts: Facts, name: str, line: int | None) -> str | None:
    """What helps where a leaf was replaced by what a step from it gives: `w = w - 0.1 * w.grad`."""
    statement = facts.source.statement(line)
    if not isinstance(statement, ast.Assign) or [ast.unparse(target) for target in statement.targets] != [name]:
        return None
    parts = [ast.unparse(part) for part in ast.walk(statement.value) if isinstance(part, ast.Name | ast.Attribute)]
    if f"{name}.grad" not in parts or name not in parts:
        return None
    return f"Take the step in place, so that {name} stays the leaf: {name} -= … under torch.no_grad()."


def _attribute(facts: Facts, name: str) -> str | None:
    """The tensor that was last assigned to an attribute, by its name alone: of `net.h` that of `self.h = …`."""
    _, dot, attribute = name.rpartition(".")
    for statement in facts.source.attributes(attribute) if dot else ():
        made = [op for op in facts.ops if facts.source.expression(op) is statement.value and op["outputs"]]
        if made:
            return str(made[-1]["outputs"][0])
    return None


_CUT = "A leaf that requires grad (and is held by an optimizer, where there is one) never gets a gradient: "
_SILENT = "Silent when the leaf gets a gradient some other way, and for leaves no optimizer is meant to update."


def _cut(name: str, when: str, why: str, fix: str) -> Rule:
    return Rule(name, "arrival", "warning", _CUT + when, why, fix, _SILENT, cut_rule(name))


RULES = [
    _cut(
        "cut-detach", "every path from it to a loss goes through detach() or .data.",
        "detach() and .data return the same values without their history, so backward() treats them as constants.",
        "Use the tensor itself wherever its gradient is needed.",
    ),
    _cut(
        "cut-item", "the loss was computed from a number that item(), float() or tolist() took out of the graph.",
        "A Python number has no history, and a tensor made from it is a new leaf.",
        "Stay with tensors all the way to the loss; take numbers out only to print or collect them.",
    ),
    _cut(
        "cut-numpy", "the loss was computed from an array that numpy() made from it.",
        "numpy knows nothing about autograd, and a tensor made from an array is a new leaf.",
        "Use torch's functions instead of numpy's.",
    ),
    _cut(
        "cut-tensor-copy", "the loss was computed from a copy made by torch.tensor().",
        "torch.tensor(t) copies the values into a new leaf.",
        "Use t itself, t.clone(), or torch.stack for a list of tensors.",
    ),
    _cut(
        "cut-no-grad", "the loss was computed from it under no_grad or inference_mode.",
        "Nothing is recorded under no_grad, so backward() treats the results as constants.",
        "Compute the loss outside the block.",
    ),
    _cut(
        "late-requires-grad", "the loss was computed from what was made of it before it required grad.",
        "An op records how its result was made only if one of its inputs requires grad at that moment.",
        "Call requires_grad_(), or pass requires_grad=True, before the first op that uses the tensor.",
    ),
    _cut(
        "cut-integer",
        "the loss was computed from an integer or boolean result, such as argmax, a comparison or long().",
        "A step function has a derivative of 0, or none at all, so autograd does not record it.",
        "Use something smooth in the loss: softmax instead of argmax, sigmoid instead of a comparison.",
    ),
    Rule(
        "no-path", "arrival", "warning",
        "A leaf that requires grad was used by an op, but no loss depends on it and it never gets a gradient.",
        "backward() only reaches what the loss was computed from.",
        "Make the loss depend on it, or remove it.",
        _SILENT, no_path,
    ),
    Rule(
        "non-leaf-grad", "arrival", "warning",
        "The .grad of a non-leaf was read without retain_grad(), or with one that comes after backward(); or a "
        "non-leaf was given to an optimizer.",
        "Only leaves keep their gradient. The result of an op (to(), * 2, cuda()) is no leaf, even if its input was.",
        "Call retain_grad() on it before backward(), or create the leaf last: x = (…).detach().requires_grad_().",
        "Silent when nothing reads .grad.", non_leaf_grad,
    ),
    Rule(
        "unused-parameter", "arrival", "hint",
        "A parameter of a module never gets a gradient, while others of the same module do.",
        "No loss depends on it, so it never learns; with weight decay it only shrinks.",
        "Use it in forward(), or remove it.",
        "Silent when part of the run was not recorded, and when a cut-… finding explains it.", unused_parameter,
    ),
    Rule(
        "no-create-graph", "arrival", "hint",
        "A gradient that autograd.grad() or backward() gave without create_graph=True is differentiated again, which "
        "fails (an error), or its norm or square is part of a loss.",
        "A pass computes gradients as plain numbers. With create_graph=True it records how, so that they can be "
        "differentiated like everything else.",
        "Pass create_graph=True to the call that gives the gradient.",
        "Silent for gradients that a step is made of, as first-order methods do.", no_create_graph,
    ),
    Rule(
        "frozen-all", "arrival", "error",
        "backward() failed because its root does not require grad, and no other finding explains why.",
        "backward() needs at least one leaf with requires_grad=True.",
        "Set requires_grad=True on whatever should get a gradient, before it is used.",
        "Shown with PyTorch's error.", frozen_all,
    ),
]  # fmt: skip
