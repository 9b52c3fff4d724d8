"""Rules: targets that a loss moves towards the prediction."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from .facts import CHAIN, Facts, Row
from .finding import Found, Rule
from .losses import LOSSES
from .names import name_of, names_of
from .source import Edit, called

CHOICES = frozenset({"max", "amax", "min", "amin", "minimum", "maximum", "gather", "topk"})
"""Ops that choose among the values of actions."""

DISCOUNT = re.compile(r"gamma|discount|γ|reward|next_?(state|obs|value|q)", re.IGNORECASE)

ON_PURPOSE = re.compile(r"residual.?grad|bellman.?(residual|error.?minimi)|baird|full.?grad", re.IGNORECASE)
"""How programs call the gradient of both sides, which has a use of its own."""

SQUARES = frozenset({"square", "abs", "huber_loss", "smooth_l1_loss"})


def _comparisons(facts: Facts) -> Iterator[tuple[Row, str, str]]:
    """(op, operand, other operand) of losses of two tensors that both require grad, and of such differences."""
    for name in (*LOSSES, "sub"):
        for i in facts.named.get(name, ()):
            op = facts.ops[i]
            pair = op["inputs"][:2]
            if len(pair) == 2 and all(facts.tensors[t]["requires_grad"] for t in pair) and op["node"] is not None:
                if name != "sub" or any(_squares(facts.ops[j]) for j in facts.users.get(op["outputs"][0], ())):
                    yield op, *pair


def _squares(op: Row) -> bool:
    if op["name"] == "pow":
        return bool(op["arguments"].get("exponent") == 2)
    return op["name"] in SQUARES or op["name"] == "mul" and len(op["inputs"]) == 2 and len(set(op["inputs"])) == 1


def _parts(facts: Facts, op: Row) -> tuple[list[str], list[str], float | None]:
    """Inputs of a sum or a product that require grad, the others, and the number that is the other operand."""
    wanted = [t for t in op["inputs"] if facts.tensors[t]["requires_grad"]]
    number = op["arguments"].get("other")
    return wanted, [t for t in op["inputs"] if t not in wanted], number if isinstance(number, int | float) else None


def _discounted(facts: Facts, target: str, masked: bool = False) -> str | None:
    """What a target is made of as `reward + discount * value`: the value, where it is plainly one."""
    _, made = facts.origin(target)
    if made is not None and made["name"] in ("stack", "cat"):
        return next((found for t in made["inputs"][:2] if (found := _discounted(facts, t)) is not None), None)
    if made is None or made["name"] not in ("add", "where"):
        return None
    wanted, rest, number = _parts(facts, made)
    if made["name"] == "where":
        return _discounted(facts, wanted[0], True) if len(wanted) == 1 else None
    if len(wanted) != 1 or not rest and number is None or made["arguments"].get("alpha", 1) != 1:
        return None
    value, factor, lines = wanted[0], None, {made["line"]}
    while True:
        value, made = facts.origin(value)
        if made is None or made["name"] != "mul":
            break
        wanted, rest, number = _parts(facts, made)
        if len(wanted) != 1:
            return None
        lines.add(made["line"])
        masked = masked or bool(rest) or number in (0, 1)
        factor = factor or _between(number) or next((f for t in rest if (f := _factor(facts, t))), None)
        value = wanted[0]
    if factor is None:
        return None
    chosen = made is not None and made["name"] in CHOICES
    named = any(DISCOUNT.search(facts.source.text(s)) for line in lines if (s := facts.source.statement(line)))
    return value if chosen or masked or named else None


def _between(number: float | None) -> float | None:
    return number if number is not None and 0.5 <= number < 1 else None


def _factor(facts: Facts, tensor: str) -> float | None:
    """The discount in data that a value is multiplied by: itself, or the factor of a mask."""
    if not facts.tensors[tensor]["shape"]:
        numbers = facts.numbers(facts.tensors[tensor]["value"])
        return _between(numbers[0]) if numbers else None
    made = facts.origin(tensor)[1]
    return _between(_parts(facts, made)[2]) if made is not None and made["name"] == "mul" else None


def leaves_of(facts: Facts, tensor: str) -> set[str]:
    """Leaves that a pass from a tensor reaches."""
    found: set[str] = set()
    seen, todo = {tensor}, [tensor]
    while todo:
        t = todo.pop()
        if facts.leaf(t):
            found.add(t)
        for made in [facts.ops[i] for i in facts.makers.get(t, ())]:
            new = [x for x in made["inputs"] if facts.tensors[x]["requires_grad"] and x not in seen]
            seen.update(new)
            todo += new if made["node"] is not None else []
    return found


def target_not_detached(facts: Facts) -> Iterator[Found]:
    """A value of the same parameters for a target, and a teacher that gets gradients."""
    reachable = {node for p in facts.outer_passes for node in p.reachable}
    told: set[int | None] = set()
    for op, one, other in _comparisons(facts) if not ON_PURPOSE.search(facts.source.code) else ():
        if op["line"] in told or op["node"] not in reachable:
            continue
        values = {t: _discounted(facts, t) for t in (one, other)}
        target, prediction = (other, one) if values[other] is not None else (one, other)
        value = values[target]
        if value is None or values[prediction] is not None:
            continue
        shared = sorted(leaves_of(facts, value) & leaves_of(facts, prediction), key=lambda t: int(t[1:]))
        if not shared:
            continue
        told.add(op["line"])
        yield Found(
            f"{name_of(facts, target)}, the target on line {op['line']}, requires grad: the loss moves it towards "
            f"the prediction through {names_of(facts, shared)}",
            [op["line"], facts.tensors[target]["line"]],
            [target, *shared],
            [op["node"]],
            [op["id"]],
            edits=_detached(facts, op, op["inputs"].index(target)),
        )
    yield from _teachers(facts)


def _detached(facts: Facts, op: Row, place: int) -> list[Edit]:
    """Detach an operand of a loss or a difference."""
    node = facts.source.expression(op)
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else node.args if isinstance(node, ast.Call) else []
    if len(parts) < 2 or isinstance(node, ast.Call) and op["name"] == "sub" or isinstance(parts[place], ast.Starred):
        return []
    return [facts.source.with_method(parts[place], "detach()")]


def advantage_not_detached(facts: Facts) -> Iterator[Found]:
    """A log-probability times an advantage, of which both get a gradient."""
    if facts.error is not None or "log" not in facts.source.code:
        return
    reachable = {node for p in facts.outer_passes for node in p.reachable}
    told: set[int | None] = set()
    for i in facts.named.get("mul", ()):
        op = facts.ops[i]
        pair = op["inputs"][:2]
        if op["line"] in told or op["node"] not in reachable or len(set(pair)) < 2:
            continue
        if not all(facts.tensors[t]["requires_grad"] for t in pair):
            continue
        for place, factor in enumerate(pair):
            value = _advantage(facts, factor)
            if value is None or not _log_probability(facts, pair[1 - place]) or _log_probability(facts, factor):
                continue
            moved = sorted(leaves_of(facts, value) - leaves_of(facts, pair[1 - place]), key=lambda t: int(t[1:]))
            if not moved or not _is_fitted(facts, value, factor):
                continue
            told.add(op["line"])
            yield Found(
                f"{name_of(facts, factor)}, a factor of the log-probability on line {op['line']}, requires grad: the "
                f"policy's loss moves {names_of(facts, moved)}, too",
                [op["line"], facts.tensors[factor]["line"]],
                [factor, *moved],
                [op["node"]],
                [op["id"]],
                edits=_detached(facts, op, place),
            )
            break


def _log_probability(facts: Facts, tensor: str) -> bool:
    """Whether a tensor is the logarithm of a probability, a ratio of two, or one with another sign."""
    for _ in range(6):
        tensor, made = facts.origin(tensor)
        if made is None:
            return False
        node = facts.source.expression(made)
        if made["name"] in ("log_softmax", "logsumexp") or isinstance(node, ast.Call) and called(node) == "log_prob":
            return True
        if made["name"] == "log":
            return True
        if made["name"] not in ("neg", "exp", "sub", "stack", "cat", "gather", "index", "select", "mul", "sum"):
            return False
        wanted = [t for t in made["inputs"] if facts.tensors[t]["requires_grad"]]
        if not wanted or len(wanted) > 1 and made["name"] not in ("stack", "cat"):
            return False
        tensor = wanted[0]
    return False


def _advantage(facts: Facts, tensor: str) -> str | None:
    """The estimate in what something was worth beyond it: what a difference takes away."""
    tensor, made = facts.origin(tensor)
    if made is not None and made["name"] in ("stack", "cat"):
        tensor, made = facts.origin(made["inputs"][0])
    if made is None or made["name"] not in ("sub", "rsub") or len(made["inputs"]) != 2 and made["name"] == "sub":
        return None
    taken = made["inputs"][-1] if made["name"] == "sub" else made["inputs"][0]
    return taken if facts.tensors[taken]["requires_grad"] else None


def _is_fitted(facts: Facts, value: str, advantage: str) -> bool:
    """Whether a loss of its own fits the estimate, or the square of the advantage is one."""
    around = {value, facts.origin(value)[0], advantage, facts.origin(advantage)[0]}
    todo = list(around)
    for _ in range(3):
        users = [facts.ops[i] for t in todo for i in facts.users.get(t, ())]
        if any(user["name"] in LOSSES or _squares(user) for user in users):
            return True
        todo = [u["outputs"][0] for u in users if u["name"] in FITTED and u["outputs"]]
    return False


FITTED = CHAIN | {"sub", "stack", "cat"}
"""Ops between an estimate and the loss that fits it."""


def copies(facts: Facts) -> dict[str, str]:
    """Leaves that no optimizer holds and that are only written as copies, or averages, of leaves that one holds."""
    held = {t for optimizer in facts.stepping for t in optimizer["tensors"]}
    others = facts.reached - held if held else set()
    same: dict[str, list[str]] = {t: [t] for t in others}
    for t, row in facts.tensors.items() if others else ():
        if row["detached_from"] in others:
            same[row["detached_from"]].append(t)
    found: dict[str, str] = {}
    for t, names in same.items():
        writes = [facts.ops[i] for name in names for i in facts.makers.get(name, ()) if name in facts.ops[i]["inputs"]]
        sources = {x for op in writes for given in op["inputs"] for x in _numbers_of(facts, given)} - {t}
        if len(sources) == 1 and sources <= held:
            found[t] = sources.pop()
    return found


def _numbers_of(facts: Facts, tensor: str, depth: int = 4) -> set[str]:
    """The tensors whose numbers a sum, a product or a copy is made of."""
    tensor = facts.tensors[tensor]["detached_from"] or tensor
    made = facts.maker(tensor)
    if made is None or not depth or facts.leaf(tensor):
        return {tensor}
    return {x for given in made["inputs"] for x in _numbers_of(facts, given, depth - 1)}


def _teachers(facts: Facts) -> Iterator[Found]:
    found = copies(facts)
    tensors = sorted((t for t in found if sum(t in p.reached for p in facts.passes) > 1), key=lambda t: int(t[1:]))
    if tensors:
        p = next(p for p in facts.passes if tensors[0] in p.reached)
        sources = names_of(facts, [found[t] for t in tensors])
        yield Found(
            f"{names_of(facts, tensors)} get gradients that nothing uses: they are copies of {sources}",
            [p.line, facts.tensors[tensors[0]]["line"]],
            tensors,
            severity="hint",
            fix="Compute what comes from them under torch.no_grad(), or call requires_grad_(False) on them.",
        )


RULES = [
    Rule(
        "target-not-detached", "construction", "warning",
        "mse_loss, l1_loss, smooth_l1_loss, huber_loss or the square of a difference compares a prediction with "
        "data + discount · value, where the value requires grad, depends on leaves of the prediction, and is the "
        "choice of an action, or multiplied by data, or in a line that speaks of gamma, a discount, a reward or a next "
        "state (the discount is 0.5 to 1). A hint where leaves that a program copies from those of an optimizer get "
        "gradients.",
        "A target is what the prediction is to become. With a gradient of its own it moves as well, and the loss falls "
        "by changing what later states are worth.",
        "Compute the target under torch.no_grad(), or detach it.",
        "Silent where both sides are computed from other leaves, and for programs that speak of the residual gradient.",
        target_not_detached,
    ),
    Rule(
        "advantage-not-detached", "construction", "warning",
        "The logarithm of a probability, or a ratio of two, is multiplied by a difference that takes away a value "
        "which requires grad and depends on leaves that the probability doesn't, and another loss fits that value: "
        "it, or the difference, is compared or squared.",
        "The factor says how much better than expected a choice was. With a gradient of its own, the loss also falls "
        "by changing what is expected.",
        "Detach the factor: log_prob * advantage.detach().",
        "Silent for values of the same leaves alone, and for those that no other loss fits.", advantage_not_detached,
    ),
]  # fmt: skip
