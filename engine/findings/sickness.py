"""Rules: a gradient is sick."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from .facts import Facts, Pass, Row
from .finding import Found, Rule
from .names import expression, name_of, names_of, spoken
from .objectives import swapped

FLAT = frozenset({
    "clamp", "clamp_min", "clamp_max", "round", "floor", "ceil", "trunc", "sign", "where", "maximum", "minimum",
    "hardtanh", "hardsigmoid", "relu6", "max", "amax", "min", "amin",
})  # fmt: skip
MASKS = frozenset({"masked_fill", "fill", "full", "where", "index_put"})
FEWEST, LAYERS, RATIO = 8, 4, 1e3


def _bad(facts: Facts, value: str | None) -> str | None:
    """The kind of number in a value that is not finite, if any."""
    found = facts.summary(value)
    return None if found is None or found.finite else "NaN" if found.nan else "infinite"


Origin = tuple[str, Row, str, bool, int, Pass]
"""(NaN or infinite, op, tensor, whether in a pass, time, the pass that it spoils)."""

SCALED = frozenset({"_amp_foreach_non_finite_check_and_unscale_"})
"""Ops by which a `GradScaler` finds out whether it has to skip a step."""

PATIENCE = 16
"""Passes after which a scaler should have found a scale that does not overflow."""


def origins(facts: Facts) -> list[Origin]:
    """Of each place from which a pass began that was not finite, the first number that is not."""
    known: list[Origin] | None = facts.known.get("origins")
    if known is None:
        known = facts.known["origins"] = []
        for p in _spoiled(facts):
            found = _first(facts, p)
            if found is not None and found[1]["line"] not in [op["line"] for _, op, *_ in known]:
                known.append(found)
    return known


def _spoiled(facts: Facts) -> list[Pass]:
    """The first pass of each line with a root or a gradient that is not finite, if anything was made of it."""
    found: dict[int | None, Pass] = {}
    bad: list[Pass] = []
    for p in facts.outer_passes:
        root = facts.root(p)
        ends = [facts.events[i]["after"] for i in p.reached.values()] + [facts.tensors[root]["value"] if root else None]
        if any(_bad(facts, value) for value in ends):
            bad.append(p)
    hopeless = len(bad) == len(facts.outer_passes) >= PATIENCE
    for p in bad:
        if p.line not in found and (hopeless or not _dropped(facts, p)):
            found[p.line] = p
    return list(found.values())


def _dropped(facts: Facts, p: Pass) -> bool:
    """Whether the gradients of a pass were thrown away before a step: by a `GradScaler`, or by the program's check."""
    if not p.reached or not facts.held.issuperset(p.reached):
        return False
    scaled = SCALED & facts.named.keys() or facts.source.all_calls("GradScaler")
    following = [other for other in facts.outer_passes if other.begin > p.end]
    for t in p.reached:
        again = next((other.reached[t] for other in following if t in other.reached), None)
        until = len(facts.events) if again is None else again
        if any(p.end < at < until for at in facts.writes.get(t, ())):
            return False
        if not scaled if again is None else _bad(facts, facts.events[again]["before"]):
            return False
    return True


def _first(facts: Facts, p: Pass, after: int = -1) -> Origin | None:
    """The first number behind a pass, or in it, that is not finite: else the first one before its end."""
    return _first_of(facts, p, after, _ancestors(facts, p)) or _first_of(facts, p, after, None)


def _ancestors(facts: Facts, p: Pass) -> set[str]:
    """The ops from which the root of a pass was computed."""
    root = facts.root(p)
    found = {op for n in p.reachable if (op := facts.nodes[n]["op"]) is not None}
    todo = [t for op in found for t in facts.ops[facts.number[op]]["inputs"]] + ([root] if root else [])
    seen = set(todo)
    while todo:
        for i in facts.makers.get(todo.pop(), ()):
            op = facts.ops[i]
            if i < p.ops and op["id"] not in found:
                found.add(op["id"])
                new = [t for t in op["inputs"] if t not in seen]
                seen.update(new)
                todo += new
    return found


