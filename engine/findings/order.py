"""Rules: the order of zero_grad, backward and step."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import islice, pairwise, zip_longest

from .facts import Facts, Pass, Row
from .finding import Found, Rule
from .names import names_of
from .source import Edit, called, names_in
from .targets import copies


def _steps(facts: Facts, tensor: str) -> list[int]:
    """Times of a leaf's steps: of what an optimizer holds, only its own writes; a clamp of the weights is none."""
    writes = facts.writes.get(tensor, [])
    uses = [use for optimizer in facts.stepping if tensor in optimizer["tensors"] for use in optimizer["uses"]]
    lines = {use["line"] for use in uses if use["what"] == "step"}
    return [at for at in writes if facts.events[at].get("line") in lines] if lines else writes


def _any_between(times: list[int], low: int, high: int) -> bool:
    """Whether a time lies strictly between two, of times in order."""
    place = bisect_right(times, low)
    return place < len(times) and times[place] < high


def accumulating(facts: Facts) -> Iterator[Found]:
    """A gradient is added to one that a step has already used."""
    by_line: dict[int | None, list[tuple[str, int, Pass]]] = {}
    for t in facts.reached - copies(facts).keys():
        passes = [p for p in facts.passes if t in p.reached]
        steps = _steps(facts, t)
        if len(passes) < 2 or not steps:
            continue
        for last, p in pairwise(passes):
            time, earlier = p.reached[t], last.reached[t]
            event = facts.events[time]
            if event["before"] is None or facts.zero(event["before"]) or not _any_between(steps, earlier, p.begin):
                continue
            changes = facts.grad_changes.get(t, [])
            if _any_between(changes, earlier, time):
                continue
            after = bisect_right(steps, p.end)
            if after == len(steps) or _any_between(changes, p.end, steps[after]):
                continue  # nothing uses the sum
            by_line.setdefault(p.line, []).append((t, time, p))
            break
    for line, found in by_line.items():
        tensors = sorted({t for t, _, _ in found}, key=lambda t: int(t[1:]))
        first = min(found, key=lambda item: item[1])
        root = facts.root(first[2])
        since = facts.iteration(facts.tensors[root]["scope"]) if root else None
        edits = []
        holders = [o for o in facts.stepping if set(o["tensors"]) & set(tensors)]
        if len(holders) == 1 and holders[0]["name"] and line is not None:
            edit = facts.source.insert_before(line, f"{holders[0]['name']}.zero_grad()")
            edits = [edit] if edit else []
        used = [facts.events[at]["line"] for at in _steps(facts, tensors[0]) if at > first[2].end]
        before = facts.summary(facts.events[first[1]]["before"])
        yield Found(
            f"{names_of(facts, tensors)}: each backward() adds to gradients that a step has already used",
            [line, used[0] if used else None],
            tensors,
            events=[first[1]],
            values={"norm of .grad before backward()": before.norm if before else None},
            edits=edits,
            since=since,
        )


def others_gradients(facts: Facts) -> Iterator[Found]:
    """A step also uses gradients of a loss that was only passed through on the way to what another step was for."""
    told = set()
    stepped = _stepped(facts)
    for optimizer in facts.stepping:
        held, line = set(optimizer["tensors"]), optimizer["line"]
        steps = {use["passes"]: use for use in optimizer["uses"] if use["what"] == "step"}
        times = sorted(steps)
        for at, p in enumerate(facts.passes):
            others = stepped.get(p.call + 1, set()) - held
            place = bisect_right(times, p.call + 1)
            if place == len(times) or p.call + 1 in steps or not others & p.reached.keys():
                continue
            end, after = times[place], islice(facts.passes, at + 1, None)
            q = next((q for q in after if q.call >= end or held & q.reached.keys()), None)
            if q is None or q.call >= end or q.line in told or others & q.reached.keys():
                continue
            left = [t for t in held & p.reached.keys() & q.reached.keys() if _left(facts, t, p, q)]
            ends = [p.reached[t] for t in others & p.reached.keys()]
            if not left or min(ends) < max(p.reached[t] for t in left):
                continue  # not on the way
            told.add(q.line)
            left.sort(key=lambda t: int(t[1:]))
            name = optimizer["name"] or optimizer["type"]
            edit = facts.source.insert_before(q.line, f"{name}.zero_grad()") if optimizer["name"] and q.line else None
            yield Found(
                f"{name}.step() also uses what the backward() on line {p.line} left in {names_of(facts, left)}",
                [q.line, p.line, steps[end]["line"], line],
                left,
                events=[q.reached[left[0]]],
                edits=[edit] if edit else [],
            )


