"""Rules: learning is sick."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from .facts import Facts, Pass, Row
from .finding import Found, Rule
from .names import name_of, names_of
from .order import step_before_backward, zeroed_before_step

STEPS, RISES, LARGE = 3, 5, 0.2
NORMED = ("native_batch_norm", "batch_norm")


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)


def _series(facts: Facts) -> list[Row]:
    found: list[Row] = facts.document.get("training", [])
    return found


def symmetric_init(facts: Facts) -> Iterator[Found]:
    """A trained matrix whose rows are equal, and whose gradients are."""
    for p in facts.outer_passes[:1]:
        if sum([len(facts.tensors[t]["shape"]) > 1 for t in p.reached]) < 2:
            continue  # of one layer, equal rows need not stay so
        for t, time in p.reached.items():
            row = facts.tensors[t]
            if len(row["shape"]) < 2 or not facts.writes.get(t):
                continue
            writes = [at for at in facts.writes[t] if at < p.begin]
            value = facts.events[writes[-1]]["value"] if writes else row["value"]
            kept = [facts.array(v) for v in (value, facts.events[time]["incoming"], row["final"])]
            if any(at > p.end for at in facts.writes[t]) and _equal_units(kept, columns=t not in facts.parameters):
                line = facts.events[writes[-1]]["line"] if writes else row["line"]
                yield Found(
                    f"All units of {name_of(facts, t)} start equal, get equal gradients, and stay equal",
                    [line, row["line"]],
                    [t],
                    events=[time],
                )


def _equal_units(values: list[np.ndarray | None], columns: bool) -> bool:
    """Whether all rows are equal in each of these; or all columns, which are the units of `x @ w`."""
    if any(a is None or min(a.shape) < 1 or not np.isfinite(a).all() for a in values):
        return False
    rows = [a.reshape(len(a), -1) for a in values if a is not None]
    whole = [*rows, *[a.T for a in rows]] if columns else rows
    halves = [whole[: len(rows)], whole[len(rows) :]]
    return any(all([len(a) > 1 and bool((a == a[:1]).all()) for a in half]) for half in halves if half)


def _ratios(series: Row, row: Row) -> list[float]:
    """Step ÷ weight of each kept turn; nothing for what started at 0."""
    weights = [_number(w) for w in row["weight"]]
    if series["stride"] != 1 or not weights or not weights[0] > 0:
        return []
    pairs = zip(row["update"], weights, strict=False)
    return [_number(u) / w for u, w in pairs if u is not None and w > 0 and math.isfinite(_number(u))]


def _updates(facts: Facts, large: bool) -> Iterator[Found]:
    for series in _series(facts):
        if large and all(a > b for a, b in pairwise([_number(x) for x in series["loss"]])):
            continue
        for row in series["parameters"]:
            ratios = _ratios(series, row)
            if len(ratios) < STEPS or math.prod(facts.tensors[row["tensor"]]["shape"]) < 2:
                continue
            middle = sorted(ratios)[len(ratios) // 2]
            moved = [g for g in row["grad"] if g is not None and _number(g) > 0]
            if (middle > LARGE) if large else (moved and _still(facts, series)):
                uses = [use["line"] for o in facts.optimizers if row["tensor"] in o["tensors"] for use in o["uses"]
                        if use["what"] == "step"]  # fmt: skip
                made = [o["line"] for o in facts.optimizers if row["tensor"] in o["tensors"]]
                written = [facts.events[at]["line"] for at in facts.writes.get(row["tensor"], ())[-1:]]
                yield Found(
                    f"A step changes {name_of(facts, row['tensor'])} by {middle:.2g} of its norm",
                    [*made[:1], *uses[:1], series["line"], *written],
                    [row["tensor"]],
                    values={"step / weight": ratios[:20]},
                )
                break


def _still(facts: Facts, series: Row) -> bool:
    """Whether no leaf of a series moves by more than a millionth of its norm in a step."""
    leaves = {row["tensor"] for row in series["parameters"]}
    holders = [o for o in facts.stepping if leaves & set(o["tensors"])]
    moved = leaves & facts.held if holders else leaves
    rows = [ratios for row in series["parameters"] if row["tensor"] in moved and (ratios := _ratios(series, row))]
    same = len(series["loss"]) >= 10 and len({str(x) for x in series["loss"]}) == 1
    constant = same and not any(_rate(facts, optimizer) > 0 for optimizer in holders)
    steps = [len({use["passes"] for use in o["uses"] if use["what"] == "step"}) for o in holders]
    writes = [len(facts.writes.get(t, ())) for t in leaves]
    stepped = max(steps + writes, default=0) >= STEPS
    idle = {t for find in (zeroed_before_step, step_before_backward) for found in find(facts) for t in found.tensors}
    warming = any(len(ratios) > 2 and all(a < b for a, b in pairwise(ratios)) for ratios in rows)
    small = bool(rows) and max([max(ratios) for ratios in rows]) < 1e-6
    return small and stepped and not constant and not warming and not leaves & idle


def _rate(facts: Facts, optimizer: Row) -> float:
    """The learning rate that the program writes where it makes an optimizer; 0 where it writes none."""
    for call in facts.source.calls(optimizer["line"], optimizer["type"]):
        for keyword in call.keywords:
            value = keyword.value.value if keyword.arg == "lr" and isinstance(keyword.value, ast.Constant) else None
            if isinstance(value, int | float):
                return float(value)
    return 0.0


def update_too_large(facts: Facts) -> Iterator[Found]:
    """Steps that are large beside the weight."""
    yield from _updates(facts, large=True)


def update_too_small(facts: Facts) -> Iterator[Found]:
    """Steps that are lost beside the weight."""
    yield from _updates(facts, large=False)


def _stepped(facts: Facts, series: Row) -> bool:
    """Whether something changes between the passes of a series."""
    return bool(facts.stepping) or any(_number(u) > 0 for row in series["parameters"] for u in row["update"])


def _loss(facts: Facts, series: Row) -> tuple[str, list[int | None], list[str]]:
    """What the loss of a series is called, the lines of its passes and of itself, and its tensor."""
    root = next((facts.root(p) for p in facts.outer_passes if p.line == series["line"]), None)
    if root is None:
        return "The loss", [series["line"]], []
    return name_of(facts, root), [series["line"], facts.tensors[root]["line"]], [root]


def loss_diverges(facts: Facts) -> Iterator[Found]:
    """A loss that ends far above its start."""
    for series in _series(facts):
        losses = [_number(x) for x in series["loss"]]
        followed = any(sum([_number(u) > 0 for u in row["update"]]) > 3 for row in series["parameters"])
        if len(losses) < RISES or not followed or not math.isfinite(losses[0]):
            continue
        last = losses[-1]
        if math.isfinite(last) and not _grows(losses):
            continue
        loss, lines, tensors = _loss(facts, series)
        made = [o["line"] for o in facts.stepping if set(o["tensors"]) & {r["tensor"] for r in series["parameters"]}]
        turn = next((i for i, x in enumerate(losses) if not x <= 10 * abs(losses[0])), None)
        yield Found(
            f"{loss} rises from {losses[0]:.4g} to {last:.4g} in {series['passes']} iterations",
            [*lines, *made[:1], *_step_lines(facts, series)],
            tensors,
            fix=_summed(facts, *tensors),
            values={"loss": [str(x) if not math.isfinite(x) else x for x in losses[:50]]},
            since=turn,
        )


def loss_unbounded(facts: Facts) -> Iterator[Found]:
    """A loss that falls faster and faster, far below 0."""
    for series in _series(facts):
        if len(series["loss"]) < 6 or series["stride"] != 1 or not _number(series["loss"][-1]) < 0:
            continue
        losses = [_number(x) for x in series["loss"]]
        if not all(map(math.isfinite, losses)):
            continue
        falls = [a - b for a, b in pairwise(losses[-5:])]
        begin = max(abs(x) for x in losses[: max(2, len(losses) // 4)])
        if abs(losses[-1]) < 10 * begin or falls[0] <= 0 or any(b <= a for a, b in pairwise(falls)):
            continue
        loss, lines, tensors = _loss(facts, series)
        yield Found(
            f"{loss} falls faster and faster, from {losses[0]:.4g} to "
            f"{losses[-1]:.4g} in {series['passes']} iterations",
            lines,
            tensors,
        )


def _summed(facts: Facts, root: str | None = None) -> str | None:
    """What helps where a loss is the sum over a batch: its gradient is as many times that of the mean."""
    made = None if root is None else facts.maker(root)
    node = None if made is None else facts.source.expression(made)
    if made is None or not made["inputs"] or not isinstance(node, ast.Call):
        return None
    sizes = facts.tensors[made["inputs"][0]]["shape"]
    reduced = any(k.arg == "reduction" and ast.unparse(k.value) == "'sum'" for k in node.keywords)
    reduced = reduced or any(
        isinstance(k, ast.keyword) and k.arg == "reduction" and ast.unparse(k.value) == "'sum'"
        for call in facts.source.all_calls(*SUMS) for k in call.keywords
    )  # fmt: skip
    count = math.prod(sizes)
    if count < 8 or not (reduced or made["name"] == "sum"):
        return None
    return (
        f"Take the mean instead of the sum: the loss adds up {count} terms, and its gradient is {count} times that of "
        "the mean. Or use a smaller learning rate."
    )


SUMS = ("MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "CrossEntropyLoss", "BCELoss", "BCEWithLogitsLoss", "NLLLoss")


def _grows(losses: list[float]) -> bool:
    """Whether losses end rising, far above all that they began with; of fewer than ten, the more of them rise."""
    begin = losses[: max(2, len(losses) // 4)]
    end = losses[-3:] if len(losses) >= 10 else losses[-max(4, len(losses) - 2) :]
    return losses[0] > 0 and losses[-1] > 10 * max(begin) and all(a <= b for a, b in pairwise(end))


def loss_constant(facts: Facts) -> Iterator[Found]:
    """A loss that is the same in every turn."""
    for series in _series(facts):
        losses = [_number(x) for x in series["loss"]]
        if len(losses) < 10 or len(set(losses)) > 1 or not math.isfinite(losses[0]) or not _stepped(facts, series):
            continue
        loss, lines, tensors = _loss(facts, series)
        yield Found(
            f"{loss} is {losses[0]:.4g} in all {series['passes']} iterations",
            lines,
            tensors,
        )


def _step_lines(facts: Facts, series: Row) -> list[int]:
    """The line that changes what a series trains."""
    times = [at for row in series["parameters"] for at in facts.writes.get(row["tensor"], ())[-1:]]
    return [facts.events[at]["line"] for at in times[:1]]


def lr_scheduler_order(facts: Facts) -> Iterator[Found]:
    """PyTorch's warning about a scheduler that steps first."""
    for warning in facts.document["warnings"]:
        if "lr_scheduler.step()` before `optimizer.step()`" in warning["message"]:
            yield Found(
                f"The scheduler on line {warning['line']} steps before the optimizer: the first rate is skipped",
                [warning["line"]],
                facts.optimizers[0]["tensors"][:1] if facts.optimizers else [],
            )
            return