def _first_of(facts: Facts, p: Pass, after: int, ops: set[str] | None) -> Origin | None:
    """The first one that is not of the program's own making: an infinite mask counts where it gives NaN.

    ``after``: the first NaN since that time instead, which infinite numbers may turn into. ``ops``: no others count,
    nor do nodes of other passes that add to gradients.
    """
    others = {other.call for other in facts.outer_passes} - {p.call} if ops is not None else set()
    for time in range(after + 1, min(p.end + 1, len(facts.events))):
        event = facts.events[time]
        if event["kind"] == "op":
            op = facts.ops[facts.number[event["op"]]]
            if op["name"] in MASKS or ops is not None and op["id"] not in ops:
                continue
            for out in op["outputs"]:
                how = _bad(facts, facts.tensors[out]["value"])
                given = [_bad(facts, facts.tensors[t]["value"]) for t in op["inputs"]] if how else []
                if how and (not any(given) if after < 0 else how == "NaN") or how == "NaN" and "NaN" not in given:
                    return how, op, out, False, time, p
        elif event["kind"] == "node" and event["grad_inputs"] and event["call"] not in others:
            given = [_bad(facts, value) for value in event["grad_outputs"]]
            if any(given) and (after < 0 or "NaN" in given):
                continue
            hows = [how for value in event["grad_inputs"] if (how := _bad(facts, value))]
            made = facts.op_of(event["node"])
            if made is not None and hows and (after < 0 or "NaN" in hows):
                wanted = [t for t in made["inputs"] if facts.tensors[t]["requires_grad"]]
                return "NaN" if "NaN" in hows else hows[0], made, (wanted or made["outputs"])[0], True, time, p
    return None


EQUAL = "two {} are equal, and the derivative divides by their difference"
CAUSES = {
    "div": "a division by 0",
    "log": 'the logarithm of 0 or a negative number',
    "sqrt": "a square root at 0 or below",
    "pow": "a power at 0 or of a negative number",
    "exp": "exp of a number that is too large",
    "norm": "a norm at 0, whose derivative is 0/0",
    "linalg_vector_norm": "a norm at 0, whose derivative is 0/0",
    "acos": "a number at or beyond -1 or 1", "asin": "a number at or beyond -1 or 1",
    "atanh": "a number at 1", "reciprocal": "1 / 0", "rsqrt": "1 / sqrt(0)",
    "std": "a variance of 0, or of a single number",
    "var": "the variance of a single number", "logsumexp": "nothing but -inf",
    "_linalg_svd": EQUAL.format("singular values"), "_linalg_eigh": EQUAL.format("eigenvalues"),
    "softmax": "a row of nothing but -inf", "log_softmax": "a row of nothing but -inf",
}  # fmt: skip


def _cause(facts: Facts, op: Row, backward: bool) -> str:
    """The classic reason, or that numbers were too large already."""
    given = [found for t in op["inputs"] if (found := facts.summary(facts.tensors[t]["value"]))]
    large = max([max(abs(found.low), abs(found.high)) for found in given if found.finite], default=0.0)
    infinite = not backward and _bad(facts, facts.tensors[op["outputs"][0]]["value"]) != "NaN"
    if infinite and op["name"] == "pow" and not any(found.zeros for found in given):
        return LARGE
    if backward or large <= OVERFLOWING:
        return HALF if not backward and _half(facts, op) else CAUSES.get(op["name"], "")
    return LARGE


LARGE = "numbers that are too large"
HALF = "float16 ends at 65504"


def _half(facts: Facts, op: Row) -> bool:
    """Whether a result of half the precision has left its range."""
    return bool(
        facts.tensors[op["outputs"][0]]["dtype"] == "float16" and op["name"] in ("mul", "pow", "sum", "mm", "exp")
    )


def _growing(facts: Facts, op: Row, p: Pass, cause: str) -> str | None:
    """What helps where it is no argument that is at fault."""
    if cause == HALF:
        return "Compute this in float32 or bfloat16, as torch.autocast chooses, or with smaller numbers."
    before = [other for other in facts.outer_passes if other.line == p.line and other.begin < p.begin]
    if cause == LARGE and len(before) > 1:
        return "The numbers have grown from step to step: use a smaller learning rate, or clip the gradients."
    return _in_one(facts, op)


OVERFLOWING = 1e15
"""Numbers of which products leave float32 soon."""

ANOMALY = "returned nan values"
"""The words of the error that anomaly detection raises."""


def _words(facts: Facts, op: Row) -> str:
    """An op as the program writes it, or its name."""
    return expression(facts, op) or spoken(op["name"])