def _stepped(facts: Facts) -> dict[int, set[str]]:
    """What optimizers stepped, by how many passes had come before."""
    found: dict[int, set[str]] = {}
    for optimizer in facts.stepping:
        for use in optimizer["uses"]:
            if use["what"] == "step":
                found.setdefault(use["passes"], set()).update(optimizer["tensors"])
    return found


def _left(facts: Facts, tensor: str, p: Pass, q: Pass) -> bool:
    """Whether one pass adds to what an earlier one has left."""
    event = facts.events[q.reached[tensor]]
    if (
        event["before"] is None
        or facts.zero(event["before"])
        or facts.zero(facts.events[p.reached[tensor]]["incoming"])
    ):
        return False
    return not _any_between(facts.grad_changes.get(tensor, []), p.reached[tensor], q.reached[tensor])


def _cleared(facts: Facts, optimizer: Row) -> Iterator[tuple[int, Row, Pass]]:
    """(time, step, pass) where all gradients of a pass are cleared, in any way, before the step that follows."""
    held = set(optimizer["tensors"])
    steps = {use["passes"]: use for use in optimizer["uses"] if use["what"] == "step"}
    for p, q in zip_longest(facts.passes, facts.passes[1:]):
        following = len(facts.events) if q is None else q.begin
        got = [t for t in p.reached if t in held and not facts.zero(facts.events[p.reached[t]]["incoming"])]
        step = steps.get(p.call + 1)
        if step is None and q is not None:
            step = _step_for_both(facts, p, q, held, steps)
        if step is None or not got:
            continue
        times = []
        for t in got:
            every = facts.grad_changes.get(t, [])
            changes = every[bisect_right(every, p.end) : bisect_left(every, following)]
            cleared = next((at for at in changes if _empty(facts, at)), None)
            if cleared is None or not _empty(facts, changes[-1]):
                break  # kept, or set by hand
            times.append(cleared)
        if len(times) < len(got):
            continue
        written = min([at for t in held for at in facts.writes.get(t, ()) if p.end < at], default=following)
        if max(times) < written:
            yield min(times), step, p


def _step_for_both(facts: Facts, p: Pass, q: Pass, held: set[str], steps: dict[int, Row]) -> Row | None:
    """The step of the next pass, if both are passes of one block that reach nothing but what it is for.

    None where the program looks at gradients: they need not have been meant for a step.
    """
    step = steps.get(q.call + 1)
    if step is None or not p.reached.keys() <= held or facts.source.reads_gradients:
        return None
    if not (p.line or 0) < (q.line or 0) < (step["line"] or 0):
        return None
    return step if facts.source.together(p.line, q.line, step["line"]) else None


def _empty(facts: Facts, time: int) -> bool:
    after = facts.events[time]["after"]
    return after is None or facts.zero(after)


def zeroed_before_step(facts: Facts) -> Iterator[Found]:
    """Gradients that are cleared between backward and step."""
    for optimizer in facts.stepping:
        for time, step, p in _cleared(facts, optimizer):
            line = facts.events[time]["line"]
            if step["line"] is not None and p.line is not None and step["line"] < p.line:
                continue
            if _before_the_next(facts, line, p.line, step["line"]) or _made_after(facts, optimizer["line"], p.line):
                continue
            held = [t for t in optimizer["tensors"] if t in p.reached]
            name = optimizer["name"] or optimizer["type"]
            together = facts.source.together(line, p.line, step["line"])
            whole = facts.source.calls(line, "zero_grad")
            edits = _move(facts, line, p.line) if together and whole else []
            what = f"{facts.source.text(whole[0].func)}()" if whole else "The program"
            yield Found(
                f"{what} clears the gradients of line {p.line} on line {line}, before {name}.step() can use them",
                [line, step["line"], p.line],
                held,
                edits=edits,
            )
            break


def _made_after(facts: Facts, made: int | None, passed: int | None) -> bool:
    return (made or 0) > (passed or 0) and facts.source.function(made) is facts.source.function(passed)