NOTHING, AFTER = 1e-6, 10
"""A rate beside its largest that is none, and for how many steps."""


def rate_decayed(facts: Facts) -> Iterator[Found]:
    """A learning rate that has fallen to nothing long before the training ends."""
    source = facts.source
    if facts.error is not None:
        return
    for optimizer in facts.stepping:
        steps = [use for use in optimizer["uses"] if use["what"] == "step"]
        rates = [_number(use.get("lr")) for use in steps]
        if not all(math.isfinite(rate) for rate in rates):
            continue
        least = NOTHING * max(rates)
        idle = next((i for i, rate in enumerate(reversed(rates)) if rate > least), len(rates))
        at = len(rates) - idle
        if idle < max(AFTER, len(rates) / 4) or at == 0 or not _still_wrong(facts, optimizer):
            continue
        if source.all_calls("ReduceLROnPlateau") or _rate_set(facts):
            return
        made = [call.lineno for call in source.all_calls(*SCHEDULERS) if (call.lineno > (optimizer["line"] or 0))]
        yield Found(
            f"The learning rate of {optimizer['name'] or optimizer['type']} falls from {max(rates):.4g} to "
            f"{rates[at]:.2g} in {at} steps: the {idle} steps after that change nothing",
            [*made[:1], optimizer["line"], steps[at]["line"]],
            optimizer["tensors"],
            values={"learning rate": rates[:50]},
            since=at,
        )


