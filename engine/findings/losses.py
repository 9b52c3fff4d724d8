"""Rules: losses of what they are not made for."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

import numpy as np

from .facts import CHAIN, Facts, Row
from .finding import Found, Rule
from .names import name_of
from .source import Edit, called

LOSSES = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")

GREATER = frozenset({"pow", "square", "abs", "mul", "huber_loss", "smooth_l1_loss", "log", "exp", "cosh"})
REDUCE = frozenset({"mean", "sum"})


def broadcast_loss(facts: Facts) -> Iterator[Found]:
    """Operands of a loss that broadcast to something larger than both."""
    done: set[int | None] = set()
    for name in LOSSES:
        for i in facts.named.get(name, ()):
            op = facts.ops[i]
            sources = _operands(facts, op)
            if len(sources) == 2 and op["line"] not in done and _outer(facts, sources, op["inputs"][0]):
                done.add(op["line"])
                yield _broadcast(facts, op, sources, op["inputs"][0])
    for i in facts.named.get("sub", ()):
        op = facts.ops[i]
        sources = _operands(facts, op)
        if op["line"] in done or len(sources) != 2 or not _outer(facts, sources, op["outputs"][0]):
            continue
        if _explicit(facts, op, sources) or not _becomes_loss(facts, op):
            continue
        one, other = [facts.tensors[t]["requires_grad"] for t in sources]
        if one == other:
            continue
        done.add(op["line"])
        yield _broadcast(facts, op, sources, op["outputs"][0])
    for i in facts.named.get("mul", ()):
        op = facts.ops[i]
        sources = _operands(facts, op)
        if op["line"] in done or not _likelihood(facts, op, sources) or _explicit(facts, op, sources):
            continue
        if _summed(facts, op):
            done.add(op["line"])
            found = _broadcast(facts, op, sources, op["outputs"][0])
            found.edits = []  # there are other terms to change as well
            yield found


LOGS = frozenset({"log", "log1p", "log_softmax", "log_sigmoid_forward"})


def _likelihood(facts: Facts, op: Row, operands: list[str]) -> bool:
    """Whether logarithms of predictions are weighed by targets, a column of the ones by a row of the others."""
    if len(operands) != 2 or sorted(len(facts.tensors[t]["shape"]) for t in operands) != [1, 2]:
        return False
    row, column = sorted(operands, key=lambda t: len(facts.tensors[t]["shape"]))
    size = facts.tensors[row]["shape"][0]
    made = [facts.origin(t)[1] for t in operands if facts.tensors[t]["requires_grad"]]
    logs = [found for found in made if found is not None and found["name"] in LOGS]
    return size > 1 and facts.tensors[column]["shape"] == [size, 1] and len(made) == len(logs) == 1


def _summed(facts: Facts, op: Row) -> bool:
    """Whether an op is a term of what is summed."""
    current = op
    for _ in range(6):
        users = [facts.ops[i] for i in facts.users.get(current["outputs"][0], ())]
        if any(user["name"] in REDUCE and not user["arguments"].get("dim") for user in users):
            return True
        following = [user for user in users if user["name"] in ("add", "sub", "neg", "mul", "div")]
        if not following:
            return False
        current = following[0]
    return False


def _operands(facts: Facts, op: Row) -> list[str]:
    """The first two inputs of an op as the program gave them: before a loss expanded them."""
    sources: list[str] = []
    for t in op["inputs"][:2]:
        made = facts.maker(t)
        expanded = made is not None and made["name"] == "expand" and place(made) == place(op)
        sources.append(made["inputs"][0] if made is not None and expanded else t)
    return sources


def place(op: Row) -> tuple[int | None, ...]:
    """Start and end of an op's expression."""
    return op["line"], op["column"], op["end_line"], op["end_column"]


def _outer(facts: Facts, operands: list[str], result: str) -> bool:
    sizes = [facts.tensors[t]["shape"] for t in (*operands, result)]
    one, other, out = map(math.prod, sizes)
    return sizes[0] != sizes[1] and out > max(one, other) and min(one, other) > 1


def _explicit(facts: Facts, op: Row, operands: list[str]) -> bool:
    """Whether the program made room for the broadcast on the same line."""
    for t in operands:
        made = facts.maker(t)
        if made is not None and made["name"] in ("unsqueeze", "view", "reshape", "expand", "transpose", "t"):
            if made["line"] == op["line"]:
                return True
    return False