def _result(facts: Facts, op: Row) -> str:
    """The result of an op; of a variable that has it also how it came there."""
    out = op["outputs"][0]
    made = f", the result of {spoken(op['name'])}," if facts.tensors[out]["name"] else ""
    return _capital(name_of(facts, out)) + made


def _capital(text: str) -> str:
    """Words of ours begin a sentence; those of the program are left as they are."""
    return text[0].upper() + text[1:] if text.startswith(("a tensor", "the result of ")) else text


def _not_finite(word: str, rule: str, also: str = "") -> Rule:
    def find(facts: Facts) -> Iterator[Found]:
        for first in origins(facts):
            if swapped(facts, first[1]):
                continue  # has a reason, which a rule of its own tells
            found = first if first[0] == word else _first(facts, first[-1], first[-2]) if word == "NaN" else None
            if found is not None and found[0] == word:
                yield _told(facts, found, first)

    return Rule(
        rule, "sickness", "error",
        "The root of a backward(), or a gradient that it gives, is not finite, and the first op or node (forward or "
        f"backward) with finite inputs and a non-finite result produces {word}{also}.",
        "Everything computed from it is lost, and one optimizer step spreads it to every weight.",
        "Keep the argument away from that point: clamp it, add a small number inside, or replace it before the op.",
        "Silent for masks of -inf that do no harm, for gradients that are thrown away before a step (a GradScaler does "
        "that while it looks for its scale), and when no recorded op is the first.", find,
    )  # fmt: skip


def _told(facts: Facts, found: Origin, first: Origin) -> Found:
    """A number that is not finite, which the first one may be the reason of."""
    word, op, tensor, backward, time, p = found
    if found is first and (data := _data(facts, p)) is not None:
        return _from_the_start(facts, data, found)
    cause = _cause(facts, op, backward) if found is first else ""
    chosen = _chosen(facts, op, p)
    masked = word == "NaN" and found is not first and not backward and op["name"] == "mul"
    if masked:
        cause = "a factor of 0 makes NaN of an infinity, and does not remove it"
    if chosen is not None:
        cause += ", and " if cause else ""
        cause += SPREADS if backward else f"where on line {chosen['line']} {STAYS}"
    what = f"The gradient of {_words(facts, op)}" if backward else _result(facts, op)
    verb = "turns" if backward else "is the first to be"
    text = f"{what} on line {op['line']} {verb} {word}" + (f": {cause}" if cause else "")
    return Found(
        text if found is first or masked else f"{text}, because of the infinities from line {first[1]['line']}",
        [op["line"], first[1]["line"]],
        [tensor, *op["inputs"], *op["outputs"][:1], *first[1]["inputs"], *first[1]["outputs"][:1]],
        [op["node"]] if op["node"] else [],
        [op["id"]],
        [time],
        fix=BRANCHES if chosen is not None or masked else _growing(facts, op, p, cause),
        severity=None if found is first else "hint",
        explains_error=word == "NaN" and facts.error is not None and ANOMALY in facts.error["message"],
    )


def _data(facts: Facts, p: Pass) -> str | None:
    """What a loss that is NaN was computed from, and that was so from the start."""
    root = facts.root(p)
    if root is None or _bad(facts, facts.tensors[root]["value"]) != "NaN":
        return None
    found = _ancestors(facts, p)
    for op in [op for op in facts.ops[: p.ops] if op["id"] in found]:
        for t in op["inputs"]:
            if facts.maker(t) is None and _bad(facts, facts.tensors[t]["value"]) == "NaN":
                return str(t)
    return None


def _from_the_start(facts: Facts, data: str, found: Origin) -> Found:
    _, op, _, _, time, _ = found
    summary = facts.summary(facts.tensors[data]["value"])
    count = "Some" if summary is None or not summary.nan else f"{summary.nan} of {summary.size}"
    return Found(
        f"{count} numbers of {name_of(facts, data)} {'is' if count.startswith('1 ') else 'are'} NaN before anything is "
        "computed, and with it all that depends on it",
        [facts.tensors[data]["line"], op["line"]],
        [data],
        [op["node"]] if op["node"] else [],
        [op["id"]],
        [time],
        fix="Leave them out before the loss: known = ~x.isnan(), and compute with x[known] and y[known]. Times 0, they "
        "stay NaN.",
    )


SPREADS = "where multiplies the infinity in the branch that was not taken by 0"
STAYS = "leaves it out of the result, but not out of the gradient, which is 0 times NaN"