def _before_the_next(facts: Facts, line: int | None, passed: int | None, stepped: int | None) -> bool:
    """Whether gradients are cleared for a pass of the same function, of which the step knows nothing: a closure."""
    inside = facts.source.function(passed)
    return (line or 0) < (passed or 0) and facts.source.function(line) is inside is not facts.source.function(stepped)


def _move(facts: Facts, line: int | None, before: int | None) -> list[Edit]:
    """Put the statement of one line before that of another."""
    statement = facts.source.statement(line)
    if statement is None or before is None or not isinstance(statement, ast.Expr):
        return []
    text = facts.source.text(statement)
    insert = facts.source.insert_before(before, text)
    rest = facts.source.lines[statement.lineno - 1]
    if insert is None or rest.strip() != text or statement.lineno >= len(facts.source.lines):
        return []
    cut = {"line": statement.lineno, "column": 0, "end_line": statement.lineno + 1, "end_column": 0, "new": ""}
    return [insert, cut]


def step_before_backward(facts: Facts) -> Iterator[Found]:
    """A step in each turn of a loop before the pass of that turn."""
    for optimizer in facts.stepping:
        held = set(optimizer["tensors"])
        passes = [p for p in facts.outer_passes if held & p.reached.keys()]
        steps = [use for use in optimizer["uses"] if use["what"] == "step"]
        if not passes or steps[0]["passes"] > passes[0].call or steps[0]["line"] is None:
            continue
        p, step = passes[0], steps[0]
        if p.line is None or step["line"] >= p.line or not facts.source.together(step["line"], p.line):
            continue
        name = optimizer["name"] or optimizer["type"]
        yield Found(
            f"{name}.step() on line {step['line']} comes before the backward() of line {p.line}: it finds no "
            "gradients, or those of the previous iteration",
            [step["line"], p.line],
            [t for t in optimizer["tensors"] if t in p.reached],
        )


MEANS = frozenset({
    "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "nll_loss", "nll_loss2d", "binary_cross_entropy", "mean",
})  # fmt: skip
PIECES = re.compile(r"batch|loader|split|chunk|micro|accum", re.IGNORECASE)
"""What loops over the pieces of a batch speak of."""


def accumulated_means(facts: Facts) -> Iterator[Found]:
    """Gradients of means that add up to a multiple of the mean's."""
    if facts.gaps or facts.error is not None or len(facts.outer_passes) < 2:
        return
    for line, passes in facts.by_line.items():
        if len(passes) < 2 or not passes[1].reached or not _is_mean(facts, passes[1]) or not _over_pieces(facts, line):
            continue
        t = min(passes[1].reached, key=lambda t: int(t[1:]))
        changes = sorted([*facts.writes.get(t, ()), *facts.grad_changes.get(t, ())])
        count = 1
        for earlier, p in pairwise(passes):
            if t not in p.reached or t not in earlier.reached or _any_between(changes, earlier.end, p.begin):
                break
            count += 1
        if count < 2 or t in copies(facts):
            continue
        yield Found(
            f"{count} backward() of line {line} add up in .grad, each of a mean: {count} times the gradient of the "
            "mean over all of them",
            [line, facts.tensors[t]["line"]],
            [t],
            events=[passes[1].reached[t]],
            fix=f"Divide each loss by their number: (loss / {count}).backward().",
        )


def _is_mean(facts: Facts, p: Pass) -> bool:
    """Whether a pass begins at a mean over several samples, as it is."""
    root = facts.root(p)
    made = None if root is None else facts.maker(root)
    if made is None or made["name"] not in MEANS or not made["inputs"] or made["arguments"].get("reduction") in (0, 2):
        return False
    sizes = facts.tensors[made["inputs"][0]]["shape"]
    return bool(sizes) and sizes[0] > 1 and "reduction" not in facts.source.code


def _over_pieces(facts: Facts, line: int | None) -> bool:
    """Whether the loop around a pass goes through pieces of a batch."""
    loops = [loop for loop in facts.source.loops(line)[-1:] if isinstance(loop, ast.For)]
    return any(PIECES.search(facts.source.text(part)) for loop in loops for part in (loop.target, loop.iter))


CLIPS = ("clip_grad_norm_", "clip_grad_value_")