SCHEDULERS = (
    "StepLR", "MultiStepLR", "ExponentialLR", "LinearLR", "ConstantLR", "PolynomialLR", "LambdaLR", "MultiplicativeLR",
    "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "OneCycleLR", "CyclicLR", "SequentialLR", "ChainedScheduler",
)  # fmt: skip


def _rate_set(facts: Facts) -> bool:
    """Whether the program sets a learning rate to a number: it stops a part on purpose."""
    return any(
        isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant) and target.slice.value == "lr"
        for node in ast.walk(facts.source.tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
    )


def _still_wrong(facts: Facts, optimizer: Row) -> bool:
    """Whether the gradients of the last pass are no smaller than a thousandth of the largest."""
    held = set(optimizer["tensors"])
    for series in _series(facts):
        for row in series["parameters"]:
            norms = [g for g in map(_number, row["grad"]) if math.isfinite(g)]
            if row["tensor"] in held and len(norms) > 1 and norms[-1] > 1e-3 * max(norms) > 0:
                return True
    return False


def batchnorm_one_sample(facts: Facts) -> Iterator[Found]:
    """Batch norm over one number for each channel."""
    error = facts.error
    if error is not None and "Expected more than 1 value per channel when training" in error["message"]:
        bound = [t for t in facts.bound.values() if facts.tensors[t]["shape"][:1] == [1]]
        yield Found(
            "Batch norm in training mode gets a single value per channel: its variance is 0",
            [error["line"]],
            bound[-1:],
            explains_error=True,
        )