BRANCHES = (
    "Choose before the op, not only after it: safe = torch.where(condition, x, 1.0), compute the branch from safe, and "
    "keep the where that chooses the result."
)


TOGETHER = {
    ("log", "softmax"): "torch.log_softmax(x, dim)",
    ("log", "sigmoid"): "torch.nn.functional.logsigmoid(x)",
    ("log", "sum"): "torch.logsumexp(x, dim)",
    ("div", "linalg_vector_norm"): "torch.nn.functional.normalize(x, dim=-1), which divides by 1e-12 at least",
}
"""What does two ops at once, and stays finite where the second alone does not."""


def _in_one(facts: Facts, op: Row) -> str | None:
    """What helps where one op does the work of two."""
    for given in op["inputs"]:
        made = facts.origin(given)[1]
        if made is None:
            continue
        if made["name"] == "sum" and not any((by := facts.maker(t)) and by["name"] == "exp" for t in made["inputs"]):
            continue
        found = TOGETHER.get((op["name"], made["name"]))
        if found is not None:
            return f"Use {found}, or keep the argument away from that point."
    return None


def _chosen(facts: Facts, op: Row, p: Pass) -> Row | None:
    """The `where` that a result which is not finite goes into, and leaves finite; None if something else uses it."""
    todo = [op["outputs"][0]]
    for _ in range(4):
        users = [facts.ops[i] for t in todo for i in facts.users.get(t, ()) if i < p.ops]
        for user in users:
            if user["name"] == "where":
                return None if _bad(facts, facts.tensors[user["outputs"][0]]["value"]) else user
        todo = [t for user in users for t in user["outputs"]]
    return None


def _groups(facts: Facts, *names: str) -> Iterator[list[Row]]:
    """Calls of these ops from one place of one module, in order."""
    found: dict[tuple[object, ...], list[Row]] = {}
    for name in names:
        for i in facts.named.get(name, ()):
            op = facts.ops[i]
            label = facts.scopes[op["scope"]]["label"]
            found.setdefault((name, op["line"], op["column"], label), []).append(op)
    yield from found.values()


def _in_pass(facts: Facts, ops: list[Row]) -> Pass | None:
    nodes = {op["node"] for op in ops}
    return next((p for p in facts.outer_passes if nodes & p.reachable), None)


DYING = 4
"""Calls at the end, more than before them, that give nothing but 0, by which a relu has died."""


def dead_relu(facts: Facts) -> Iterator[Found]:
    """relu that gives nothing but 0, in every call."""
    for ops in _groups(facts, "relu", "clamp", "clamp_min"):
        if not all(_rectifies(op) for op in ops):
            continue
        outs = [op["outputs"][0] for op in ops]
        rows = facts.tensors[outs[0]]["shape"]
        values = [facts.made(op) for op in ops]
        alive = next((i for i in range(len(values) - 1, -1, -1) if not facts.zero(values[i])), -1)
        if alive >= 0 and not _has_died(facts, ops, alive):
            continue
        ops, outs, values = ops[alive + 1 :], outs[alive + 1 :], values[alive + 1 :]
        sizes = sum([found.size for value in values if (found := facts.summary(value))])
        p = _in_pass(facts, ops)
        if sizes < FEWEST or p is None or len(rows) < 2:
            continue
        behind = [t for t, time in p.reached.items() if facts.zero(facts.events[time]["incoming"])]
        named = [t for t in behind if facts.tensors[t]["name"]]
        label = _capital(name_of(facts, outs[-1]))
        because = f": {names_of(facts, named)} get gradient 0" if named else ""
        yield Found(
            f"{label} on line {ops[0]['line']} is 0 in all {sizes} elements"
            + (f" of the last {len(ops)} calls" if alive >= 0 else "")
            + because,
            [ops[0]["line"], *[facts.tensors[t]["line"] for t in named[:1]]],
            [outs[-1], *named],
            [op["node"] for op in ops[-1:] if op["node"]],
            [op["id"] for op in ops[-1:]],
            severity="warning" if len(ops) > 1 else "hint",
        )


def _has_died(facts: Facts, ops: list[Row], alive: int) -> bool:
    """Whether a relu inside of a model, which gave something until call number `alive`, gives nothing since."""
    if len(ops) - 1 - alive <= max(DYING, alive + 1) or not facts.stepping or facts.gaps:
        return False
    users = {facts.ops[i]["name"] for i in facts.users.get(ops[-1]["outputs"][0], ())}
    return bool(users & (WEIGHED | DISTANCES))