def clip_without_effect(facts: Facts) -> Iterator[Found]:
    """Gradients that are clipped before they are computed, or after the step that used them."""
    if facts.error is not None or facts.gaps or not facts.stepping or "clip_grad" not in facts.source.code:
        return
    yield from _clipped_nothing(facts)
    yield from _clipped_scaled(facts)
    passes = facts.outer_passes
    steps = {use["line"] for optimizer in facts.stepping for use in optimizer["uses"] if use["what"] == "step"}
    for call in facts.source.all_calls(*CLIPS):
        line = call.lineno
        inside = [p for p in passes if facts.source.together(line, p.line)]
        taken = sorted(step for step in steps if step is not None and facts.source.together(line, step))
        if len(inside) < 2 or not taken or any(_adds(facts, p) for p in inside):
            continue
        first, last = min(p.line or 0 for p in inside), max(p.line or 0 for p in inside)
        if line < first and line < taken[0]:
            when = f"before the backward() of line {first}: there are no gradients yet"
        elif line > last and line > taken[-1]:
            when = f"after the step() of line {taken[-1]}, which has already used them"
        else:
            continue
        yield Found(
            f"{called(call)} on line {facts.shown(line)} clips gradients {when}",
            [line, first, taken[0]],
            sorted({t for p in inside for t in p.reached if t in facts.held}, key=lambda t: int(t[1:])),
            events=[inside[0].begin],
            edits=_move(facts, line, taken[0]),
        )


def _clipped_nothing(facts: Facts) -> Iterator[Found]:
    """A list of gradients that is clipped, and a generator that was used up before."""
    for call in facts.source.all_calls(*CLIPS):
        given = call.args[0] if call.args else None
        inside = [p for p in facts.outer_passes if facts.source.together(call.lineno, p.line)]
        if given is None or not inside or any(scope["line"] == call.lineno for scope in _clippings(facts)):
            continue
        what, fix = facts.source.text(given), None
        if isinstance(given, ast.ListComp | ast.GeneratorExp) and ast.unparse(given.elt).endswith(".grad"):
            why = "is given gradients, which have no .grad themselves"
            fix = f"Give {called(call)} the parameters: it takes their .grad itself."
        elif isinstance(given, ast.Name) and (line := _generator(facts, given.id)) is not None:
            why = f"finds nothing in {what}, a generator of line {facts.shown(line)} that is used up"
            fix = f"Make a list of it, {what} = list(…), or call parameters() again."
        else:
            continue
        yield Found(
            f"{called(call)} on line {facts.shown(call.lineno)} {why}: it clips nothing",
            [call.lineno, inside[0].line],
            sorted({t for p in inside for t in p.reached if t in facts.held}, key=lambda t: int(t[1:])),
            events=[inside[0].begin],
            fix=fix,
        )


def _clippings(facts: Facts) -> list[Row]:
    """Where something was clipped: norms of gradients are computed without grad."""
    norms = [facts.ops[i] for name in ("linalg_vector_norm", "clamp") for i in facts.named.get(name, ())]
    return [op for op in norms if facts.without_grad(op)]


def _generator(facts: Facts, name: str) -> int | None:
    """The line on which a name is given the parameters of a module, and nothing else anywhere."""
    made = [s for s in ast.walk(facts.source.tree) if isinstance(s, ast.Assign) and name in names_in(*s.targets)]
    calls = [s.value for s in made if isinstance(s.value, ast.Call)]
    if len(made) == len(calls) == 1 and called(calls[0]) in ("parameters", "filter"):
        return made[0].lineno
    return None


def _clipped_scaled(facts: Facts) -> Iterator[Found]:
    """Gradients that are clipped while they are still multiplied by the scale of a GradScaler."""
    scaled = facts.source.all_calls("scale")
    if not scaled or facts.source.all_calls("unscale_") or "GradScaler" not in facts.source.code:
        return
    for call in facts.source.all_calls(*CLIPS):
        before = [p for p in facts.outer_passes if facts.source.together(call.lineno, p.line)]
        lines = [scale.lineno for scale in scaled if facts.source.together(call.lineno, scale.lineno)]
        if not before or not lines or min(lines) > call.lineno:
            continue
        factors = [n for p in before[:1] for value in _factors(facts, p) for n in facts.numbers(value)]
        if not any(n >= 2 for n in factors):
            continue
        stepped = next((c for c in facts.source.all_calls("step") if c.args and c.lineno > call.lineno), None)
        optimizer = facts.source.text(stepped.args[0]) if stepped is not None else "optimizer"
        scaler = scaled[0].func.value if isinstance(scaled[0].func, ast.Attribute) else None
        unscale = f"{facts.source.text(scaler) if scaler else 'scaler'}.unscale_({optimizer})"
        edit = facts.source.insert_before(call.lineno, unscale)
        yield Found(
            f"{called(call)} on line {facts.shown(call.lineno)} clips gradients that are still {max(factors):,.0f} "
            "times too large: step() divides them by that afterwards",
            [call.lineno, before[0].line],
            sorted({t for p in before for t in p.reached if t in facts.held}, key=lambda t: int(t[1:])),
            events=[before[0].begin],
            edits=[edit] if edit and stepped is not None else [],
            fix=f"Call {unscale} before it.",
        )
        return