def _becomes_loss(facts: Facts, op: Row) -> bool:
    """Whether the difference, or its square or size, is summed."""
    current = op
    for _ in range(3):
        users = [facts.ops[i] for i in facts.users.get(current["outputs"][0], ())]
        if any(user["name"] in REDUCE and not user["arguments"].get("dim") for user in users):
            return current is not op
        following = [user for user in users if user["name"] in GREATER]
        if not following:
            return False
        current = following[0]
    return False


def _broadcast(facts: Facts, op: Row, operands: list[str], result: str) -> Found:
    one, other = operands
    call = facts.source.expression(op)
    edits: list[Edit] = []
    parts: list[ast.expr] = []
    if isinstance(call, ast.Call):
        parts = call.args[:2]
    elif isinstance(call, ast.BinOp):
        parts = [call.left, call.right]
    sizes = [facts.tensors[t]["shape"] for t in operands]
    if len(parts) == 2 and not any(isinstance(part, ast.Starred) for part in parts):
        for size, rest, part in zip(sizes, reversed(sizes), parts, strict=True):
            if len(size) == 2 and size[1] == 1 and rest == size[:1]:
                edits = [facts.source.with_method(part, "squeeze(1)")]
    made = name_of(facts, op["outputs"][0])
    made = made if facts.tensors[op["outputs"][0]]["name"] else op["name"]
    return Found(
        f"{made} compares {name_of(facts, one)} {facts.shape(one)} with {name_of(facts, other)} {facts.shape(other)}: "
        f"broadcasting makes {facts.shape(result)}",
        [op["line"], facts.tensors[other]["line"]],
        [one, other],
        [op["node"]] if op["node"] else [],
        [op["id"]],
        values={"shapes": [*sizes, facts.tensors[result]["shape"]]},
        edits=edits,
        fix="Give both the same shape: squeeze the dimension of size 1, or create it with keepdim=True.",
    )


def _fed(facts: Facts, consumer: str, producer: str) -> Iterator[tuple[Row, Row, str]]:
    """(producer, consumer, its input) where one op feeds another directly or through views."""
    seen: set[tuple[int | None, int | None]] = set()
    for i in facts.named.get(consumer, ()) if producer in facts.named else ():
        op = facts.ops[i]
        if not op["inputs"]:
            continue
        origin, made = facts.origin(op["inputs"][0])
        if made is not None and made["name"] == producer and (made["line"], op["line"]) not in seen:
            seen.add((made["line"], op["line"]))
            yield made, op, origin if facts.tensors[origin]["name"] else op["inputs"][0]


def _call_text(facts: Facts, op: Row) -> str:
    """Name of the function that the program calls for an op."""
    node = facts.source.expression(op)
    return called(node) if isinstance(node, ast.Call) and called(node) in KNOWN else op["name"]


KNOWN = frozenset({"cross_entropy", "log_softmax", "nll_loss", "binary_cross_entropy_with_logits"})


def _unwrap(facts: Facts, op: Row) -> list[Edit]:
    """Leave a function out: F.softmax(x, 1) becomes x."""
    node = facts.source.expression(op)
    if not isinstance(node, ast.Call) or called(node) not in ("softmax", "sigmoid"):
        return []
    function = node.func
    of_module = isinstance(function, ast.Attribute) and ast.unparse(function.value) in ("F", "torch", "nn.functional")
    if of_module and node.args and not isinstance(node.args[0], ast.Starred):
        return [facts.source.replace(node, facts.source.text(node.args[0]))]
    if isinstance(function, ast.Attribute) and not of_module and function.attr == called(node):
        first = function.value
        if isinstance(first, ast.Name | ast.Call | ast.BinOp | ast.Attribute | ast.Subscript):
            if not (isinstance(first, ast.Name) and first.id not in facts.bound and first.id not in ("x", "out", "z")):
                return [facts.source.replace(node, facts.source.text(first))] if first.lineno == node.lineno else []
    return []


def double_softmax(facts: Facts) -> Iterator[Found]:
    """softmax, then log_softmax or cross_entropy."""
    for made, op, origin in _fed(facts, "log_softmax", "softmax"):
        yield Found(
            f"{name_of(facts, origin)} is already a softmax (line {made['line']}), and {_call_text(facts, op)} on line "
            f"{op['line']} takes another",
            [made["line"], op["line"]],
            [origin],
            ops=[made["id"], op["id"]],
            edits=_unwrap(facts, made),
        )