DISTANCES = frozenset({"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"})


def _rectifies(op: Row) -> bool:
    """Whether an op is relu, by this name or as a clamp from 0 up."""
    given = op["arguments"]
    return op["name"] == "relu" or (given.get("min") == 0 and given.get("max") is None)


def saturated(facts: Facts) -> Iterator[Found]:
    """sigmoid or tanh at their limits."""
    for ops in _groups(facts, "sigmoid", "tanh", "softmax"):
        name = ops[0]["name"]
        p = _in_pass(facts, ops)
        if p is None or name == "softmax" and _alone(facts, ops[0]):
            continue
        shares = []
        for op in (ops[0], ops[-1]):
            a = facts.array(facts.made(op))
            if a is None or a.size < FEWEST:
                break
            off = np.minimum(np.abs(a), np.abs(1 - a)) if name != "tanh" else 1 - np.abs(a)
            shares.append(float((off <= 1e-3).mean()))
        if len(shares) < 2 or min(shares) < 0.95:
            continue
        out = ops[0]["outputs"][0]
        a = facts.array(facts.made(ops[0]))
        derivative = 0.0 if a is None else float((a * (1 - a) if name != "tanh" else 1 - a * a).mean())
        yield Found(
            f"{_capital(name_of(facts, out))} on line {ops[0]['line']} is at the limits of {name} in {shares[0]:.0%} "
            f"of its values, so it multiplies gradients by {derivative:.2g}",
            [ops[0]["line"]],
            [out],
            [ops[0]["node"]],
            [ops[0]["id"]],
            values={"share": shares[0], "mean derivative": derivative},
        )


def _alone(facts: Facts, op: Row) -> bool:
    """Whether a softmax is of one number, and 1 whatever goes in: `softmax-axis` says so where a loss uses it."""
    sizes, axis = facts.tensors[op["inputs"][0]]["shape"], op["arguments"].get("dim")
    return isinstance(axis, int) and -len(sizes) <= axis < len(sizes) and sizes[axis] == 1


WEIGHED = frozenset({"addmm", "mm", "linear", "matmul", "bmm", "convolution", "conv1d", "conv2d"})
"""Ops that a layer with a matrix is."""


def _weight(facts: Facts, p: Pass, op: Row) -> str | None:
    """The matrix that an op multiplies with, if it is a leaf that the pass reaches."""
    if op["name"] not in WEIGHED:
        return None
    weights = [t for given in op["inputs"] if (t := facts.origin(given)[0]) in p.reached]
    return next((t for t in reversed(weights) if len(facts.tensors[t]["shape"]) > 1), None)


def _arriving(facts: Facts, p: Pass) -> list[tuple[str, float]]:
    """(weight, norm of the gradient that arrives at what its layer gives), last layer first."""
    found: dict[str, float] = {}
    for time in p.nodes if WEIGHED & facts.named.keys() else ():
        event = facts.events[time]
        op = facts.op_of(event["node"])
        if op is None or op["name"] not in WEIGHED:
            continue
        weight = _weight(facts, p, op)
        norm = facts.summary(event["grad_outputs"][0])
        if weight is not None and norm is not None and norm.finite and norm.norm > 0:
            found.setdefault(weight, norm.norm)
    return list(found.items())


def _depth(facts: Facts) -> list[tuple[Pass, list[tuple[str, float]]]]:
    """Of the first pass of each line: (weight, norm), last layer first, of its gradient and of what arrives there."""
    known: list[tuple[Pass, list[tuple[str, float]]]] | None = facts.known.get("depth")
    if known is not None:
        return known
    known = facts.known["depth"] = []
    seen: set[int | None] = set()
    for p in facts.outer_passes:
        if p.line in seen:
            continue
        seen.add(p.line)
        norms = []
        for t, time in sorted(p.reached.items(), key=lambda item: item[1]):
            found = facts.summary(facts.events[time]["incoming"])
            if len(facts.tensors[t]["shape"]) > 1 and found is not None and found.finite and found.norm > 0:
                norms.append((t, found.norm))
        known += [(p, norms), (p, _arriving(facts, p))]
    return known


def _fold(ratio: float) -> str:
    """A factor as an adverb: 3,400-fold."""
    return f"{float(f'{ratio:.2g}'):,.0f}-fold" if ratio < 1e6 else f"10^{math.log10(ratio):.0f}-fold"