def _modes(facts: Facts) -> Iterator[tuple[Row, bool]]:
    """(op, whether in training mode) of batch norm."""
    for name in NORMED:
        for i in facts.named.get(name, ()):
            yield facts.ops[i], bool(facts.ops[i]["arguments"].get("training"))


def _dropped(facts: Facts) -> list[Row]:
    """Ops of Dropout modules, of which there are none in evaluation mode, and others that draw a mask."""
    scopes = {s for s, row in facts.scopes.items() if row["kind"] == "module" and "Dropout" in row["label"]}
    found = [op for op in facts.ops if op["scope"] in scopes] if scopes else []
    other = [i for name in ("mul", "native_dropout") for i in facts.named.get(name, ())]
    return found + [op for i in other if (op := facts.ops[i])["scope"] not in scopes and _drops(facts, op)]


def _drops(facts: Facts, op: Row) -> bool:
    """Whether an op is dropout: it multiplies by a tensor without a name of 0 and one number above 1."""
    if op["name"] == "native_dropout":
        return op["arguments"].get("train") is not False
    mask = facts.tensors[op["inputs"][-1]] if len(op["inputs"]) == 2 else None
    if mask is None or mask["name"] or mask["requires_grad"] or mask["line"] != op["line"]:
        return False
    made = [facts.ops[i]["name"] for i in facts.makers.get(mask["id"], ())]
    if made:
        return "bernoulli_" in made
    numbers = set(facts.numbers(mask["value"]))
    return len(numbers) == 2 and 0.0 in numbers and max(numbers) > 1


def eval_mode_training(facts: Facts) -> Iterator[Found]:
    """A model that is trained in evaluation mode."""
    if not facts.stepping or facts.gaps or len(facts.outer_passes) < 2:
        return
    held = _held_with_modes(facts)
    evals = _eval_calls(facts) if held else []
    if not evals:
        return
    last = facts.outer_passes[-1]
    previous = facts.outer_passes[-2]
    between = facts.ops[previous.ops : last.ops]
    if not between:
        return
    norms = [op for op, training in _modes(facts) if not training and op["node"] in last.reachable]
    trained = any(training and op["node"] in last.reachable for op, training in _modes(facts))
    drops = any(kind.startswith("Dropout") for kind in held.values())
    dropped = {op["id"] for op in _dropped(facts)} & {op["id"] for op in between}
    if trained or dropped or not (norms or drops):
        return
    uses = [use for o in facts.stepping for use in o["uses"] if use["what"] == "step" and use["passes"] > last.call]
    if not uses:
        return
    path = next(iter(held))
    yield Found(
        f"{path} ({held[path]}) is in evaluation mode while the model is trained: "
        f"{facts.source.text(evals[-1])} on line {facts.shown(evals[-1].lineno)} was not undone",
        [evals[-1].lineno, last.line],
        [t for op in norms[:1] for t in op["outputs"][:1]] or ([root] if (root := facts.root(last)) else []),
    )


def _held_with_modes(facts: Facts) -> dict[str, str]:
    """Path and type of the layers in trained models that compute otherwise in evaluation mode."""
    stepped = [t for t in facts.outer_passes[-1].reached if t in facts.held and t in facts.parameters]
    tops = {_top(facts.parameters[t][0]["path"]) for t in stepped}
    layers = [m for m in facts.document["modules"] if m["type"].startswith(("Dropout", "BatchNorm"))]
    return {m["path"]: m["type"] for m in layers if _top(m["path"]) in tops}


def _eval_calls(facts: Facts) -> list[ast.Call]:
    """Calls by which a whole model is put into evaluation mode."""
    tops = {m["path"] for m in facts.document["modules"] if "." not in m["path"]} | {"model"}
    off = [call for call in _train_calls(facts) if [facts.source.text(arg) for arg in call.args] == ["False"]]
    calls = facts.source.all_calls("eval") + off
    return [call for call in calls if (own := _top(facts.source.text(call.func))) in tops | _given(facts, call, own)]