def log_softmax_twice(facts: Facts) -> Iterator[Found]:
    """log_softmax, then log_softmax or cross_entropy."""
    for made, op, origin in _fed(facts, "log_softmax", "log_softmax"):
        if made["arguments"].get("dim") != op["arguments"].get("dim"):
            continue
        yield Found(
            f"{name_of(facts, origin)} is already a log_softmax (line {made['line']}): that of {_call_text(facts, op)} "
            f"on line {op['line']} changes nothing",
            [op["line"], made["line"]],
            [origin],
            ops=[made["id"], op["id"]],
        )


def softmax_before_nll(facts: Facts) -> Iterator[Found]:
    """nll_loss of probabilities instead of their logarithms."""
    for made, op, origin in _fed(facts, "nll_loss", "softmax"):
        yield _of_probabilities(facts, made, op, origin, "nll_loss")
    told: set[int | None] = set()
    for op, given, target in divergences(facts) if "softmax" in facts.named else ():
        origin, before = facts.origin(given)
        swapped = facts.tensors[target]["requires_grad"] and not facts.tensors[given]["requires_grad"]
        if op["line"] not in told and before is not None and before["name"] == "softmax" and not swapped:
            told.add(op["line"])
            named = origin if facts.tensors[origin]["name"] else given
            yield _of_probabilities(facts, before, op, named, "kl_div")


def _of_probabilities(facts: Facts, made: Row, op: Row, origin: str, loss: str) -> Found:
    node = facts.source.expression(made)
    edits = []
    if isinstance(node, ast.Call) and called(node) == "softmax":
        function = node.func
        text = facts.source.text(function)
        if isinstance(function, ast.Attribute) and not isinstance(function.value, ast.Attribute):
            edits = [facts.source.replace(function, text[: -len("softmax")] + "log_softmax")]
    return Found(
        f"{loss} on line {op['line']} expects log-probabilities, and {name_of(facts, origin)} is a softmax "
        f"(line {made['line']})",
        [made["line"], op["line"]],
        [origin],
        ops=[made["id"], op["id"]],
        edits=edits,
    )


def divergences(facts: Facts) -> Iterator[tuple[Row, str, str]]:
    """(product, input, target) of each kl_div of probabilities."""
    for i in facts.named.get("xlogy", ()):
        op = facts.ops[i]
        target = op["inputs"][0]
        for product in [facts.ops[j] for j in facts.users.get(target, ())] if op["inputs"] == [target, target] else ():
            if product["name"] == "mul" and place(product) == place(op) and len(product["inputs"]) == 2:
                yield product, next((t for t in product["inputs"] if t != target), target), target


def is_logarithm(facts: Facts, tensor: str) -> bool:
    """Whether the numbers of a tensor are at most 0, and some below."""
    found = facts.summary(facts.tensors[tensor]["value"])
    return found is not None and found.finite and found.low < 0 and found.high <= 0


SCORES = frozenset({
    "addmm", "mm", "matmul", "bmm", "convolution", "sigmoid", "relu", "tanh", "leaky_relu", "gelu", "batch_norm",
})  # fmt: skip


def not_log_probabilities(facts: Facts) -> Iterator[Found]:
    """Scores for log-probabilities, and log-probabilities for a target."""
    told: set[int | None] = set()
    likelihoods = [facts.ops[i] for name in ("nll_loss", "nll_loss2d") for i in facts.named.get(name, ())]
    calls = [("nll_loss", op, op["inputs"][0], "") for op in likelihoods]
    calls += [("kl_div", op, given, target) for op, given, target in divergences(facts)]
    for loss, op, given, target in calls:
        if op["line"] in told:
            continue
        if target and is_logarithm(facts, target) and is_logarithm(facts, given):
            told.add(op["line"])
            yield Found(
                f"kl_div on line {op['line']} expects probabilities for its target, and {name_of(facts, target)} has "
                "their logarithms: the logarithm of a negative number is NaN",
                [op["line"], facts.tensors[target]["line"]],
                [target],
                ops=[op["id"]],
                fix="Pass log_target=True, or the probabilities.",
            )
            continue
        found = facts.summary(facts.tensors[given]["value"])
        if (
            found is None
            or not found.high > 0
            or not facts.tensors[given]["requires_grad"]
            or not _scores(facts, given, found.low >= 0)
        ):
            continue
        told.add(op["line"])
        named = facts.origin(given)[0]
        named = named if facts.tensors[named]["name"] else given
        yield Found(
            f"{loss} on line {op['line']} expects log-probabilities, and {name_of(facts, named)} has scores as large "
            f"as {found.high:.3g}",
            [op["line"], facts.tensors[named]["line"]],
            [named],
            [op["node"]],
            [op["id"]],
            edits=_as_logarithms(facts, op, loss),
        )


