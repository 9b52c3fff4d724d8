"""Mutated programs: whatever a text says, it is answered with a sound document or with what is wrong with the request.

The programs of the snippets and of the page's menu are changed at random: odd arguments, other names, statements that
vanish or move, characters that flip. Each is sent to a service. A program is a function of its number alone.
"""

from __future__ import annotations

import ast
import copy
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.attack.purity import everyday
from tests.attack.report import Result, timed
from tests.attack.service import Answer, Service, service, shown, sources, tried
from tests.snippets.invariants import violations

PROGRAMS = 6000
SETTINGS: dict[str, object] = {"store": "memory", "cpu_seconds": 2}
TOGETHER = 3

CONSTANTS = (
    *(
        "0",
        "-1",
        "1",
        "2**63",
        "10**30",
        "1e400",
        "float('nan')",
        "None",
        "True",
        "''",
        "'mean'",
        "b'x'",
        "()",
        "[]",
        "{}",
    ),
    *(
        "...",
        "1j",
        "torch",
        "torch.float64",
        "torch.zeros(0)",
        "torch.tensor(1.5)",
        "torch.tensor([True])",
        "slice(None)",
    ),
    *("torch.nan", "np.float32(2)", "lambda *a, **k: 0", "type", "'x' * 5000", "range(3)", "torch.ones(2, 3, 4)"),
)
WRAPPED = (
    *(
        "[{}]",
        "({},)",
        "-{}",
        "~{}",
        "{}[0]",
        "{}[None]",
        "{}()",
        "*{}",
        "{}.T",
        "{}.grad",
        "{}.detach()",
        "{}.double()",
    ),
    *("{}.requires_grad_()", "{} @ {}", "{} if {} else 0", "{}.backward()", "iter({})", "str({})", "{}.to('meta')"),
)
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.MatMult, ast.Pow, ast.Mod, ast.FloorDiv, ast.LShift, ast.BitAnd)
INSIDE = re.compile(r"\bengine[./]\w|\bapp/|site-packages|\.venv/")
"""Where errors must not come from: a program has files of its own alone."""


def expression(text: str) -> ast.expr:
    """The expression that a text is; a star stays one in calls."""
    return ast.parse(f"f({text})", mode="eval").body.args[0]  # type: ignore[attr-defined, no-any-return]


def odd(tree: ast.Module, rng: random.Random) -> None:
    """Put a constant in the place of an argument or a number."""
    places = [
        (node.args, index) for node in ast.walk(tree) if isinstance(node, ast.Call) for index in range(len(node.args))
    ] + [
        (node.keywords, index)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for index in range(len(node.keywords))
    ]
    held, index = rng.choice(places)
    value = expression(rng.choice(CONSTANTS))
    if isinstance(held[index], ast.keyword):
        held[index].value = value  # type: ignore[union-attr]
    else:
        held[index] = value  # type: ignore[call-overload]


def wrapped(tree: ast.Module, rng: random.Random) -> None:
    """Put something around an argument."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    call = rng.choice(calls)
    index = rng.randrange(len(call.args))
    text = ast.unparse(call.args[index])
    form = rng.choice(WRAPPED)
    call.args[index] = expression(form.replace("{}", f"({text})") if not text.startswith("*") else text)


def arguments(tree: ast.Module, rng: random.Random) -> None:
    """Leave an argument out, give it twice, or give one that nobody knows."""
    call = rng.choice([node for node in ast.walk(tree) if isinstance(node, ast.Call)])
    if call.args and rng.random() < 0.7:
        index = rng.randrange(len(call.args))
        call.args[index : index + 1] = rng.choice(([], [call.args[index]] * 2, [*call.args[:1], call.args[index]]))
    else:
        name = rng.choice(("dim", "dtype", "out", "size", "keepdim", "requires_grad", "reduction", "colour"))
        if name not in {keyword.arg for keyword in call.keywords}:
            call.keywords.append(ast.keyword(name, expression(rng.choice(CONSTANTS))))


def names(tree: ast.Module, rng: random.Random) -> None:
    """Exchange a name or an attribute for another of the program."""
    kind = rng.choice((ast.Name, ast.Attribute))
    found = [node for node in ast.walk(tree) if isinstance(node, kind)]
    one, other = rng.choice(found), rng.choice(found)
    if isinstance(one, ast.Name) and isinstance(other, ast.Name):
        one.id = other.id
    elif isinstance(one, ast.Attribute) and isinstance(other, ast.Attribute):
        one.attr = other.attr


def operators(tree: ast.Module, rng: random.Random) -> None:
    """Exchange an operator."""
    node = rng.choice([node for node in ast.walk(tree) if isinstance(node, ast.BinOp)])
    node.op = rng.choice(OPERATORS)()


def statements(tree: ast.Module, rng: random.Random) -> None:
    """Let a statement vanish, happen twice, or move."""
    bodies = [node.body for node in ast.walk(tree) if isinstance(getattr(node, "body", None), list)]
    body = rng.choice(bodies)
    index = rng.randrange(len(body))
    taken = body.pop(index)
    if rng.random() < 0.6:
        body.insert(rng.randrange(len(body) + 1), taken)
    if rng.random() < 0.3:
        body.insert(index, copy.deepcopy(taken))
    if not body:
        body.append(ast.Pass())


CHANGES: tuple[Callable[[ast.Module, random.Random], None], ...] = (
    odd,
    odd,
    wrapped,
    arguments,
    names,
    operators,
    statements,
)


def damaged(text: str, rng: random.Random) -> str:
    """A text with some of its characters or lines exchanged, doubled or gone."""
    lines = text.split("\n")
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(lines))
        line = lines[at]
        spot = rng.randrange(len(line) + 1)
        lines[at] = rng.choice(
            (
                line[:spot]
                + rng.choice(["(", ")", ":", "é", "\x00", "\t", "'", '"""', "\\", "0", "ﬁ", "\u2028"])
                + line[spot:],
                line[:spot] + line[spot + 1 :],
                " " * rng.randrange(9) + line,
                lines[rng.randrange(len(lines))],
            )
        )
    return "\n".join(lines)


