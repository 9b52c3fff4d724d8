"""Rules: losses that train something else than is meant."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .facts import Facts, Row
from .finding import Found, Rule
from .losses import divergences, is_logarithm, place
from .names import name_of
from .source import Edit

BINARY = ("binary_cross_entropy", "binary_cross_entropy_with_logits")


def swapped(facts: Facts, op: Row) -> bool:
    """Whether an op is one of a loss that got for its target what a model says; of kl_div, or a logarithm."""
    if op["name"] == "xlogy":
        return any(
            is_logarithm(facts, target) for product, _, target in divergences(facts) if place(product) == place(op)
        )
    return op["name"] in BINARY and _mixed_up(facts, op["name"], op, op["inputs"][0], op["inputs"][1])


def _mixed_up(facts: Facts, name: str, op: Row, given: str, target: str) -> bool:
    if facts.tensors[given]["requires_grad"] or not facts.tensors[target]["requires_grad"]:
        return False
    if name == "kl_div":
        found = facts.summary(facts.tensors[given]["value"])
        return found is not None and found.finite and found.low >= 0 and 0 < found.high <= 1
    return op["node"] is not None and _labels(facts, given)


def _labels(facts: Facts, tensor: str) -> bool:
    """Whether the numbers of a tensor lie between 0 and 1, and at least half of them at these ends."""
    value = facts.tensors[tensor]["value"]
    found = facts.summary(value)
    if found is None or not found.finite or found.low < 0 or found.high > 1:
        return False
    numbers = facts.array(value)
    ones = found.high == 1 and abs(found.norm**2 - (found.size - found.zeros)) < 1e-3 * found.size
    ends = (
        found.zeros + (found.size - found.zeros) * ones if numbers is None else ((numbers == 0) | (numbers == 1)).sum()
    )
    return bool(2 * ends >= found.size)


def _calls(facts: Facts) -> Iterator[tuple[str, Row, str, str]]:
    """(loss, op, first argument, target) of losses for classes whose targets may be probabilities."""
    for name in BINARY:
        for i in facts.named.get(name, ()):
            op = facts.ops[i]
            yield name, op, op["inputs"][0], op["inputs"][1]
    for op, given, target in divergences(facts):
        yield "kl_div", op, given, target
    for i in facts.named.get("log_softmax", ()):
        op = facts.ops[i]
        for j in facts.users.get(op["outputs"][0], ()):
            product = facts.ops[j]
            if product["name"] == "mul" and place(product) == place(op) and len(product["inputs"]) == 2:
                target = next(t for t in product["inputs"][::-1] if t != op["outputs"][0])
                yield "cross_entropy", product, op["inputs"][0], target


def loss_arguments_swapped(facts: Facts) -> Iterator[Found]:
    """A loss that takes the labels for the prediction."""
    places: dict[tuple[int | None, ...], list[tuple[bool, str, Row, str, str]]] = {}
    for call in _calls(facts):
        places.setdefault(place(call[1]), []).append((_mixed_up(facts, *call), *call))
    for calls in places.values():
        wrong = [call[1:] for call in calls if call[0]]
        if not wrong:
            continue
        name, op, given, target = wrong[0]
        logarithms = name != "kl_div" or is_logarithm(facts, target)
        what = "the probabilities" if name == "kl_div" else "the labels"
        yield Found(
            f"{name} on line {op['line']} gets {name_of(facts, given)}, {what}, for its first argument, and "
            f"{name_of(facts, target)}, which requires grad, for its target",
            [op["line"]],
            [given, target],
            [op["node"]],
            [op["id"]],
            edits=_exchanged(facts, op) if len(wrong) == len(calls) and logarithms else [],
            fix=None
            if logarithms
            else "Pass the logarithm of the prediction, as log_softmax gives it, then the target.",
            explains_error=facts.error is not None
            and facts.error["line"] == op["line"]
            and "target should be between 0 and 1" in facts.error["message"],
        )


def _exchanged(facts: Facts, op: Row) -> list[Edit]:
    """Exchange the first two arguments of a call."""
    call = facts.source.expression(op)
    if not isinstance(call, ast.Call) or len(call.args) < 2 or any(isinstance(a, ast.Starred) for a in call.args[:2]):
        return []
    one, other = call.args[:2]
    return [facts.source.replace(one, facts.source.text(other)), facts.source.replace(other, facts.source.text(one))]


RULES = [
    Rule(
        "loss-arguments-swapped", "construction", "error",
        "binary_cross_entropy, binary_cross_entropy_with_logits or cross_entropy gets numbers from 0 to 1, at least "
        "half of them exactly 0 or 1, that don't require grad for its first argument, and for its target a tensor that "
        "does; or kl_div gets probabilities first, and a target that requires grad.",
        "A loss is no comparison of equals: it takes the logarithm of its first argument, of 0 and 1, and is linear in "
        "its target. The gradient is the same however wrong the model is, or infinite.",
        "Pass the prediction first, then the target.",
        "Silent for targets that are no labels, as the probabilities of a teacher.", loss_arguments_swapped,
    ),
]  # fmt: skip