def _scores(facts: Facts, tensor: str, positive: bool) -> bool:
    """Whether a tensor is what a layer gives, or a share of a sum, and no logarithm of anything."""
    made = facts.origin(tensor)[1]
    if made is not None and made["name"] in ("div", "exp"):
        return positive
    if made is not None and made["name"] == "add":
        return any((of := facts.origin(t)[1]) is not None and of["name"] in SCORES for t in made["inputs"])
    return made is not None and made["name"] in SCORES


def _as_logarithms(facts: Facts, op: Row, loss: str) -> list[Edit]:
    """cross_entropy for nll_loss; log_softmax around the argument of kl_div."""
    node = facts.source.expression(op)
    if not isinstance(node, ast.Call) or called(node) != loss or not node.args:
        return []
    function, first = facts.source.text(node.func), node.args[0]
    made = facts.origin(op["inputs"][0 if loss == "nll_loss" else 1])[1]
    if made is not None and made["name"] in ("sigmoid", "div", "exp"):
        return []
    if loss == "nll_loss":
        return [facts.source.replace(node.func, function.removesuffix(loss) + "cross_entropy")]
    if not isinstance(node.func, ast.Attribute) or isinstance(first, ast.Starred):
        return []
    text = f"{function.removesuffix(loss)}log_softmax({facts.source.text(first)}, dim=-1)"
    return [facts.source.replace(first, text)]


ANSWERS = frozenset({"nll_loss", "binary_cross_entropy", "mse_loss", "l1_loss", "smooth_l1_loss"})
"""Losses of what a model says, sample by sample."""

BETWEEN = CHAIN | {"log", "clamp", "neg", "add"}


def _answers(facts: Facts, op: Row) -> Row | None:
    """The loss that a result goes to, directly or by way of its logarithm."""
    todo = list(op["outputs"][:1])
    for _ in range(3):
        users = [facts.ops[i] for t in todo for i in facts.users.get(t, ())[:4]]
        found = next((user for user in users if user["name"] in ANSWERS and user["inputs"][0] in todo), None)
        if found is not None:
            return found
        todo = [user["outputs"][0] for user in users if user["name"] in BETWEEN and user["outputs"]]
    return None


def softmax_axis(facts: Facts) -> Iterator[Found]:
    """A softmax along samples, or along a dimension of one class."""
    seen: set[int | None] = set()
    for i in [i for name in ("softmax", "log_softmax") for i in facts.named.get(name, ())]:
        op = facts.ops[i]
        given = facts.tensors[op["inputs"][0]]
        axis = op["arguments"].get("dim")
        if op["line"] in seen or len(given["shape"]) != 2 or axis not in (0, 1, -1, -2) or not given["requires_grad"]:
            continue
        samples, classes = given["shape"]
        along = given["shape"][axis]
        one = axis in (1, -1) and classes == 1
        across = axis in (0, -2) and samples > 1
        loss = _answers(facts, op) if one or across else None
        if loss is None or across and loss["name"] != "nll_loss":
            continue
        seen.add(op["line"])
        result = facts.tensors[op["outputs"][0]]
        called_by = _call_text(facts, loss) if place(loss) == place(op) else _call_text(facts, op)
        yield Found(
            f"{called_by} on line {op['line']} "
            + (
                f"has one class to choose from, {facts.shape(given['id'])}: its probability is always 1"
                if one
                else f"is taken along the {along} samples of {name_of(facts, given['id'])} {facts.shape(given['id'])}, "
                f"not along its {classes} classes"
            ),
            [op["line"], loss["line"]],
            [given["id"], result["id"]],
            ops=[op["id"], loss["id"]],
            fix="For two classes, give the model two outputs, or one with binary_cross_entropy_with_logits."
            if one
            else "Pass dim=1, the dimension of the classes.",
            severity="error",
        )
    yield from _attention_axis(facts)