def _top(path: str) -> str:
    return path.split(".")[0]


def _given(facts: Facts, call: ast.Call, name: str) -> set[str]:
    """A name, where it is a parameter of the function that a call is in."""
    function = facts.source.function(call.lineno)
    if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return set()
    return {name} & {arg.arg for arg in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}


JUDGES = frozenset({
    "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "nll_loss", "binary_cross_entropy", "argmax", "max", "eq",
    "binary_cross_entropy_with_logits", "log_softmax", "softmax", "topk", "gt",
})  # fmt: skip
"""Ops that hold predictions against targets, or choose a class."""


def train_mode_eval(facts: Facts) -> Iterator[Found]:
    """A model that is evaluated in training mode."""
    if not facts.stepping or facts.gaps or not facts.outer_passes or facts.source.tree.body == []:
        return
    last = facts.outer_passes[-1]
    if facts.source.all_calls("eval", "update_bn"):
        yield from _always_dropping(facts)
        return
    if not all(_trains(facts, call, last.line) for call in _train_calls(facts)):
        return
    after = [op for op, training in _modes(facts) if training and facts.number[op["id"]] >= last.ops]
    after += [op for op in _dropped(facts) if facts.number[op["id"]] >= last.ops]
    lines: dict[int | None, list[Row]] = {}
    for op in after:
        if facts.without_grad(op):
            lines.setdefault(op["line"], []).append(op)
    root = facts.root(last)
    trained_in = {row["line"] for row in facts.loops(facts.tensors[root]["scope"])} if root else set()
    for line, ops in lines.items():
        loops = facts.loops(ops[0]["scope"])
        if loops and loops[0]["line"] in trained_in and not _judged(facts, ops[0]):
            continue  # samples of a generator, to look at
        firsts = {facts.iteration(op["scope"]): op for op in reversed(ops)}
        given = [facts.summary(facts.tensors[op["inputs"][0]]["value"]) for op in firsts.values()]
        inputs = [found and (found.norm, found.low, found.high) for found in given]
        if len(set(inputs)) < len(inputs):
            continue  # an estimate by many draws
        label = facts.scopes[ops[0]["scope"]]["label"]
        called = _called_from(facts, ops[0]) or line
        yield Found(
            f"{label} is still in training mode on line {called}, where the model is evaluated",
            [called, line],
            [t for name in ("pred", "out", "logits") if (t := facts.bound.get(name)) is not None][:1]
            or ops[-1]["outputs"][:1],
            ops=[ops[0]["id"]],
        )
        return


def _always_dropping(facts: Facts) -> Iterator[Found]:
    """`F.dropout` that is not told of the mode, and drops in evaluation, too."""
    for call in facts.source.all_calls("dropout"):
        told = len(call.args) > 2 or any(k.arg in ("training", None) for k in call.keywords)
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        functional = facts.source.text(owner) in ("F", "nn.functional", "torch.nn.functional") if owner else False
        if told or not functional:
            continue
        ops = [op for op in _dropped(facts) if op["line"] == call.lineno and facts.without_grad(op)]
        if ops:
            edit = facts.source.replace(call, f"{facts.source.text(call)[:-1]}, training=self.training)")
            inside = facts.source.function(call.lineno)
            own = isinstance(inside, ast.FunctionDef) and bool(inside.args.args) and inside.args.args[0].arg == "self"
            yield Found(
                f"F.dropout on line {facts.shown(call.lineno)} drops in evaluation, too: eval() is for modules",
                [call.lineno],
                ops[-1]["outputs"][:1],
                ops=[ops[0]["id"]],
                edits=[edit] if own and call.args else [],
                fix="Pass training=self.training, or make it a module: self.dropout = nn.Dropout(…).",
            )
            return


def _train_calls(facts: Facts) -> list[ast.Call]:
    """Calls that put a module in a mode: `train()`, not a function of the program's own of that name."""
    return [call for call in facts.source.all_calls("train") if isinstance(call.func, ast.Attribute)]


def _trains(facts: Facts, call: ast.Call, line: int | None) -> bool:
    """Whether `train()` stands before the pass in the same function: it is for the training."""
    own = facts.source.function(call.lineno)
    return not call.args and not call.keywords and call.lineno < (line or 0) and own is facts.source.function(line)