def _along(facts: Facts, rising: bool) -> Iterator[Found]:
    word = "grows" if rising else "shrinks"
    for p, norms in _depth(facts):
        change = [b / a for (_, a), (_, b) in zip(norms, norms[1:], strict=False)]
        whole = norms[-1][1] / norms[0][1] if norms else 1.0
        ratio = whole if rising else 1 / whole
        steps = sum([(r > 1) == rising for r in change])
        if len(norms) < LAYERS or ratio < RATIO or steps < 0.7 * len(change):
            continue
        first, last = norms[-1], norms[0]
        yield Found(
            f"The gradient {word} {_fold(ratio)} from {name_of(facts, last[0])} back to {name_of(facts, first[0])}: "
            f"from {last[1]:.2g} to {first[1]:.2g}",
            [facts.tensors[first[0]]["line"], p.line],
            [first[0], last[0]],
            events=[p.begin],
            values={"norms": [norm for _, norm in norms]},
        )
        return
    yield from _through_time(facts, rising, word)


Place = list[tuple[Row, int, int]]
"""(op, time, turn) of the nodes of one place."""


def _in_loops(facts: Facts) -> list[Place]:
    """The nodes that the first pass runs for ops in loops, or in time steps of a module, of places in enough turns."""
    known: list[Place] | None = facts.known.get("in loops")
    if known is None:
        places: dict[tuple[object, ...], Place] = {}
        for p in facts.outer_passes[:1]:
            for time in p.nodes:
                event = facts.events[time]
                op = facts.op_of(event["node"])
                if op is None or len(event["grad_outputs"]) != 1:
                    continue
                turn = facts.iteration(op["scope"])
                if turn is not None:
                    places.setdefault((op["name"], op["line"], op["column"]), []).append((op, time, turn))
                in_module = facts.scopes[op["scope"]]["kind"] == "module"
                if in_module and (weight := _weight(facts, p, op)) is not None:
                    steps = places.setdefault((op["scope"], weight), [])
                    steps.append((op, time, len(steps)))
        known = facts.known["in loops"] = [place for place in places.values() if len(place) >= 2 * LAYERS]
    return known


def _norm(facts: Facts, time: int) -> float:
    """Of the gradient that arrives at a node; 0 where it says nothing."""
    found = facts.summary(facts.events[time]["grad_outputs"][0])
    return found.norm if found is not None and found.finite else 0.0


def _far_apart(facts: Facts, place: Place) -> bool:
    """Whether the first and the last norm that say something are."""
    ends = [next((x for _, time, _ in rows if (x := _norm(facts, time)) > 0), 0.0) for rows in (place, place[::-1])]
    return min(ends) > 0 and max(ends) >= RATIO * min(ends)


def _through_time(facts: Facts, rising: bool, word: str) -> Iterator[Found]:
    """The same along the nodes of one place in a loop."""
    for p in facts.outer_passes[:1]:
        for place in _in_loops(facts):
            if not _far_apart(facts, place):
                continue
            rows = [(row, norm) for row in place if (norm := _norm(facts, row[1])) > 0]
            turns = {turn for (_, _, turn), _ in rows}
            norms = [norm for _, norm in rows]
            ratio = norms[-1] / norms[0] if rising else norms[0] / norms[-1]
            steps = sum([(b > a) == rising for a, b in zip(norms, norms[1:], strict=False)])
            if len(turns) < 2 * LAYERS or len(turns) < len(rows) or ratio < RATIO or steps < 0.7 * (len(norms) - 1):
                continue
            op, time, _ = rows[-1][0]
            weight = _weight(facts, p, op) if len({row["scope"] for (row, _, _), _ in rows}) == 1 else None
            steps_of = (
                f"iterations of line {op['line']}" if weight is None else f"time steps with {name_of(facts, weight)}"
            )
            others = [t for t in p.reached if facts.tensors[t]["name"]] if weight is None else [weight]
            yield Found(
                f"The gradient {word} {_fold(ratio)} over {len(rows)} {steps_of}: "
                f"from {norms[0]:.2g} to {norms[-1]:.2g}",
                [op["line"], p.line],
                [op["outputs"][0], *others[:3]],
                [op["node"]],
                [op["id"]],
                [time],
                values={"norms": norms[:50]},
            )
            return


def vanishing(facts: Facts) -> Iterator[Found]:
    """Gradients that shrink on their way back."""
    yield from _along(facts, rising=False)