def _attention_axis(facts: Facts) -> Iterator[Found]:
    """The softmax of scores along the queries, of which a product with the values sums over the keys."""
    seen: set[int | None] = set()
    for i in facts.named.get("softmax", ()):
        op = facts.ops[i]
        given, result = facts.tensors[op["inputs"][0]], op["outputs"][0]
        rank, axis = len(given["shape"]), op["arguments"].get("dim")
        if op["line"] in seen or rank < 3 or not isinstance(axis, int) or axis % rank != rank - 2:
            continue
        scores = _product(facts, op["inputs"][0])
        taken = [user for user in _through_views(facts, result) if user["name"] in PRODUCTS]
        if scores is None or not any(facts.origin(user["inputs"][0])[0] == result for user in taken):
            continue
        seen.add(op["line"])
        yield Found(
            f"The softmax on line {op['line']} is taken along dimension {axis} of the scores {facts.shape(given['id'])}"
            f", the queries: what the product on line {taken[0]['line']} sums over doesn't add up to 1",
            [op["line"], taken[0]["line"]],
            [given["id"], result],
            [op["node"]] if op["node"] else [],
            [op["id"]],
            fix="Take the softmax along the keys, the last dimension: dim=-1.",
            severity="warning",
        )


PRODUCTS = frozenset({"matmul", "bmm"})


def _product(facts: Facts, tensor: str) -> Row | None:
    """The product that scores come from, scaled or masked."""
    for _ in range(4):
        tensor, made = facts.origin(tensor)
        if made is None or made["name"] in PRODUCTS:
            return made
        if made["name"] not in ("div", "mul", "add", "masked_fill"):
            return None
        tensor = made["inputs"][0]
    return None


def _through_views(facts: Facts, tensor: str) -> list[Row]:
    """The ops that use a tensor, or an expanded or reshaped one, as a product does inside."""
    found, todo = [], [tensor]
    for _ in range(3):
        users = [facts.ops[i] for t in todo for i in facts.users.get(t, ())]
        found += users
        todo = [u["outputs"][0] for u in users if u["name"] in ("expand", "view", "reshape", "_unsafe_view")]
    return found


def sigmoid_before_logits(facts: Facts) -> Iterator[Found]:
    """sigmoid, then a loss that takes another."""
    for made, op, origin in _fed(facts, "binary_cross_entropy_with_logits", "sigmoid"):
        yield Found(
            f"{name_of(facts, origin)} is already a sigmoid (line {made['line']}), and the loss on line {op['line']} "
            "takes another",
            [made["line"], op["line"]],
            [origin],
            ops=[made["id"], op["id"]],
            edits=_unwrap(facts, made),
        )
    for made, op, origin in _fed(facts, "sigmoid", "sigmoid"):
        loss = _answers(facts, op)
        if loss is not None and loss["name"] == "binary_cross_entropy":
            yield Found(
                f"{name_of(facts, origin)} is already a sigmoid (line {made['line']}), and line {op['line']} takes "
                "another for the loss",
                [op["line"], made["line"]],
                [origin],
                ops=[made["id"], op["id"]],
                edits=_unwrap(facts, op),
                fix="Leave one of the two out.",
            )


def probabilities_in_cross_entropy(facts: Facts) -> Iterator[Found]:
    """cross_entropy of what is a distribution already, made without softmax."""
    seen: set[int | None] = set()
    for i in facts.named.get("log_softmax", ()):
        op = facts.ops[i]
        given = op["inputs"][0]
        row = facts.tensors[given]
        losses = [facts.ops[j] for j in facts.users.get(op["outputs"][0], ())]
        if op["line"] in seen or not row["requires_grad"] or not any(place(loss) == place(op) for loss in losses):
            continue
        origin, made = facts.origin(given)
        if made is None or made["name"] in ("softmax", "log_softmax"):
            continue
        a = facts.array(row["value"])
        if made["name"] != "sigmoid":
            if a is None or a.ndim < 1 or a.min() < 0 or a.shape[-1] < 2:
                continue
            axis = op["arguments"].get("dim", -1)
            sums = a.sum(axis=axis if isinstance(axis, int) and -a.ndim <= axis < a.ndim else -1)
            if np.abs(sums - 1).max() > 1e-4 or np.isin(a, (0, 1)).all():
                continue
        elif row["shape"] and row["shape"][-1] < 2:
            continue
        seen.add(op["line"])
        yield Found(
            f"{name_of(facts, given)} holds probabilities (line {made['line']}), "
            f"and cross_entropy on line {op['line']} applies a softmax to them",
            [made["line"], op["line"]],
            [given],
            ops=[made["id"], op["id"]],
            severity="warning",
        )