def _judged(facts: Facts, op: Row) -> bool:
    """Whether predictions of an evaluation are used as such soon after."""
    number = facts.number[op["id"]]
    return any(later["name"] in JUDGES and facts.without_grad(later) for later in facts.ops[number : number + 60])


def _called_from(facts: Facts, op: Row) -> int | None:
    """The line outside of all modules on which an op's module was called."""
    line, scope = None, op["scope"]
    while scope is not None:
        row = facts.scopes[scope]
        line = row["line"] if row["kind"] == "module" else line
        scope = row["parent"]
    return line


def _calls(facts: Facts, ops: list[Row]) -> Iterator[tuple[Row, int]]:
    """Ops, and for those in modules the how manieth call of that place and turn they are."""
    known: dict[tuple[Any, ...], list[str]] = {}
    for op in ops:
        scope = facts.scopes[op["scope"]]
        calls = known.setdefault((op["line"], op["column"], scope["parent"]), [])
        if op["scope"] not in calls:
            calls.append(op["scope"])
        yield op, calls.index(op["scope"]) if scope["kind"] == "module" else 0


PRODUCTS = frozenset({"mm", "addmm", "matmul", "bmm", "mv", "t", "permute", "convolution", "embedding"})
"""Ops in which a plain matrix acts as a layer does; `w.T` is a permute."""


def shared_parameter(facts: Facts) -> Iterator[Found]:
    """A parameter that stands in several places."""
    places: dict[str, list[str]] = {}
    seen: set[tuple[str, ...]] = set()
    for module in facts.document["modules"]:
        own = module["type"], *module["parameters"].values()
        if own not in seen:  # not one that has several names
            for name, t in module["parameters"].items():
                places.setdefault(t, []).append(f"{module['path']}.{name}")
        seen.add(own)
    trained = {t for optimizer in facts.stepping for t in optimizer["tensors"]}
    first: dict[str, Pass] = {}
    for p in facts.outer_passes:
        for t in p.reached:
            first.setdefault(t, p)
    alike: dict[tuple[Any, ...], list[str]] = {}
    for t, row in facts.tensors.items():
        if t not in facts.reached or len(row["shape"]) < 2:
            continue
        paths, users = places.get(t, []), _users(facts, t, first.get(t))
        if not row["path"]:
            users = [op for op in users if op["name"] in PRODUCTS]
        spots = list(dict.fromkeys((op["line"], op["column"], call) for op, call in _calls(facts, users)))
        repeated = not row["path"] and len(users) > 1
        if len(paths) < 2 and len(spots) < 2 and not repeated:
            continue
        if t in trained and len({(line, column) for line, column, _ in spots}) == len(spots):
            continue  # written at each of these places
        many = f"{len(spots)} places" if len(spots) > 1 else f"{len(users)} iterations"
        owners = list(dict.fromkeys([path.rpartition(".")[0] for path in paths]))
        named = owners if len(owners) > 1 else paths
        where = " and ".join(named[:3]) if len(paths) > 1 else many
        count = max(len(users), len(paths))
        alike.setdefault((where, count, *[line for line, _, _ in spots]), []).append(t)
    for (where, count, *lines), tensors in alike.items():
        if len(tensors) == 1:
            words = "is used in {}: its gradient is the sum of {} contributions"
        else:
            words = "are used in {}: the gradient of each is the sum of {} contributions"
        made = [facts.tensors[t]["line"] for t in tensors]
        yield Found(f"{names_of(facts, tensors)} {words.format(where, count)}", [*lines, *made], tensors)


def _users(facts: Facts, t: str, p: Pass | None) -> list[Row]:
    """Ops through which a pass reached a leaf."""
    if p is None:
        return []
    ops = [facts.ops[i] for i in facts.users.get(t, ()) if i < p.ops]
    return [op for op in ops if t not in op["outputs"] and op["node"] in p.reachable]


def padding_row(facts: Facts) -> Iterator[Found]:
    """An embedding whose padding isn't 0."""
    if "padding_idx" not in facts.source.code or "from_pretrained" in facts.source.code:
        return
    told: set[str] = set()
    for node in facts.nodes.values():
        place = node["attributes"].get("padding_idx") if node["name"] == "EmbeddingBackward0" else None
        if not isinstance(place, int) or place < 0 or node["op"] is None:
            continue
        op = facts.ops[facts.number[node["op"]]]
        weight = op["inputs"][0]
        if weight in told or facts.tensors[weight]["name"] is None:
            continue
        told.add(weight)
        ran = next((i for i in facts.times("op") if facts.events[i]["op"] == op["id"]), 0)
        written = [at for at in facts.writes.get(weight, ()) if at < ran]
        rows = facts.array(facts.events[written[-1]]["value"] if written else facts.tensors[weight]["value"])
        if rows is None or place >= len(rows) or not rows[place].any():
            continue
        line = facts.events[written[-1]].get("line") if written else facts.tensors[weight]["line"]
        yield Found(
            f"Row {place} of {name_of(facts, weight)}, the padding, isn't 0, and its gradient always is",
            [line, op["line"]],
            [weight],
            [node["id"]],
            [op["id"]],
        )