def exploding(facts: Facts) -> Iterator[Found]:
    """Gradients that grow on their way back."""
    yield from _along(facts, rising=True)


def _done(facts: Facts, p: Pass) -> bool:
    """Whether the loss of a pass is 0."""
    root = facts.root(p)
    return root is not None and facts.zero(facts.tensors[root]["value"])


def zero_gradient(facts: Facts) -> Iterator[Found]:
    """A flat op that turns a gradient into exactly 0."""
    seen: set[int | None] = set()
    alive: set[str] = set()
    for p in facts.outer_passes:
        zeros = [t for t, time in p.reached.items() if facts.zero(facts.events[time]["incoming"])]
        if not _done(facts, p):
            alive.update(t for t in p.reached if t not in zeros)
        elif alive.issuperset(zeros):
            continue  # the loss has come down to 0
        if not zeros:
            continue
        for time in p.nodes:
            event = facts.events[time]
            op = facts.op_of(event["node"])
            if op is None or op["name"] not in FLAT or op["line"] in seen:
                continue
            given = [value for value in event["grad_inputs"] if value is not None]
            if not given or facts.zero(event["grad_outputs"][0]) or not all(facts.zero(value) for value in given):
                continue
            seen.add(op["line"])
            yield Found(
                f"{_words(facts, op)} on line {op['line']} is flat where {names_of(facts, zeros)} "
                f"{'is' if len(zeros) == 1 else 'are'}: the gradient is exactly 0",
                [op["line"]],
                [*zeros, op["outputs"][0]],
                [op["node"]],
                [op["id"]],
                [time],
                severity="warning" if any(t in facts.held for t in zeros) else "hint",
            )


def _exact(facts: Facts, name: str, op: Row, place: int, incoming: np.ndarray) -> np.ndarray | None:
    """What a node sends to an input of its op, before it is rounded; nothing for what is no plain product."""
    given = [facts.array(facts.tensors[t]["value"]) for t in op["inputs"]]
    number = op["arguments"].get("other" if name in ("mul", "div") else "exponent")
    a = [x for x in given if x is not None]
    found: np.ndarray | None = None
    if place >= len(given) or len(a) < len(given):
        return None
    if name == "mean" and incoming.size == 1:
        found = np.full(a[0].shape, incoming.reshape(()) / max(a[0].size, 1))
    elif name in ("mul", "div") and len(a) == 1 and isinstance(number, int | float):
        found = incoming * number if name == "mul" else incoming / number
    elif name == "mul" and len(a) == 2:
        found = incoming * a[1 - place]
    elif name == "pow" and isinstance(number, int | float):
        found = incoming * number * a[0] ** (number - 1)
    elif name == "mse_loss" and len(a) == 2:
        found = incoming * (a[place] - a[1 - place]) * 2 / (a[0].size if incoming.size == 1 else 1)
    elif name in ("mm", "addmm") and place >= len(a) - 2:
        found = incoming @ a[-1].T if place == len(a) - 2 else a[-2].T @ incoming
    return found


def underflow(facts: Facts) -> Iterator[Found]:
    """Gradients that float16 is too coarse for."""
    told: set[int | None] = set()
    if not any(row["dtype"] == "float16" for row in facts.tensors.values()):
        return
    for root, _, p in facts.losses:
        for event in [facts.events[i] for i in p.nodes] if p.line not in told else ():
            found = _lost(facts, event)
            if found is None:
                continue
            lost, of, largest = found
            told.add(p.line)
            op = facts.ops[facts.number[facts.nodes[event["node"]]["op"]]]
            way = "the cast" if op["name"] == "to" else spoken(op["name"])
            yield Found(
                f"{lost} of {of} gradients become 0 in float16 on the way back through {way} on line {op['line']}: "
                f"they are at most {largest:.2g}",
                [op["line"], p.line],
                [root],
                [event["node"]],
                [op["id"]],
                values={"largest": largest},
            )
            break