RULES = [
    Rule(
        "broadcast-loss", "construction", "error",
        "The operands of mse_loss, l1_loss, smooth_l1_loss or huber_loss, or of a difference whose square or "
        "absolute value is summed or averaged, broadcast to more elements than either has; or a column of logarithms "
        "is multiplied by a row of targets.",
        "Missing dimensions are added on the left: (N, 1) against (N,) compares every prediction with every target, "
        "so all of them are pulled to the mean of the targets.",
        "Give both the same shape.",
        "Silent for differences and products with None, unsqueeze or view on the same line.", broadcast_loss,
    ),
    Rule(
        "double-softmax", "construction", "warning",
        "log_softmax, on its own or inside cross_entropy, is applied to the result of softmax.",
        "The second softmax gets numbers between 0 and 1 and flattens them: gradients are small, and the loss can't "
        "reach 0.",
        "Pass the loss the values before the softmax.",
        "Silent when anything but a view comes in between.", double_softmax,
    ),
    Rule(
        "log-softmax-twice", "construction", "hint",
        "log_softmax, on its own or inside cross_entropy, is applied to the result of log_softmax along the same "
        "dimension.",
        "The exponentials of log-probabilities add up to 1, so a second log_softmax takes away the logarithm of 1: the "
        "loss and its gradients are those of one.",
        "Nothing has to change. With log_softmax, nll_loss is enough; with cross_entropy, pass it the values before.",
        "Silent when anything but a view comes in between.", log_softmax_twice,
    ),
    Rule(
        "softmax-before-nll", "construction", "error",
        "nll_loss, or kl_div for its first argument, is given the result of softmax.",
        "Both expect log-probabilities. With probabilities they are linear: being wrong costs no larger gradient.",
        "Use log_softmax, or cross_entropy on the values before the softmax.",
        "Silent when anything but a view comes in between.", softmax_before_nll,
    ),
    Rule(
        "not-log-probabilities", "construction", "error",
        "nll_loss, or kl_div for its first argument, is given what a layer, sigmoid, relu or tanh gives, some of it "
        "above 0, or a quotient or exp with nothing below; or kl_div is given log-probabilities for its target, too.",
        "The logarithm of a probability is at most 0. A score has no upper end: the loss falls without limit by making "
        "the right ones, or all of them, larger.",
        "Use cross_entropy, which takes scores, or log_softmax before the loss.",
        "Silent for numbers that are made in another way, such as a density, and while all scores are below 0.",
        not_log_probabilities,
    ),
    Rule(
        "softmax-axis", "construction", "error",
        "The softmax of a loss for classes is taken along the samples; or along a dimension of size 1. A warning where "
        "that of a product's scores is taken along the queries, and multiplied by the values.",
        "The probabilities of a sample's classes are to add up to 1. Along the samples they don't, and of one class "
        "the probability is 1 whatever the model says.",
        "Take it along the dimension of the classes, of which there are at least two.",
        "Silent for other than two dimensions, and where the result does not go to a loss of torch.", softmax_axis,
    ),
    Rule(
        "sigmoid-before-logits", "construction", "warning",
        "binary_cross_entropy_with_logits is applied to the result of sigmoid, or binary_cross_entropy to that of two.",
        "The loss applies a sigmoid itself, and that of a number between 0 and 1 lies between 0.5 and 0.73.",
        "Pass the loss the values before the sigmoid.",
        "Silent when anything but a view comes in between.", sigmoid_before_logits,
    ),
    Rule(
        "probabilities-in-cross-entropy", "construction", "warning",
        "cross_entropy is applied to non-negative numbers that add up to 1 along its dimension, or to the result of "
        "sigmoid.",
        "cross_entropy applies a softmax itself, and the softmax of probabilities is almost flat.",
        "Pass it the raw scores, or use nll_loss on the logarithm.",
        "Silent for one-hot values, and for tensors too large for the document to hold in full.",
        probabilities_in_cross_entropy,
    ),
]  # fmt: skip