VIEWS = frozenset({"t", "T", "mT", "data", "detach", "view", "reshape", "transpose", "permute"})
"""Methods and attributes that give the same memory again."""


def memory_shared(facts: Facts) -> Iterator[Found]:
    """A parameter that is made of another one's memory."""
    calls = facts.source.all_calls("Parameter") if "Parameter(" in facts.source.code else []
    made = [call for call in calls if call.args and _is_view(call.args[0])]
    leaves = sorted(facts.reached if made else (), key=lambda t: int(t[1:]))
    finals = {t: a for t in leaves if (a := facts.array(facts.tensors[t]["final"])) is not None and _varied(a)}
    for i, one in enumerate(finals):
        for other in list(finals)[i + 1 :]:
            a, b = finals[one], finals[other]
            if not any(a.shape == c.shape and bool((a == c).all()) for c in (b, b.T, b.reshape(-1))):
                continue
            held = facts.stepping and facts.held.issuperset((one, other))
            yield Found(
                f"{names_of(facts, [one, other])} are two parameters in one piece of memory: each gets a gradient of "
                "its own, and a step of one changes the other",
                [made[0].lineno, facts.tensors[other]["line"]],
                [one, other],
                severity="warning" if held else None,
            )
            return


def _is_view(node: ast.expr) -> bool:
    """Whether an expression is an attribute of something, or a view of one."""
    views = 0
    while True:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func
        if not isinstance(node, ast.Attribute):
            return False
        if node.attr not in VIEWS:
            return views > 0 or node.attr in ("weight", "bias")
        views += 1
        node = node.value


def _varied(values: np.ndarray) -> bool:
    return values.size > 1 and bool((values != values.reshape(-1)[0]).any())