def _lost(facts: Facts, event: Row) -> tuple[int, int, float] | None:
    """How many gradients that a node sends are rounded to 0, of how many, and how large the largest of them is."""
    op = facts.op_of(event["node"])
    if op is None or len(event["grad_outputs"]) != 1:
        return None
    arrived = event["grad_outputs"][0]
    for place, value in enumerate(event["grad_inputs"]):
        if value is None or facts.values[value]["dtype"] != "float16":
            continue
        before, after = facts.summary(arrived), facts.summary(value)
        if before is None or after is None or not before.finite or after.zeros < after.size / 2:
            continue
        if op["name"] == "to":
            lost, there = after.zeros - before.zeros, before.size - before.zeros
            largest = min(max(-before.low, before.high), SMALLEST)
        else:
            incoming, sent = facts.array(arrived), facts.array(value)
            with np.errstate(all="ignore"):
                try:
                    exact = None if incoming is None else _exact(facts, op["name"], op, place, incoming)
                except ValueError:  # broadcast
                    continue
            if exact is None or sent is None or exact.shape != sent.shape or not np.isfinite(exact).all():
                continue
            gone = (np.abs(exact) > 1e-30) & (sent == 0) & (np.abs(exact) < SMALLEST)
            lost, there = int(gone.sum()), int((np.abs(exact) > 1e-30).sum())
            largest = float(np.abs(exact[gone]).max(initial=0))
        if lost and (lost == there or there >= FEWEST and 2 * lost >= there):
            return lost, there, largest
    return None


SMALLEST = 6e-8
"""What float16 still tells from 0."""


RULES = [
    Rule(
        "dead-relu", "sickness", "warning",
        "In one forward pass, every call of relu or clamp(min=0) from one place returns nothing but zeros (at least "
        "8, with a batch dimension). A hint when it was called once.",
        "relu passes a gradient only where its input is positive, which is nowhere here, so nothing before it learns.",
        "Try less negative biases, smaller steps, another initialisation, or leaky_relu.",
        "Silent for single vectors.", dead_relu,
    ),
    Rule(
        "underflow", "sickness", "warning",
        "In a pass, a node sends float16 gradients of which all, or of 8 and more at least half, become 0 although "
        "neither what arrives nor what it is multiplied by is 0: they are below 6e-8.",
        "float16 knows no number between 0 and 6e-8. What is lost there is lost for everything below.",
        "Scale the loss up before backward(), as torch.amp.GradScaler does, or use bfloat16, which reaches as far down "
        "as float32.",
        "Silent for other ops than casts, products, powers, means and mse_loss, and beyond casts for tensors too large "
        "for the document to hold in full.", underflow,
    ),
    Rule(
        "saturated", "sickness", "hint",
        "In both the first and the last call of sigmoid, tanh or softmax from one place, at least 95 % of the values "
        "(8 or more) are within 0.001 of the function's limits.",
        "The function is flat at its limits: its derivative is almost 0, "
        "and so is every gradient that passes through it.",
        "Scale its input: normalise the data, or start with smaller weights.",
        "Silent for a softmax of one number, and for tensors too large for the document to hold in full.", saturated,
    ),
    Rule(
        "vanishing", "sickness", "hint",
        "In the first backward(), gradient norms shrink 1,000-fold or more from the loss to the input, in at least 7 "
        "of 10 steps: those of at least 4 weight matrices, those arriving at their layers, those of one line's nodes "
        "over 8 iterations, or those of one weight's products over 8 time steps.",
        "Each layer multiplies the gradient by less than 1, so the first layers hardly learn.",
        "Use ReLU instead of sigmoid, well-scaled weights, normalisation, or residual connections.",
        "Silent when a gradient is exactly 0: other rules say why.", vanishing,
    ),
    Rule(
        "exploding", "sickness", "hint",
        "The same, but the norms grow 1,000-fold or more.",
        "Each layer multiplies the gradient by more than 1, so a single step throws the first layers far off.",
        "Use smaller weights, normalisation, or torch.nn.utils.clip_grad_norm_.",
        "Silent when values are not finite: other rules say why.", exploding,
    ),
    _not_finite("NaN", "nan-origin", ", or masks of -inf do. A hint when earlier infinities are the reason"),
    _not_finite("infinite", "inf-origin"),
    Rule(
        "zero-gradient", "sickness", "warning",
        "A leaf's gradient is exactly 0, and in that backward() clamp, round, sign, max or the like turned a "
        "gradient into zeros. A hint when no optimizer holds the leaf.",
        "The op is flat outside its limits, or between its steps.",
        "Use an op with a derivative other than 0 there, or start inside the limits.",
        "Silent for relu (see dead-relu), when only part of it is 0, and when the loss itself has reached 0.",
        zero_gradient,
    ),
]  # fmt: skip