def parsed(text: str) -> ast.Module | None:
    """The tree of a text, if it is Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def program(seeds: Sequence[str], number: int) -> str:
    """The program of a number."""
    rng = random.Random(number)
    text = rng.choice(seeds)
    tree = parsed(text)
    if tree is None or rng.random() < 0.15:
        return damaged(text, rng)
    for _ in range(rng.randrange(1, 4)):
        before = copy.deepcopy(tree)
        try:
            rng.choice(CHANGES)(tree, rng)
            ast.parse(ast.unparse(tree))
        except (IndexError, SyntaxError, ValueError):  # there is nothing of that kind, or it fits nowhere
            tree = before
    return ast.unparse(tree) + "\n"


def wrong(code: str, answer: Answer | None) -> str:
    """What is wrong with an answer; empty when nothing is."""
    if answer is None or answer.status >= 500 and answer.status != 503:
        return "answered " + shown(answer)
    if answer.status != 200:
        return "" if answer.is_problem() else "refused " + shown(answer)
    document = answer.content
    broken = violations(document)
    if broken:
        return f"a document in which {broken[0]}"
    error: dict[str, Any] | None = document["error"]
    if error is None:
        return ""
    last = len(code.splitlines()) + 1
    placed = [error["line"], *(frame["line"] for frame in error["traceback"])]
    if any(line is not None and not 1 <= line <= last for line in placed):
        return f"an error at lines {placed} of {last}"
    if INSIDE.search(error["message"]):
        return f"an error that speaks of what is inside: {error['message'][:300]}"
    silent = error["type"] == "AssertionError" and not error["message"] and "assert" not in code
    return f"an error of the engine's own: {error['type']}" if silent or error["type"] == "SystemError" else ""


def attack(size: float) -> Result:
    """`size` 1.0 sends six thousand programs."""
    result = Result("mutation", "whatever a program says: a sound document, and its errors are its own")
    seeds = [code for _, code in everyday() if len(code) < 4000]
    ends: Counter[str] = Counter()

    def one(target: Service, code: str, source: str) -> tuple[str, Answer | None]:
        return code, tried(lambda: target.run(code, source=source, timeout=60.0))

    with timed(result), service(**SETTINGS) as target, ThreadPoolExecutor(TOGETHER) as pool:
        # Made in this thread alone: CPython counts the depth of its trees for all threads together.
        programs = [program(seeds, number) for number in range(int(PROGRAMS * size))]
        for code, answer in pool.map(one, [target] * len(programs), programs, sources()):
            why = wrong(code, answer)
            result.expect(not why, lambda why=why, code=code: f"{why}\n{code}")  # type: ignore[misc]
            if answer is not None:
                ends["refused" if answer.status != 200 else "wrong" if answer.content["error"] else "right"] += 1
        result.expect(target.ready(), "the service is gone")
    result.figures |= {f"programs {end}": str(count) for end, count in sorted(ends.items())}
    return result