RULES = [
    Rule(
        "symmetric-init", "learning", "warning",
        "A weight matrix or kernel that an optimizer updates has equal rows at the start, in its gradient, and at "
        "the end (for a plain tensor, equal columns count too).",
        "Units that start equal get equal gradients, so they stay copies of each other.",
        "Start from random numbers (nn.Linear's default, or torch.nn.init).",
        "Silent for matrices with one row, for models with one matrix, and when the rows come to differ.",
        symmetric_init,
    ),
    Rule(
        "update-too-large", "learning", "hint",
        "The median of ‖step‖ / ‖weight‖ over at least 3 recorded steps is above 0.2.",
        "Steps as large as a fifth of the weight undo what was learned before.",
        "Use a smaller learning rate.",
        "Silent for tensors that start at 0, for single numbers, when some iterations were not recorded, and when the "
        "loss falls with every step.",
        update_too_large,
    ),
    Rule(
        "update-too-small", "learning", "warning",
        "Over at least 3 recorded steps, ‖step‖ / ‖weight‖ never exceeds 0.000001 for any leaf, although the "
        "gradients are not 0.",
        "The steps are lost to rounding, so nothing is learned.",
        "Use a larger learning rate, or find out what shrinks the gradient.",
        "Silent for tensors that start at 0, for single numbers, when some iterations were not recorded, and for "
        "steps that keep growing, as in a warm-up.",
        update_too_small,
    ),
    Rule(
        "loss-diverges", "learning", "warning",
        "The loss in a loop with at least 5 steps ends rising and above 10 times the largest of its first quarter (of "
        "two losses at least), or is no longer finite; of fewer than 10 losses, all but the first two rise.",
        "The steps overshoot, and each makes the next gradient larger.",
        "Use a smaller learning rate, or clip the gradients.",
        "Silent for losses that start at 0 or below, unless they stop being finite.", loss_diverges,
    ),
    Rule(
        "loss-unbounded", "learning", "hint",
        "The loss in a loop of at least 6 iterations ends below 0, by 10 times as much as any of its first quarter "
        "(two at least), and falls by more each time in the last four.",
        "A step makes a loss smaller, and this one has no smallest value: a term with the wrong sign, a weight of the "
        "loss that is trained and may become negative, or a variance that may become 0.",
        "Look for the term that falls, and turn its sign, or keep what it depends on within bounds.",
        "Silent for losses above 0, and where not every iteration was kept.", loss_unbounded,
    ),
    Rule(
        "loss-constant", "learning", "warning",
        "The loss in a loop with optimizer steps is the same number for at least 10 iterations.",
        "No step changes anything the loss depends on.",
        "Look for gradients that are 0 or None.",
        "Silent without an optimizer step.", loss_constant,
    ),
    Rule(
        "eval-mode-training", "learning", "warning",
        "The program calls eval() or train(False) on a model with Dropout or BatchNorm, and at the last optimizer "
        "step no dropout is active and no batch norm uses its batch.",
        "In evaluation mode dropout does nothing, and batch norm uses its running statistics.",
        "Call train() before training continues.",
        "Silent when part of the run was not recorded, and with fewer than two calls of backward().",
        eval_mode_training,
    ),
    Rule(
        "train-mode-eval", "learning", "warning",
        "After the last backward(), Dropout or BatchNorm runs in training mode under no_grad, and the program never "
        "calls eval(), and train() only before backward() in the same function; or F.dropout, which was not given the "
        "mode, runs under no_grad in a program that calls eval().",
        "Predictions are random, or depend on the rest of the batch.",
        "Call eval() before evaluating.",
        "Silent when the same input is evaluated repeatedly (Monte Carlo dropout), and inside the training loop for "
        "outputs that are compared with no target.", train_mode_eval,
    ),
    Rule(
        "batchnorm-one-sample", "learning", "error",
        "Batch norm in training mode failed because it got a single value per channel.",
        "The mean of one value is that value, and its variance is 0.",
        "Use larger batches (drop_last=True for the last one), or eval().",
        "Explained beside PyTorch's error.", batchnorm_one_sample,
    ),
    Rule(
        "lr-scheduler-order", "learning", "warning",
        "PyTorch warned that lr_scheduler.step() was called before optimizer.step().",
        "The first learning rate is never used.",
        "Call optimizer.step() first, then scheduler.step().",
        "Silent for schedulers that the program defines itself.", lr_scheduler_order,
    ),
    Rule(
        "rate-decayed", "learning", "warning",
        "An optimizer's last steps, a quarter of them and at least 10, have a learning rate below a millionth of its "
        "largest, and their gradients are not small.",
        "A factor for each step multiplies: 0.1 is a millionth after six. The rest of the training changes nothing.",
        "Call scheduler.step() once for each epoch and not for each batch, or give it a factor closer to 1, a smallest "
        "rate, or the number of steps that there are.",
        "Silent beyond the first 200 calls of an optimizer, for groups of different rates, for ReduceLROnPlateau, "
        "and for rates that the program sets to a number.", rate_decayed,
    ),
    Rule(
        "shared-parameter", "learning", "hint",
        "A weight matrix that gets a gradient belongs to several modules, or to one that is used in several places "
        "of its first graph; a plain tensor takes part in several products there.",
        "Its gradient is the sum of the contributions from every use.",
        "Nothing, if that is what you want.",
        "Silent for a module called from one place in a loop, and in a training for what the program writes twice: "
        "tied weights, a discriminator of real and generated samples.", shared_parameter,
    ),
    Rule(
        "padding-row", "learning", "hint",
        "The row of an embedding that padding_idx names isn't 0 when it is first looked up.",
        "padding_idx makes the row 0 once, when the module makes its weight, and keeps its gradient at 0. What "
        "initialises or replaces the weight afterwards stays, and weight decay moves it.",
        "Set it after the initialisation: with torch.no_grad(): embedding.weight[padding_idx].zero_().",
        "Silent for from_pretrained().", padding_row,
    ),
    Rule(
        "memory-shared", "learning", "hint",
        "The program makes a parameter of another's memory (its weight, .data, or a view), and two leaves that get "
        "gradients have the same numbers at the end, or those of the transpose. A warning when optimizers hold both.",
        "nn.Parameter(t) makes a new leaf of the memory of t. Autograd knows two leaves, and adds up for each what "
        "arrives there; what a step writes into one is seen in the other.",
        "Tie weights by making them one: decoder.weight = encoder.weight. For two that go their own ways, copy: "
        "nn.Parameter(t.detach().clone()).",
        "Silent for copies, for parts of a larger piece of memory, and for numbers that are all equal.", memory_shared,
    ),
]  # fmt: skip
