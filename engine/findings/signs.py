"""Rules: a likelihood that is made smaller."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from .facts import CHAIN, Facts, Pass, Row
from .finding import Found, Rule
from .losses import place
from .names import name_of
from .source import Edit, called
from .targets import leaves_of

MOST = 400
"""Ops of a loss that are looked at."""

KEEPS = CHAIN | {"mean", "sum", "stack", "cat", "add", "sub", "rsub", "neg", "mul", "div"}

ON_PURPOSE = re.compile(
    r"attack|adversar|unlearn|forget|ascent|maximi[sz]|unlikel|negatives|negative.?sampl", re.IGNORECASE
)
"""What programs speak of where a label is to become less likely."""

GAIN = re.compile(r"reward|return|advantage|delta|td_?error|\badv\b|\b[RG]_?t?\b", re.IGNORECASE)
TURNED = re.compile(r"=\s*\(?\s*(self\.)?(base\w*|values?|critic|v|cost\w*)\b[^=]*-", re.IGNORECASE)
"""An advantage that says how much worse something is than expected."""
PRICE = re.compile(r"cost|loss|regret|length|dist(ance)?s?\b|energy|penalt|error|neg", re.IGNORECASE)


@dataclass(slots=True)
class _Term:
    """A tensor that a loss adds (`sign` 1) or takes away, and the data that weighs it."""

    tensor: str
    sign: int
    weights: list[Row]


def _terms(facts: Facts, root: str) -> Iterator[_Term]:
    """What a loss is the sum of, as far as it is linear."""
    todo, seen = [_Term(root, 1, [])], {root}
    while todo and len(seen) < MOST:
        term = todo.pop()
        yield term
        op = facts.maker(term.tensor)
        if op is None or op["name"] not in KEEPS or _logarithm(facts, op):
            continue
        name, given = op["name"], op["inputs"]
        wanted = [t for t in given if facts.tensors[t]["requires_grad"]]
        sign, weights = term.sign, term.weights
        if name in ("neg", "rsub"):
            sign = -sign
        elif name in ("mul", "div"):
            number = op["arguments"].get("other")
            if len(wanted) != 1 or name == "div" and given[0] != wanted[0]:
                continue
            sign = -sign if isinstance(number, int | float) and number < 0 else sign
            weights = [*weights, op]
        for i, t in enumerate(given):
            if t in wanted and t not in seen:
                seen.add(t)
                todo.append(_Term(t, -sign if name == "sub" and i == 1 else sign, weights))


def _logarithm(facts: Facts, op: Row) -> str | None:
    """The labels or data whose logarithm of a probability an op gives, where it plainly does."""
    node = facts.source.expression(op)
    if isinstance(node, ast.Call) and called(node) == "log_prob" and node.args:
        return _value(facts, node.args[0])
    if op["name"] == "log":
        picked = facts.maker(op["inputs"][0])
        while picked is not None and picked["name"] in ("squeeze", "view", "reshape", "flatten"):
            picked = facts.maker(picked["inputs"][0])
        return _labels(facts, picked, 0, 1) if picked is not None else None
    return _labels(facts, op, -float("inf"), 1e-6)


def _labels(facts: Facts, op: Row, low: float, high: float) -> str | None:
    """The labels by which an op picks numbers of a range from what classes are given."""
    source, *picks = op["inputs"]
    if op["name"] == "select" and len(facts.tensors[source]["shape"]) == 1:
        return op["outputs"][0] if _normal(facts, source, high == 1) else None  # of the chosen action
    if op["name"] not in ("gather", "index") or not picks:
        return None
    found = facts.summary(facts.tensors[source]["value"])
    made = facts.origin(picks[-1])[1]
    if found is None or not found.low >= low or not found.high <= high or found.low == found.high:
        return None
    if any(facts.tensors[t]["dtype"] != "int64" for t in picks):
        return None
    own = made is not None and any(facts.tensors[t]["requires_grad"] for t in made["inputs"])
    if own or not _normal(facts, source, high == 1):
        return None
    labels: str = picks[-1]
    while (made := facts.maker(labels)) is not None and made["name"] in CHAIN and not facts.tensors[labels]["name"]:
        labels = made["inputs"][0]
    return labels


def _normal(facts: Facts, source: str, plain: bool) -> bool:
    """Whether a tensor holds probabilities, or their logarithms."""
    made = facts.origin(source)[1]
    names = ("softmax", "div") if plain else ("log_softmax", "sub", "log")
    return made is not None and made["name"] in names


def _value(facts: Facts, argument: ast.expr) -> str | None:
    """The data that `log_prob` is asked about."""
    while True:
        if isinstance(argument, ast.Call) and isinstance(argument.func, ast.Attribute):
            argument = argument.func.value
        elif isinstance(argument, ast.Subscript | ast.Attribute):
            argument = argument.value
        else:
            break
    tensor = facts.bound.get(argument.id) if isinstance(argument, ast.Name) else None
    return None if tensor is None or facts.tensors[tensor]["requires_grad"] else tensor


def _descends(facts: Facts, p: Pass, leaves: set[str]) -> bool:
    """Whether the step after a pass goes against its gradient at these leaves."""
    stepped = {t: next((at for at in facts.writes.get(t, ()) if at > p.end), None) for t in leaves}
    for t, later in sorted(stepped.items()) if None not in stepped.values() else ():
        before = [facts.events[at]["value"] for at in facts.writes[t] if at < p.begin]
        old = facts.array(before[-1] if before else facts.tensors[t]["value"])
        new = facts.array(facts.events[later or 0]["value"])
        grad = facts.array(facts.events[p.reached[t]]["after"])
        if old is not None and new is not None and grad is not None and ((new - old) * grad).sum():
            return bool(((new - old) * grad).sum() < 0)
    return False


def likelihood_sign(facts: Facts) -> Iterator[Found]:
    """The logarithm of what is to become likely, in a loss that is made smaller."""
    source = facts.source
    if facts.error is not None or not facts.outer_passes:
        return
    if not facts.named.keys() & {"gather", "index", "select"} and "log_prob" not in source.code:
        return
    if ON_PURPOSE.search(source.code):
        return
    drawn = bool(source.all_calls("sample", "rsample", "multinomial", "choice", "randn_like"))
    told: set[int | None] = set()
    for root, _, p in facts.losses:
        if p.line in told:
            continue
        for term in _terms(facts, root):
            op = facts.maker(term.tensor)
            if op is None or (data := _logarithm(facts, op)) is None:
                continue
            gain = [name for w in term.weights if (name := _gain(facts, w))]
            picked = facts.tensors[data]["requires_grad"]
            if drawn != bool(gain) or picked and not gain or not _adds(facts, term):
                continue
            leaves = leaves_of(facts, term.tensor)
            if not leaves <= p.reached.keys() or facts.document["modules"] and not leaves <= facts.parameters.keys():
                continue
            if not _descends(facts, p, leaves):
                continue
            told.add(p.line)
            times = f" times {gain[0]}" if gain else ""
            chosen = "the actions that were drawn" if gain else f"{name_of(facts, data)}"
            yield Found(
                f"The pass of line {p.line} makes the log-probability of {chosen}{times} smaller: the sign is wrong",
                [op["line"], p.line],
                [term.tensor, data],
                [op["node"]] if op["node"] else [],
                [op["id"]],
                edits=_negated(facts, root),
            )
            break


def _adds(facts: Facts, term: _Term) -> bool:
    """Whether a term is added once all its factors are counted, each of which has to have one sign."""
    sign = term.sign
    for op in term.weights:
        for t in [t for t in op["inputs"] if not facts.tensors[t]["requires_grad"]] if not _gain(facts, op) else ():
            found = facts.summary(facts.tensors[t]["value"])
            if found is None or not found.finite or found.low < 0 < found.high:
                return False
            sign = -sign if found.low < 0 else sign
    return sign > 0


def _gain(facts: Facts, op: Row) -> str | None:
    """What the program calls a factor that is to become large."""
    node = facts.source.expression(op)
    if not isinstance(node, ast.BinOp):
        return None
    for part in (node.left, node.right):
        while isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and not part.args:
            part = part.func.value  # advantage.detach()
        text = facts.source.text(part)
        if isinstance(part, ast.Name | ast.Attribute | ast.Subscript) and GAIN.search(text) and not PRICE.search(text):
            made = [facts.source.lines[line - 1] for line in facts.source.behind([part], depth=1)]
            if not any(TURNED.search(line) for line in made):
                return text
    return None


def _negated(facts: Facts, root: str) -> list[Edit]:
    """A minus before the expression of the loss."""
    op = facts.maker(root)
    node = facts.source.expression(op) if op is not None else None
    if op is None or op["name"] not in ("mean", "sum") or not isinstance(node, ast.Call) or place(op)[0] is None:
        return []
    text = f"-{facts.source.text(node)}"
    goes_on = facts.source.lines[(node.end_lineno or 1) - 1][node.end_col_offset or 0 :].startswith((".", "["))
    return [facts.source.replace(node, f"({text})" if goes_on else text)]


RULES = [
    Rule(
        "likelihood-sign", "construction", "error",
        "A step goes against the gradient of a loss that adds, and doesn't take away, the log-probabilities that "
        "labels pick (gather or an index of log_softmax, or of the logarithm of a softmax) or log_prob of data; or "
        "those of what was drawn, times what the program calls reward, return or advantage.",
        "A step makes the loss smaller, and with it the probability of what is to become likely.",
        "Put a minus before it: the loss is the negative log-likelihood.",
        "Silent for other factors that are partly below 0, when the program draws samples and has no reward, for "
        "values that require grad, for leaves that aren't trained, and for programs that speak of attacks, unlearning "
        "or maximizing.",
        likelihood_sign,
    ),
]  # fmt: skip