def _factors(facts: Facts, p: Pass) -> list[str]:
    """The factors of the root of a pass that are data."""
    root = facts.root(p)
    made = None if root is None else facts.maker(root)
    if made is None or made["name"] != "mul":
        return []
    values = [facts.tensors[t]["value"] for t in made["inputs"] if not facts.tensors[t]["requires_grad"]]
    return [value for value in values if value is not None]


def _adds(facts: Facts, p: Pass) -> bool:
    """Whether a pass adds to gradients that are there."""
    before = [facts.events[time]["before"] for time in p.reached.values()]
    return any(value is not None and not facts.zero(value) for value in before)


RULES = [
    Rule(
        "accumulating", "construction", "warning",
        "backward() adds to a gradient that is not 0 although a step has updated the leaf since the last backward(), "
        "and a later step uses the sum.",
        "backward() adds to .grad. Gradients that a step has already used are used again, so steps grow and lag.",
        "Call zero_grad() once per step, before backward().",
        "Silent for gradient accumulation before a single step, without an optimizer step, and for leaves that are "
        "only copied from those of an optimizer.", accumulating,
    ),
    Rule(
        "accumulated-means", "construction", "hint",
        "In a loop that speaks of batches or pieces of one, backward() of one line adds to .grad two or more times "
        "before anything clears or uses it, and each begins at the mean of several samples.",
        "backward() adds. A sum of means is larger than the mean of all by the number of its terms, and steps grow by "
        "as much.",
        "Divide each loss by their number.",
        "Silent for losses that are divided or multiplied, for programs that set a reduction, and for other loops.",
        accumulated_means,
    ),
    Rule(
        "others-gradients", "construction", "warning",
        "backward() adds to gradients that an earlier pass left on its way to the parameters of another optimizer, "
        "which alone stepped on that pass; the step that follows uses the sum.",
        "A generator's loss reaches the discriminator as well, and an actor's the critic. A step of these that uses "
        "such gradients works against their own loss.",
        "Call that optimizer's zero_grad() before the backward() of its own loss.",
        "Silent where the second loss reaches the parameters of the other optimizer, too.", others_gradients,
    ),
    Rule(
        "zeroed-before-step", "construction", "error",
        "All the gradients that backward() computed for an optimizer are cleared (zero_grad(), zero_(), None) before "
        "its next step(), also where a second backward() comes before that.",
        "step() finds none of these gradients, so nothing is learned from them.",
        "Call zero_grad() before backward(), or after step().",
        "Silent when the program sets gradients itself.", zeroed_before_step,
    ),
    Rule(
        "step-before-backward", "construction", "error",
        "An optimizer's first step() comes before any backward() has reached its parameters, and is written before "
        "backward() in the same block.",
        "step() uses what is in .grad: nothing at first, later the gradients of the previous weights.",
        "Call step() after backward().",
        "Silent for a step outside the loop, and for closures.", step_before_backward,
    ),
    Rule(
        "clip-without-effect", "construction", "warning",
        "clip_grad_norm_() or clip_grad_value_() is written before the backward(), or after the step(), of its block, "
        "and each backward() there begins without gradients. Or it gets gradients in the place of parameters, a "
        "generator of parameters that is used up, or gradients that a GradScaler has scaled and not unscaled.",
        "Clipping changes what is in .grad at that moment. The step is taken with gradients of any size, or of none.",
        "Clip between backward() and step().",
        "Silent where they are not statements of one block, and when gradients are accumulated.", clip_without_effect,
    ),
]  # fmt: skip
