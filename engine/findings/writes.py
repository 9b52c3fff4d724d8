"""Rules: views, in-place writes and hooks that change what backward() computes."""

from __future__ import annotations

import ast
import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from .facts import CHAIN, Facts, Row
from .finding import Found, Rule
from .names import name_of, names_of


def view_for_transpose(facts: Facts) -> Iterator[Found]:
    """view or reshape to the same sizes in another order."""
    seen: set[int | None] = set()
    learned = bool(facts.parameters and facts.optimizers)
    for name in ("view", "reshape", "_unsafe_view"):
        for i in facts.named.get(name, ()):
            op = facts.ops[i]
            if op["line"] in seen or not op["inputs"]:
                continue
            given, out = facts.tensors[op["inputs"][0]], facts.tensors[op["outputs"][0]]
            sizes, new = given["shape"], out["shape"]
            if not (_permuted(sizes, new) or _torn(sizes, new)) or out["id"] not in facts.users:
                continue
            if not (learned or _feeds(facts, op)):
                continue
            if given["requires_grad"] and op["node"] is None or _shuffled(facts, op):
                continue
            node = facts.source.expression(op)
            if isinstance(node, ast.Call) and not _regroups(node.func):
                continue
            seen.add(op["line"])
            edits = []
            whole = len(set(sizes)) == len(sizes) == len(new)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and whole:
                order = ", ".join([str(sizes.index(size)) for size in new])
                what = facts.source.text(node.func.value)
                if ast.unparse(node.func.value) != "torch":
                    edits = [facts.source.replace(node, f"{what}.permute({order})")]
            yield Found(
                f"{name} turns {name_of(facts, given['id'])} {facts.shape(given['id'])} into {facts.shape(out['id'])}: "
                "elements keep their order in memory, so different samples get mixed",
                [op["line"]],
                [given["id"], out["id"]],
                [op["node"]] if op["node"] else [],
                [op["id"]],
                edits=edits,
            )


def _regroups(called: ast.expr) -> bool:
    """Whether a call says that it views: what a library does inside is its own affair."""
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return any([word in name.lower() for word in ("view", "reshape", "flatten")])


def _permuted(sizes: list[int], new: list[int]) -> bool:
    """Whether axes larger than 1 come in another order."""
    one, other = [s for s in sizes if s > 1], [s for s in new if s > 1]
    return len(sizes) == len(new) and len(one) > 1 and one != other and sorted(one) == sorted(other)


def _torn(sizes: list[int], new: list[int]) -> bool:
    """Whether axes are cut at places where neither ends, and one of them comes out with another step."""
    one, other = [s for s in sizes if s > 1], [s for s in new if s > 1]
    if len(one) < 2 or len(other) <= len(one):
        return False
    steps = [{(size, math.prod(sizes[i + 1 :])) for i, size in enumerate(sizes) if size > 1} for sizes in (one, other)]
    ends = [{step for _, step in each} for each in steps]
    moved = {size for size, _ in steps[0] - steps[1]} & {size for size, _ in steps[1] - steps[0]}
    return bool(moved) and not ends[0] <= ends[1]


TAKERS = frozenset({"mm", "bmm", "matmul", "baddbmm", "addmm", "convolution", "conv1d", "conv2d", "linear"})
"""Ops for which the order of axes has a meaning."""


def _feeds(facts: Facts, op: Row) -> bool:
    """Whether what a view makes goes, but for more views, straight into such an op or a module, and then a pass."""
    todo = [op["outputs"][0]]
    for _ in range(6):
        users = [facts.ops[i] for t in todo for i in facts.users.get(t, ())[:8]]
        for user in users:
            inside = facts.scopes[user["scope"]]["kind"] == "module" and user["scope"] != op["scope"]
            if (user["name"] in TAKERS or inside) and any(user["node"] in p.reachable for p in facts.passes):
                return True
        todo = [user["outputs"][0] for user in users if user["name"] in CHAIN and user["outputs"]]
    return False


