"""Rules: custom Functions, checkpoints and copies that lose a graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .arrival import CHECKPOINT
from .facts import Facts
from .finding import Found, Rule
from .flags import NO_GRAD
from .names import name_of, names_of
from .source import names_in

COPIES = "Only Tensors created explicitly by the user"


def backward_without_return(facts: Facts) -> Iterator[Found]:
    """The backward of a custom Function that ends without return."""
    ran = {facts.nodes[facts.events[i]["node"]]["name"] for i in facts.times("node")}
    message = "" if facts.error is None else facts.error["message"]
    if "def backward" not in facts.source.code:
        return
    for definition in ast.walk(facts.source.tree):
        if not isinstance(definition, ast.ClassDef):
            continue
        node = f"{definition.name}Backward"
        raised = f"function {node} returned an incorrect number of gradients" in message
        for method in definition.body:
            if not isinstance(method, ast.FunctionDef) or method.name != "backward" or not (node in ran or raised):
                continue
            if _ends_with_nothing(method):
                last = method.body[-1]
                yield Found(
                    f"backward() of {definition.name} ends without return, so its inputs get no gradient",
                    [method.lineno, last.lineno],
                    nodes=[n for n, row in facts.nodes.items() if row["name"] == node][:1],
                    explains_error=raised,
                )


def _ends_with_nothing(method: ast.FunctionDef) -> bool:
    """Whether a function returns nothing anywhere, and does more than that."""
    parts = list(ast.walk(method))
    gives = any(isinstance(part, ast.Return | ast.Yield | ast.YieldFrom | ast.Raise) for part in parts)
    return not gives and not all(isinstance(part, ast.Pass) for part in method.body)


def gradient_ignored(facts: Facts) -> Iterator[Found]:
    """The backward of a custom Function that never looks at the gradient it is given."""
    if "def backward" not in facts.source.code:
        return
    for definition in ast.walk(facts.source.tree):
        if not isinstance(definition, ast.ClassDef):
            continue
        for method in definition.body:
            if isinstance(method, ast.FunctionDef) and method.name == "backward" and _ignores(method):
                yield from _ignored(facts, definition, method)


def _ignores(method: ast.FunctionDef) -> bool:
    """Whether a backward computes something, and none of it from what it is given."""
    given = [argument.arg for argument in method.args.args[1:]]
    if method.args.vararg is not None:
        given.append(method.args.vararg.arg)
    returned = [part.value for part in ast.walk(method) if isinstance(part, ast.Return) and part.value is not None]
    return bool(given and returned) and names_in(*method.body).isdisjoint(given)


def _ignored(facts: Facts, definition: ast.ClassDef, method: ast.FunctionDef) -> Iterator[Found]:
    for i in facts.times("node"):
        event = facts.events[i]
        if facts.nodes[event["node"]]["name"] != f"{definition.name}Backward":
            continue
        came = [value for value in event["grad_outputs"] if value is not None]
        gave = [value for value in event["grad_inputs"] if value is not None and not facts.zero(value)]
        if not gave or not any(n != 1 for value in came for n in facts.numbers(value)):
            continue
        yield Found(
            f"backward() of {definition.name} doesn't use the gradient it is given, which isn't 1 here",
            [method.lineno, facts.nodes[event["node"]]["line"]],
            nodes=[event["node"]],
            events=[i],
        )
        return


def checkpoint_cuts(facts: Facts) -> Iterator[Found]:
    """A reentrant checkpoint of which no input requires grad."""
    failed = facts.error is not None and facts.error["message"].startswith(NO_GRAD)
    for warning in facts.document["warnings"]:
        if not warning["message"].startswith(CHECKPOINT):
            continue
        calls = facts.source.calls(warning["line"], "checkpoint")
        edits = [
            facts.source.replace(keyword.value, "False")
            for call in calls[:1]
            for keyword in call.keywords
            if keyword.arg == "use_reentrant" and isinstance(keyword.value, ast.Constant)
        ]
        lost = [t for t in facts.parameters if t not in facts.reached and facts.leaf(t)]
        if not lost and facts.parameters:
            continue
        what = names_of(facts, lost) if lost else "what it computes with"
        yield Found(
            f"No input of checkpoint on line {warning['line']} requires grad, so with use_reentrant=True {what} "
            f"{'gets' if len(lost) < 2 else 'get'} no gradient",
            [warning["line"]],
            lost,
            edits=edits,
            explains_error=failed,
        )
        return


def deepcopy_graph(facts: Facts) -> Iterator[Found]:
    """A copy of what holds the result of a computation."""
    error = facts.error
    if error is None or not error["message"].startswith(COPIES):
        return
    calls = facts.source.calls(error["line"], "deepcopy")
    copied = facts.source.text(calls[0].args[0]) if calls and calls[0].args else None
    rows = [row for row in facts.tensors.values() if row["name"] and row["grad_fn"] is not None]
    held = [row for row in rows if copied and row["name"].startswith((f"{copied}.", f"{copied}["))]
    held = held or [row for row in rows if row["name"] == copied]
    if not held:
        return
    row = held[-1]
    attribute = row["name"].rpartition(".")[2]
    assigned = [s.lineno for s in facts.source.attributes(attribute)] if "." in row["name"] else []
    yield Found(
        f"{name_of(facts, row['id'])}, made on line {row['line']}, is the result of an op: deepcopy would lose the "
        "graph behind it",
        [*(assigned[-1:] or [row["line"]]), error["line"]],
        [row["id"]],
        explains_error=True,
    )


RULES = [
    Rule(
        "backward-without-return", "construction", "error",
        "The backward() of a custom Function ran, and there is no return in it.",
        "A function without return gives None: for one input that is no gradient, for several it is an error.",
        "Return one gradient for each argument of forward() after ctx.",
        "Silent for a backward() that is only `pass`, or raises.", backward_without_return,
    ),
    Rule(
        "checkpoint-cuts", "arrival", "error",
        "PyTorch warned that no input of a checkpoint with use_reentrant=True requires grad, and parameters got no "
        "gradient.",
        "A reentrant checkpoint is one node, whose inputs are the arguments alone: without one that requires grad it "
        "is no node at all, and the parameters inside are forgotten.",
        "Pass use_reentrant=False, which records what happens inside.",
        "Silent when all parameters get gradients elsewhere.", checkpoint_cuts,
    ),
    Rule(
        "gradient-ignored", "construction", "warning",
        "The backward() of a custom Function ran and sent gradients that are not 0, no name in it is that of the "
        "gradient it is given, and that was not 1 everywhere.",
        "A Function sends on what arrives times its own derivative. Without that factor, everything that comes after "
        "it in the program is left out of the gradient.",
        "Multiply by the argument behind ctx: return grad_output * derivative.",
        "Silent when the gradient that arrives is 1, as for a loss, and for what sends only 0 or None.",
        gradient_ignored,
    ),
    Rule(
        "deepcopy-graph", "construction", "error",
        "deepcopy() failed because what it copies holds the result of an op.",
        "A copy of a result would have no graph behind it, so PyTorch refuses. A module that keeps an activation or a "
        "loss as an attribute holds one.",
        "Keep it without its graph, self.last = h.detach(), or copy the state alone: model.state_dict().",
        "Explained beside PyTorch's error, for what has a name in the document.", deepcopy_graph,
    ),
]  # fmt: skip
