"""Rules: parameters that do not require grad."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from .facts import Facts, Row
from .finding import Found, Rule
from .names import name_of, names_of


def _frozen(facts: Facts, tensor: str) -> bool:
    """Whether a tensor could have a gradient, never required one, and never got one."""
    row = facts.tensors[tensor]
    floating = row["dtype"].removeprefix("torch.").startswith(("float", "bfloat"))
    return floating and row["is_leaf"] and not row["requires_grad"] and tensor not in facts.reached


def frozen_in_optimizer(facts: Facts) -> Iterator[Found]:
    """Parameters that an optimizer is to change, and that are frozen."""
    if facts.error is not None:
        return
    for optimizer in facts.stepping:
        held = optimizer["tensors"]
        frozen = [t for t in held if _frozen(facts, t)]
        name = optimizer["name"] or optimizer["type"]
        if not frozen:
            continue
        steps = [use["line"] for use in optimizer["uses"] if use["what"] == "step"]
        text = f"{name}.step() changes nothing: none of its {len(held)} tensors requires grad"
        if len(frozen) < len(held):
            change = "doesn't require grad" if len(frozen) == 1 else "don't require grad"
            text = f"{name} holds {names_of(facts, frozen)}, which {change} and will never change"
        lines = [optimizer["line"], *_switches(facts), *steps[:1]]
        yield Found(text, lines, frozen, severity="warning" if len(frozen) == len(held) else None)


def _switches(facts: Facts) -> list[int]:
    """Lines that switch requires_grad off, the last one first."""
    assigned = [statement.lineno for statement in facts.source.attributes("requires_grad")]
    called = [call.lineno for call in facts.source.all_calls("requires_grad_")]
    return sorted(assigned + called, reverse=True)[:1]


def frozen_part(facts: Facts) -> Iterator[Found]:
    """A model of which a part is frozen, and no optimizer holds that."""
    if not facts.stepping:
        return
    models: dict[str, list[Row]] = {}
    for module in facts.document["modules"]:
        models.setdefault(module["path"].split(".")[0], []).append(module)
    for path, modules in models.items():
        own = list(dict.fromkeys(t for module in modules for t in module["parameters"].values()))
        frozen = [t for t in own if _frozen(facts, t)]
        trained = [t for t in own if t in facts.reached and t in facts.held]
        if not trained or not frozen or facts.held & set(frozen):
            continue
        parts = [m["path"] for m in modules if m["parameters"] and set(m["parameters"].values()) <= set(frozen)]
        shown = ", ".join(parts[:3]) + (f" and {len(parts) - 3} more" if len(parts) > 3 else "")
        yield Found(
            f"{_numbers(facts, trained):,} of the {_numbers(facts, own):,} numbers of {path} are trained; "
            f"{shown or names_of(facts, frozen)} {'is' if len(parts or frozen) == 1 else 'are'} frozen",
            [*_switches(facts), facts.stepping[0]["line"], facts.tensors[frozen[0]]["line"]],
            [*frozen, *trained],
            values={"trained": _numbers(facts, trained), "frozen": _numbers(facts, frozen)},
        )


def _numbers(facts: Facts, tensors: list[str]) -> int:
    return sum([math.prod(facts.tensors[t]["shape"]) for t in tensors])


def frozen_moves(facts: Facts) -> Iterator[Found]:
    """Leaves that are frozen, and that an optimizer goes on changing."""
    if facts.gaps:
        return
    for optimizer in facts.stepping:
        lines = {use["line"] for use in optimizer["uses"] if use["what"] == "step"}
        moved: dict[str, list[int]] = {}
        for t in optimizer["tensors"]:
            if facts.tensors[t]["requires_grad"]:
                continue
            passes = [p for p in facts.passes if t in p.reached]
            if not passes:
                continue
            later = [p for p in facts.passes if p.begin > passes[-1].end and p.line == passes[-1].line]
            times = [
                at for at in facts.writes.get(t, ())
                if later and at > later[0].end and facts.events[at].get("line") in lines and _changes(facts, t, at)
            ]  # fmt: skip
            if times:
                moved[t] = times
        if not moved:
            yield from _held_back(facts, optimizer, lines)
            continue
        at = min(times[0] for times in moved.values())
        steps = max(len(times) for times in moved.values())
        frozen = _switches(facts)
        names = names_of(facts, list(moved))
        yield Found(
            f"{names} {'changes' if len(moved) == 1 else 'change'} in {steps} {'step' if steps == 1 else 'steps'} "
            f"after {'it was' if len(moved) == 1 else 'they were'} frozen",
            [*frozen[:1], facts.events[at].get("line")],
            list(moved),
            events=[at],
        )


HELD = re.compile(r"\.grad(\.data)?\s*(\[|\*=|\.mul_\(|\.masked_fill_\()")
"""How programs set a part of a gradient to 0."""


def _held_back(facts: Facts, optimizer: Row, lines: set[int | None]) -> Iterator[Found]:
    """Elements of which the program sets the gradient to 0, and that an optimizer with a memory moves all the same."""
    if not HELD.search(facts.source.code):
        return
    for t in optimizer["tensors"]:
        for at in facts.grad_changes.get(t, ()):
            event = facts.events[at]
            if event["by"] != "in_place" or facts.zero(event["after"]):
                continue
            before, after = facts.array(event["before"]), facts.array(event["after"])
            if before is None or after is None:
                continue
            held = (after == 0) & (before != 0)
            again = next((p.reached[t] for p in facts.passes if p.reached.get(t, -1) > at), len(facts.events))
            write = next((w for w in facts.writes.get(t, ()) if at < w < again), None)
            if not held.any() or held.all() or write is None or facts.events[write].get("line") not in lines:
                continue
            old = facts.array(_value_before(facts, t, write))
            new = facts.array(facts.events[write]["value"])
            if old is None or new is None or old.shape != held.shape or not (old != new)[held].any():
                continue
            yield Found(
                f"{int((old != new)[held].sum())} numbers of {name_of(facts, t)} whose gradient was set to 0 on line "
                f"{event.get('line')} are changed by the step all the same",
                [event.get("line"), facts.events[write].get("line")],
                [t],
                events=[at, write],
                severity="hint",
                fix="Put their old values back after step(), or make a leaf of its own of what is to train.",
            )
            return


def _changes(facts: Facts, tensor: str, time: int) -> bool:
    """Whether a write gives a tensor other numbers."""
    return facts.numbers(_value_before(facts, tensor, time)) != facts.numbers(facts.events[time]["value"])


def _value_before(facts: Facts, tensor: str, time: int) -> str | None:
    """The value that a tensor had when it was written."""
    earlier = [at for at in facts.writes[tensor] if at < time]
    value: str | None = facts.events[earlier[-1]]["value"] if earlier else facts.tensors[tensor]["value"]
    return value


def frozen_norm(facts: Facts) -> Iterator[Found]:
    """Batch norm of a frozen part that goes on averaging."""
    trained = any(t in facts.reached for optimizer in facts.stepping for t in optimizer["tensors"])
    if not trained or not facts.passes or facts.gaps:
        return
    named = {row["path"]: t for t, row in facts.tensors.items() if row["path"]}
    found: list[tuple[str, str, int]] = []
    for module in facts.document["modules"]:
        mean = named.get(f"{module['path']}.running_mean")
        own = list(module["parameters"].values())
        if mean is None or not own or any(facts.tensors[t]["requires_grad"] for t in own):
            continue
        first = facts.passes[0].end
        times = [at for at in facts.writes.get(mean, ()) if at > first and _changes(facts, mean, at)]
        if times and not any(t in facts.reached for t in own):
            found.append((module["path"], mean, times[0]))
    if found:
        path, mean, at = found[0]
        more = f", and so do those of {len(found) - 1} more" if len(found) > 1 else ""
        yield Found(
            f"The running statistics of {path} still change in training mode, although it is frozen{more}",
            [facts.events[at].get("line"), facts.tensors[mean]["line"]],
            [mean for _, mean, _ in found],
            events=[at],
        )


def zero_head(facts: Facts) -> Iterator[Found]:
    """A last layer of zeros, through which nothing comes back at first."""
    for p in facts.outer_passes[:1]:
        zeros = [t for t, time in p.reached.items() if facts.zero(facts.events[time]["incoming"])]
        if len(zeros) < 2 or len(zeros) == len(p.reached):
            continue
        for time in p.nodes:
            event = facts.events[time]
            op = facts.op_of(event["node"])
            if op is None or facts.zero(event["grad_outputs"][0]):
                continue
            behind = [t for given in op["inputs"] if (t := facts.origin(given)[0]) in p.reached]
            weights = [t for t in behind if len(facts.tensors[t]["shape"]) > 1 and _zero_then(facts, t, p.begin)]
            given = [value for value in event["grad_inputs"] if value is not None]
            if len(weights) != 1 or weights[0] in zeros or not any(facts.zero(value) for value in given):
                continue
            weight = weights[0]
            later = [t for t, at in p.reached.items() if at > time and t not in behind]
            if len(later) < 2 or not set(zeros).issuperset(later):
                continue  # something goes around it
            written = [at for at in facts.writes.get(weight, ()) if at < p.begin]
            line = facts.events[written[-1]].get("line") if written else facts.tensors[weight]["line"]
            if not any(at > p.end for at in facts.writes.get(weight, ())) and facts.stepping:
                return
            yield Found(
                f"{name_of(facts, weight)} is 0 everywhere in the first backward(), so the {len(later)} parameters "
                "before it get gradients of exactly 0",
                [line, op["line"], p.line],
                [weight, *later],
                [op["node"]] if op["node"] else [],
                [op["id"]],
                [time],
            )
            return


def _zero_then(facts: Facts, tensor: str, time: int) -> bool:
    """Whether a leaf was 0 everywhere at a time."""
    written = [at for at in facts.writes.get(tensor, ()) if at < time]
    return facts.zero(facts.events[written[-1]]["value"] if written else facts.tensors[tensor]["value"])


RULES = [
    Rule(
        "frozen-in-optimizer", "arrival", "hint",
        "An optimizer that takes steps holds tensors that don't require grad and never got a gradient. A warning when "
        "all of its tensors are like that.",
        "step() skips what has no .grad, so these keep their values.",
        "Set requires_grad=True on what should learn, or give the optimizer only what does: [p for p in "
        "model.parameters() if p.requires_grad].",
        "Silent for what got a gradient in any pass, as layers that are unfrozen later do.", frozen_in_optimizer,
    ),
    Rule(
        "frozen-part", "arrival", "hint",
        "A model that is trained has parameters that don't require grad, and no optimizer holds them.",
        "Gradients pass through a frozen layer to what lies before it; its own parameters get none.",
        "Nothing, if that is what you want: LoRA and fine-tuning a head do that.",
        "Silent without optimizer steps; frozen-in-optimizer says more where an optimizer holds them.", frozen_part,
    ),
    Rule(
        "frozen-moves", "arrival", "warning",
        "A leaf got gradients, no longer requires grad, and an optimizer's step changes it after a later backward() "
        "of the same line that doesn't reach it. A hint for elements whose gradient the program sets to 0, and "
        "that the next step changes.",
        "requires_grad = False stops new gradients and leaves .grad as it is: a step takes the old one, or one of "
        "zeros, and momentum and weight decay go on moving the weight.",
        "Set p.grad = None where you freeze it, as zero_grad() does by default, or make the optimizer anew without it.",
        "Silent for what requires grad again at the end, and when part of the run was not recorded.", frozen_moves,
    ),
    Rule(
        "frozen-norm", "arrival", "hint",
        "In a training, batch norm whose parameters don't require grad changes its running mean after the first "
        "backward().",
        "requires_grad concerns gradients. Running statistics are no parameters: in training mode each forward pass "
        "changes them, and with them what a frozen part gives in evaluation.",
        "Call eval() on the frozen part, after model.train(), if it is to stay as it is.",
        "Silent for batch norm without parameters, and when one of them got a gradient.", frozen_norm,
    ),
    Rule(
        "zero-head", "sickness", "hint",
        "In the first backward(), a weight that is 0 everywhere receives a gradient, and the gradients of two or more "
        "parameters before it are exactly 0.",
        "A gradient is multiplied by the weight on its way back, so nothing comes through until the weight has moved: "
        "its own gradient is not 0, and the first step changes it.",
        "Nothing, if that is what you want: from the second step on all of them learn. Else start with small random "
        "numbers.",
        "Silent when something goes around it, and when an optimizer takes steps and the weight stays 0.", zero_head,
    ),
]  # fmt: skip