def _shuffled(facts: Facts, op: Row) -> bool:
    """Whether a transpose right before or after shows that the program knows what it does."""
    given = facts.maker(op["inputs"][0])
    if given is not None and given["name"] in ("cat", "constant_pad_nd"):
        return True  # a shift of rows, as for relative positions
    beside = [given, *[facts.ops[i] for i in facts.users.get(op["outputs"][0], ())]]
    return any(o is not None and o["name"] in MOVERS and not _into_product(facts, o) for o in beside)


MOVERS = frozenset({"transpose", "permute", "t", "contiguous", "clone"})


def _into_product(facts: Facts, op: Row) -> bool:
    """Whether a transpose only turns the matrices of a batch, for a product: `q @ k.transpose(-2, -1)`."""
    if op["name"] != "transpose":
        return False
    rank = len(facts.tensors[op["inputs"][0]]["shape"])
    dims = {dim % rank for name in ("dim0", "dim1") if isinstance(dim := op["arguments"].get(name), int)}
    if rank < 4 or dims != {rank - 2, rank - 1}:
        return False
    todo = [op["outputs"][0]]
    for _ in range(3):
        users = [facts.ops[i] for t in todo for i in facts.users.get(t, ())]
        if any(user["name"] in ("matmul", "bmm") for user in users):
            return True
        todo = [user["outputs"][0] for user in users if user["name"] in CHAIN and user["outputs"]]
    return False


def inplace_overwrites_saved(facts: Facts) -> Iterator[Found]:
    """The error of a saved tensor that was written, with both lines."""
    error = facts.error
    if error is None or "modified by an inplace operation" not in error["message"]:
        return
    nodes = [facts.nodes[n] for n in error["nodes"]]
    lines = error["related_lines"]
    saved = [n["line"] for n in nodes if n["line"] is not None]
    tensors = error["tensors"]
    bases = [base for t in tensors if (base := facts.tensors[t]["view_of"]) is not None]
    names = [t for t in dict.fromkeys((*tensors, *bases)) if facts.tensors[t]["name"]] or tensors
    label = name_of(facts, names[0]) if names else "a tensor"
    steps = {use["line"] for optimizer in facts.optimizers for use in optimizer["uses"] if use["what"] == "step"}
    stepped = bool(lines) and lines[-1] in steps
    by = f"{nodes[0]['name']} (line {saved[0]})" if saved else "an op"
    edits = []
    node = facts.source.statement(lines[-1]) if lines else None
    if len(lines) == 1 and isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and len(names) == 1:
        symbols = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
        symbol = symbols.get(type(node.op))
        row = facts.tensors[names[0]]
        if symbol and row["view_of"] is None and not (row["is_leaf"] and row["requires_grad"]):
            target, value = node.target.id, facts.source.text(node.value)
            value = value if isinstance(node.value, ast.Name | ast.Constant | ast.Call) else f"({value})"
            place = {
                "line": node.lineno, "column": node.col_offset,
                "end_line": node.end_lineno, "end_column": node.end_col_offset,
            }  # fmt: skip
            edits = [{**place, "new": f"{target} = {target} {symbol} {value}"}]
    yield Found(
        f"{label} was saved by {by} and modified on line {lines[-1] if lines else '?'} before backward() used it",
        [*reversed(lines[-1:]), *saved[:1], error["line"], *lines[:-1]],
        names,
        error["nodes"],
        edits=edits,
        fix=f"{BEFORE_STEP} (line {lines[-1]}), or compute the forward pass again after it." if stepped else None,
        explains_error=True,
    )


