"""Rules: losses that train something else than is meant."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .facts import Facts, Row
from .finding import Found, Rule
from .losses import place
from .names import name_of
from .source import Edit

BINARY = ("binary_cross_entropy", "binary_cross_entropy_with_logits")


def swapped(facts: Facts, op: Row) -> bool:
    """Whether an op is a loss that got labels for its first argument, and for its second what a model says."""
    return op["name"] in BINARY and _mixed_up(facts, op, op["inputs"][0], op["inputs"][1])


def _mixed_up(facts: Facts, op: Row, given: str, target: str) -> bool:
    if facts.tensors[given]["requires_grad"] or not facts.tensors[target]["requires_grad"]:
        return False
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


def _calls(facts: Facts) -> Iterator[tuple[Row, str, str]]:
    """(op, first argument, target) of losses for classes whose targets may be probabilities."""
    for name in BINARY:
        for i in facts.named.get(name, ()):
            op = facts.ops[i]
            yield op, op["inputs"][0], op["inputs"][1]
    for i in facts.named.get("log_softmax", ()):
        op = facts.ops[i]
        for j in facts.users.get(op["outputs"][0], ()):
            product = facts.ops[j]
            if product["name"] == "mul" and place(product) == place(op) and len(product["inputs"]) == 2:
                yield product, op["inputs"][0], next(t for t in product["inputs"][::-1] if t != op["outputs"][0])


def loss_arguments_swapped(facts: Facts) -> Iterator[Found]:
    """A loss that takes the labels for the prediction."""
    places: dict[tuple[int | None, ...], list[tuple[bool, Row, str, str]]] = {}
    for op, given, target in _calls(facts):
        places.setdefault(place(op), []).append((_mixed_up(facts, op, given, target), op, given, target))
    for calls in places.values():
        wrong = [call[1:] for call in calls if call[0]]
        if not wrong:
            continue
        op, given, target = wrong[0]
        name = op["name"] if op["name"] in BINARY else "cross_entropy"
        yield Found(
            f"{name} on line {op['line']} gets {name_of(facts, given)}, the labels, for its first argument, and "
            f"{name_of(facts, target)}, which requires grad, for its target",
            [op["line"]],
            [given, target],
            [op["node"]],
            [op["id"]],
            edits=_exchanged(facts, op) if len(wrong) == len(calls) else [],
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
        "does.",
        "A loss is no comparison of equals: it takes the logarithm of its first argument, of 0 and 1, and is linear in "
        "its target. The gradient is the same however wrong the model is, or infinite.",
        "Pass the prediction first, then the target.",
        "Silent for targets that are no labels, as the probabilities of a teacher.", loss_arguments_swapped,
    ),
]  # fmt: skip