def data_overwrites_saved(facts: Facts) -> Iterator[Found]:
    """A tensor that a node had saved, written past autograd's count of its versions."""
    if facts.error is not None or not any(word in facts.source.code for word in UNCOUNTED):
        return
    quiet = _uncounted(facts)
    if not quiet:
        return
    ran: dict[str, int] = {}
    for i in facts.times("node"):
        ran[facts.events[i]["node"]] = i
    begun = {facts.events[i]["op"]: i for i in facts.times("op")}
    stores = {row["id"]: row["tensor"] for row in facts.document.get("storages", ())}
    told: set[int | None] = set()
    for node in facts.nodes.values():
        start, end = begun.get(node["op"] or "", -1), ran.get(node["id"], -1)
        for kept in node.get("keeps", ()) if 0 <= start < end else ():
            if kept["name"] in AVERAGES:
                continue
            for t in {kept["tensor"], stores.get(kept["storage"])} & quiet.keys():
                at = next((at for at in quiet[t] if start < at < end), None)
                line = None if at is None else facts.events[at].get("line")
                if at is None or line in told:
                    continue
                told.add(line)
                yield Found(
                    f"{name_of(facts, t)} was saved by {node['name']} (line {node['line']}) and changed on line {line} "
                    "in a way that autograd doesn't see: backward() computes with the new numbers",
                    [line, node["line"]],
                    [t],
                    [node["id"]],
                    events=[at],
                )


UNCOUNTED = (".data", "storage(")
"""What programs write by that doesn't count as a new version."""

AVERAGES = ("running_mean", "running_var")
"""What batch norm keeps, and writes itself without a new version."""


def _uncounted(facts: Facts) -> dict[str, list[int]]:
    """Times of writes with other numbers that don't count in a tensor's version, by tensor: through .data."""
    found: dict[str, list[int]] = {}
    for t, times in facts.writes.items():
        version, value = 0, facts.tensors[t]["value"]
        for at in times:
            event = facts.events[at]
            if event["version"] <= version and facts.numbers(event["value"]) != facts.numbers(value):
                found.setdefault(t, []).append(at)
            version, value = max(version, event["version"]), event["value"]
    return found


BEFORE_STEP = "Call every backward() that goes through this graph before the optimizer's step()"


def hook_changed_gradient(facts: Facts) -> Iterator[Found]:
    """A hook that returned something else."""
    seen: dict[int | None, Found] = {}
    for i in facts.times("hook"):
        event = facts.events[i]
        if event["on"] == "post_accumulate":
            continue
        known = seen.get(event.get("registered"))
        if known is not None and (event.get("target") in known.tensors or len(known.tensors) > 20):
            continue
        for before, after in zip(event["before"], event["after"], strict=False):
            if before is None or after is None or before == after:
                continue
            one, other = facts.summary(before), facts.summary(after)
            if one is None or other is None or (one.norm, one.low, one.high) == (other.norm, other.low, other.high):
                continue
            if known is not None:
                known.tensors += [event["target"]] if event.get("target") in facts.tensors else []
                break
            ratio = f"{other.norm / one.norm:.3g}" if one.norm else ""
            ratio = "it was 0" if not ratio else "its norm is the same" if ratio == "1" else f"{ratio} times its norm"
            target = event.get("target")
            name = name_of(facts, target) if target in facts.tensors else str(target)
            seen[event.get("registered")] = Found(
                f"A hook on {name} changes the gradient: {ratio}",
                [event.get("registered"), event.get("line")],
                [target] if target in facts.tensors else [],
                events=[i],
                values={"norm before": one.norm, "norm after": other.norm},
            )
            break
    yield from seen.values()


def copied_onto_itself(facts: Facts) -> Iterator[Found]:
    """What was kept of a tensor is the tensor itself, and loading it changes nothing."""
    by_line: dict[tuple[int | None, int | None], list[tuple[str, Row]]] = {}
    for i in facts.named.get("copy", ()):
        op = facts.ops[i]
        kept, source = (facts.tensors[t] for t in op["inputs"][:2])
        tensor = _same(facts, kept["id"])
        if source["detached_from"] and _same(facts, source["id"]) == tensor and source["shape"] == kept["shape"]:
            if source["line"] != op["line"] and _last_write(facts, tensor, op) > _known_since(facts, source["id"]):
                by_line.setdefault((op["line"], source["line"]), []).append((tensor, op))
    for (line, made), found in by_line.items():
        tensors = list(dict.fromkeys(tensor for tensor, _ in found))
        whole = facts.source.calls(made, "state_dict")
        edits = []
        if len(whole) == 1:
            copied = f"{{name: value.clone() for name, value in {facts.source.text(whole[0])}.items()}}"
            edits = [facts.source.replace(whole[0], copied)]
        yield Found(
            f"Line {line} copies {names_of(facts, tensors)} onto itself: what line {made} kept is the same memory, "
            "which steps have written since",
            [made, line],
            tensors,
            ops=[op["id"] for _, op in found],
            edits=edits,
        )


def _same(facts: Facts, tensor: str) -> str:
    """The tensor whose memory `detach()` and `.data` handed on."""
    while (source := facts.tensors[tensor]["detached_from"]) is not None:
        tensor = source
    return tensor


def _last_write(facts: Facts, tensor: str, op: Row) -> int:
    """The time of the last write to a tensor before an op, -1 without one."""
    writes = facts.writes.get(tensor, [])
    place = bisect_left(writes, facts.ran.get(op["id"], 0))
    return writes[place - 1] if place else -1


def _known_since(facts: Facts, tensor: str) -> int:
    """A time at which a tensor was there: of the first op that made one with a higher number."""
    place = bisect_right(facts.latest, int(tensor[1:]))
    return len(facts.events) if place == len(facts.ops) else facts.ran.get(facts.ops[place]["id"], len(facts.events))


RULES = [
    Rule(
        "view-for-transpose", "construction", "warning",
        "view or reshape returns the same sizes in another order, or splits one dimension and regroups it across "
        "another, in a program with an optimizer, or right before a module, a matrix product or a convolution.",
        "A view keeps the order of the elements in memory: it doesn't swap dimensions, it scrambles them.",
        "Use transpose or permute.",
        "Silent next to a transpose or permute, for tensors that are only looked at, inside of libraries, and without "
        "training.",
        view_for_transpose,
    ),
    Rule(
        "copied-onto-itself", "construction", "error",
        "A tensor is copied onto one whose memory it shares, since detach(), .data or state_dict() gave it, and "
        "something has written there in between.",
        "state_dict(), detach() and .data copy nothing: what is kept changes with every step, and loading it has no "
        "effect.",
        "Keep copies: copy.deepcopy(model.state_dict()), or clone() of each tensor.",
        "Silent where nothing was written between the two lines.", copied_onto_itself,
    ),
    Rule(
        "inplace-overwrites-saved", "construction", "error",
        "backward() failed because a tensor that a node had saved was modified afterwards.",
        "The derivative needs the value that was overwritten.",
        "Make a new tensor: x = x + 1 instead of x += 1.",
        "Explained beside PyTorch's error.", inplace_overwrites_saved,
    ),
    Rule(
        "data-overwrites-saved", "construction", "warning",
        "A tensor that a node had saved was given other numbers through .data, or in another way that doesn't count "
        "as a new version, before the node ran.",
        "PyTorch compares versions to notice such a write, and .data has a count of its own: there is no error, and "
        "the gradient is that of no function.",
        "Write before the forward pass or after backward(); under torch.no_grad() instead of .data, PyTorch says so.",
        "Silent for writes that change no number, and for tensors too large to compare.", data_overwrites_saved,
    ),
    Rule(
        "hook-changed-gradient", "construction", "hint",
        "A hook returned a gradient that differs from the one it got.",
        "From there on, the gradient is no longer the derivative of the loss.",
        "Return None from a hook that should only look.",
        "Silent for post-accumulate hooks, and when norm, minimum and maximum stay the same.", hook_changed_gradient,
    ),
]  # fmt: skip
