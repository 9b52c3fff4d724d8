# ruff: noqa: E501 - programs are easier to read on one line
"""Every limit that a program meets in its own process: what exceeds it stops the program, what is just below runs."""

from __future__ import annotations

import gc
import signal
import sys
import time
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

import engine
from engine import memory
from engine.limits import HELP, TABLE, LimitExceeded, Limits, check_source, meter, metered
from engine.program import Outcome, execute
from tests.forked import ran

SMALL = Limits(fuel=20_000)


def run(program: str, limits: Limits = SMALL) -> Outcome:
    return execute(program, limits=limits, seed=0)


def exceeded(outcome: Outcome) -> str | None:
    return outcome.error.limit if outcome.error is not None else None


@pytest.mark.parametrize(
    ("limit", "allowed", "below", "above"),
    [
        ("fuel", 100, "for i in range(20): i", "for i in range(4000): i"),
        ("fuel", 100, "i = 0\nwhile i < 20: i += 1", "while True: pass"),
        ("fuel", 100, "def f(): pass\nfor i in range(10): f()", "def f(): pass\nfor i in range(4000): f()"),
        ("source_bytes", 20, "x = 1", "x = 1  # " + "é" * 10),
        ("tensor_elements", 100, "import torch\ntorch.zeros(100)", "import torch\ntorch.zeros(101)"),
        ("total_bytes", 4000, "import torch\ntorch.zeros(500)", "import torch\nx = [torch.zeros(100) for _ in range(20)]"),
    ],
)  # fmt: skip
def test_a_limit_stops_what_exceeds_it_and_nothing_else(limit: str, allowed: int, below: str, above: str) -> None:
    limits = replace(Limits(), **{limit: allowed})
    assert run(below, limits).error is None
    outcome = run(above, limits)
    assert exceeded(outcome) == limit
    assert outcome.error is not None
    assert outcome.error.type == "LimitExceeded"
    assert f"(limit {limit}: {allowed:,}" in outcome.error.message


def test_draws_again_and_again_use_fuel() -> None:
    program = "import torch\ntorch.nn.init.trunc_normal_(torch.empty(3), a=5, b=1e18)"
    assert exceeded(run(program, replace(Limits(), fuel=10_000))) == "fuel"


LOOPS = {
    "an epoch": (
        "for epoch in range(99):\n    for i in range(2000): x.sum()",
        "`for epoch` had made 6 of its 99 turns: let",
    ),
    "the first epoch": ("for epoch in range(9):\n    for i in range(99_999): x.sum()", "`for i` had made"),
    "as long as it takes": (
        "while True:\n    for i in range(2000): x.sum()",
        "`while` had made 6 turns: check that its",
    ),
    "in a function": ("def f():\n    for i in range(20_000): x.sum()\nfor v in iter([1, 2]): f()", "`for i` had made"),
    "one turn": ("for v in [1, 2, 3]:\n    for i in range(13_000): x.sum()", "`for v` had made 1 of its 3 turns:"),
}


@pytest.mark.parametrize(("loops", "says"), LOOPS.values(), ids=LOOPS.keys())
def test_a_loop_without_fuel_says_how_far_it_came(loops: str, says: str) -> None:
    limits = replace(Limits(), fuel=14_000)
    error = engine.run(code="import torch\nx = torch.ones(2)\n" + loops, limits=limits).document["error"]
    assert error["type"] == "LimitExceeded"
    assert says in error["fix"], error["fix"]
    assert error["related_lines"] in ([3], [4]) or error["line"] in (3, 4, 5)


FOR_EVER = {
    "steps": "while True: pass",
    "ops": "while True: torch.fft.fft(x)",
    "handlers": "while True:\n    try:\n        while True: torch.fft.fft(x)\n    except BaseException: print('caught')\n    finally: print('finally')",
    "a generator let go": "def g():\n    try: yield\n    finally:\n        while True: torch.fft.fft(x)\ny = g()\nnext(y)\ndel y\nprint('after')",
}


@pytest.mark.parametrize("program", FOR_EVER.values(), ids=FOR_EVER.keys())
def test_who_reaches_the_processor_time_ends_as_who_is_out_of_fuel(program: str) -> None:
    limits = replace(Limits(), cpu_seconds=0.2, fuel=10**9)
    started = time.process_time()
    run = engine.run(
        code="import torch\nx = torch.ones(9973)\nprint('here')\n" + program, limits=limits, seed=0, timed=True
    )
    assert time.process_time() - started < 2
    document = run.document
    assert run.passing
    assert document["stdout"].startswith("here\n") and len(document["stdout"]) < 30
    assert document["error"]["type"] == "LimitExceeded"
    assert "(limit cpu_seconds: 0.2 seconds)" in document["error"]["message"]
    assert document["error"]["line"] >= 4 and document["error"]["explanation"]
    assert "fewer turns" in document["error"]["fix"] or "let it end sooner" in document["error"]["fix"]


@pytest.mark.parametrize("last", ["x = 1", "1 / 0", "while True: pass"])
def test_runs_that_do_not_reach_the_processor_time_are_as_without(last: str) -> None:
    program = (
        "import torch\nx = torch.ones(3, requires_grad=True)\nfor i in range(40): (x * x).sum().backward()\n" + last
    )
    timed, other = (engine.run(code=program, limits=SMALL, seed=0, timed=timed) for timed in (True, False))
    assert not timed.passing
    assert timed.document == other.document
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_a_check_that_does_not_fit_in_the_processor_time_says_so() -> None:
    program = "import torch\nx = torch.ones(64, requires_grad=True)\nfor _ in range(300): y = torch.fft.fft(torch.ones(9973)).abs().sum() * x\ny.sum().backward()"
    run = engine.run(code=program, limits=replace(Limits(), cpu_seconds=0.01), seed=0, check=["x"], timed=True)
    assert run.passing
    assert run.document["checks"][0]["status"] == "unchecked"


def test_memory_that_is_counted_is_the_runs_own() -> None:
    old = [np.zeros(1000)]
    with memory.young():
        before = memory.alive()[1]
        young = [np.zeros(100)]
        assert memory.alive()[1] - before == young[0].nbytes
        with memory.young():
            pass
        assert memory.alive() == (0, 0), "a run inside a run begins anew"
    assert gc.get_freeze_count() == 0
    with memory.young():
        assert memory.alive()[1] < old[0].nbytes


def test_a_worker_looks_at_nothing_that_it_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    def count() -> int:
        raise AssertionError("counting looks at every object that was there before")

    monkeypatch.setattr(gc, "get_freeze_count", count)
    gc.disable()
    try:
        assert run("print(1)").stdout == "1\n"
        assert not gc.isenabled()
        monkeypatch.undo()
        assert gc.get_freeze_count() > 0, "what is older stays older"
    finally:
        gc.unfreeze()
        gc.enable()


def test_recursion_is_an_exception_the_program_can_catch() -> None:
    limits = replace(Limits(), recursion=50)
    program = "def f(n):\n    return 0 if n == 0 else f(n - 1)\n"
    assert run(program + "f(48)", limits).error is None
    outcome = run(program + "f(60)", limits)
    assert outcome.error is not None
    assert (outcome.error.type, outcome.error.message) == ("RecursionError", "maximum recursion depth exceeded")
    assert run(program + "try: f(60)\nexcept RecursionError: print('caught')", limits).stdout == "caught\n"


def test_printing_too_much_is_cut_and_says_so() -> None:
    limits = replace(Limits(), output_chars=10)
    outcome = run("print('123456789')", limits)
    assert (outcome.stdout, outcome.truncated) == ("123456789\n", None)
    outcome = run("print('1234567890')\nx = 1", limits)
    assert outcome.error is None
    assert outcome.truncated == "output_chars"
    assert outcome.stdout.startswith("1234567890\n… output cut here")
    assert outcome.globals == {"x": 1}


STUBBORN = {
    "catch all": "try:\n    while True: pass\nexcept BaseException: print('caught')\nprint('after')",
    "bare except": "while True:\n    try:\n        while True: pass\n    except: print('caught')",
    "finally": "try:\n    while True: pass\nfinally:\n    print('finally')",
    "return in finally": "def f():\n    try:\n        while True: pass\n    finally:\n        return 1\nf()\nprint('after')",
    "context manager": (
        "class C:\n    def __enter__(self): pass\n    def __exit__(self, *a):\n        print('exit')\n        return True\n"
        "with C():\n    while True: pass\nprint('after')"
    ),
    "generator": "def g():\n    try:\n        while True: pass\n        yield 1\n    finally: print('finally')\nlist(g())",
    "contextmanager": (
        "from contextlib import contextmanager, suppress\n@contextmanager\ndef c():\n    try: yield\n"
        "    except BaseException: print('caught')\nwith c(), suppress(BaseException):\n    while True: pass\nprint('after')"
    ),
    "special method": "class A:\n    def __eq__(self, o):\n        while True: pass\ntry: A() == 1\nexcept: print('caught')",
    "key function": "def k(x):\n    while True: pass\ntry: sorted([1, 2], key=k)\nexcept: print('caught')",
    "hasattr": "class A:\n    def __getattr__(self, n):\n        while True: pass\nprint(hasattr(A(), 'x'))",
    "getattr default": "class A:\n    @property\n    def x(self):\n        while True: pass\nprint(getattr(A(), 'x', 1))",
    "iterator": "import itertools\ntry:\n    for i in itertools.count(): pass\nexcept: print('caught')",
    "hook": (
        "import torch\nx = torch.ones(1, requires_grad=True)\ndef h(g):\n    while True: pass\nx.register_hook(h)\n"
        "try: (x * 2).sum().backward()\nexcept: print('caught')"
    ),
    "str": "class A:\n    def __str__(self):\n        while True: pass\ntry: print(A())\nexcept: print('caught')",
    "exception text": "class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E",
    "sleeping": "import time\nwhile True: time.sleep(1000)",
    "generator let go": "def g():\n    try: yield\n    finally:\n        while True: pass\nx = g()\nnext(x)\ndel x\nprint('after')",
}


@pytest.mark.parametrize("program", STUBBORN.values(), ids=STUBBORN.keys())
def test_a_program_cannot_outlive_its_limits(program: str) -> None:
    outcome = run(program)
    assert exceeded(outcome) == "fuel"
    assert outcome.error is not None and outcome.error.line is not None
    assert len(outcome.stdout) < 20, "it may come to its next turn or call"


SWALLOWED = ["return in finally", "context manager", "contextmanager", "generator let go", "exception text"]


@pytest.mark.parametrize("how", SWALLOWED)
def test_who_asks_for_too_much_memory_cannot_go_on_either(how: str) -> None:
    outcome = run("import torch\n" + STUBBORN[how].replace("while True: pass", "torch.zeros(10**9)"))
    assert exceeded(outcome) == "tensor_elements"
    assert outcome.error is not None and outcome.error.line is not None
    assert len(outcome.stdout) < 20, "it may come to its next turn or call"


def test_the_engine_is_left_as_it_was_when_a_limit_strikes_inside_no_grad() -> None:
    assert run("import torch\nwith torch.no_grad():\n    while True: pass").error is not None
    assert run("import torch\nprint(torch.is_grad_enabled())").stdout == "True\n"


DEEP = {
    "calls": "def f(): return f()\nf()",
    "operators": "class A:\n    def __add__(self, o): return self + o\nA() + 1",
    "attributes": "class A:\n    def __getattr__(self, n): return getattr(self, n + 'x')\nA().x",
    "properties": "class A:\n    @property\n    def x(self): return self.x\nA().x",
    "reprs": "class A:\n    def __repr__(self): return repr([self])\nprint(A())",
    "equality": "class A:\n    def __eq__(self, o): return [self] == [o]\nA() == A()",
    "hashing": "class A:\n    def __hash__(self): return hash((self,))\nhash(A())",
    "sorting": "def f(x): return sorted([1, 2], key=f)\nf(1)",
    "mapping": "def f(x): return list(map(f, [1]))\nf(1)",
    "generators": "def g(): yield from g()\nlist(g())",
    "generator loops": "def g():\n    for x in g(): yield x\nlist(g())",
    "generator expressions": "def f(x): return sum(f(i) for i in [1])\nf(1)",
    "lists in themselves": "a, b = [], []\na.append(a); b.append(b)\na == b",
    "constructors": "class A:\n    def __init__(self): A()\nA()",
    "formatting": "class A:\n    def __format__(self, s): return '{}'.format(self)\nf'{A()}'",
    "modules": "import torch\nclass N(torch.nn.Module):\n    def forward(self, x): return self(x)\nN()(1)",
    "hooks": "import torch\nm = torch.nn.Linear(2, 1)\nm.register_forward_pre_hook(m, with_kwargs=True)\nm(torch.ones(2))",
    "containers": "import torch\nm = torch.nn.Sequential()\nm.add_module('a', m)\nm(torch.ones(2))",
    "callables": "class A: pass\nA.__call__ = A()\nA()()",
    "sorting by callables": "class A: pass\nA.__call__ = A()\nsorted([1], key=A())",
    "descriptors": "class A:\n    def __get__(self, i, o): return B().x\nclass B:\n    x = A()\nB().x",
}


@pytest.mark.parametrize("program", DEEP.values(), ids=DEEP.keys())
def test_deep_recursion_of_every_kind_is_a_recursion_error(program: str) -> None:
    outcome = execute(program, seed=0)
    assert outcome.error is not None
    assert outcome.error.type == "RecursionError"


def test_fuel_grows_linearly_with_the_work() -> None:
    used = [run(f"for i in range({n}): x = i", Limits()).fuel_used for n in (3200, 6400, 12_800)]
    assert used[2] - used[1] == 2 * (used[1] - used[0])


def test_nothing_of_a_run_stays_behind() -> None:
    before = sys.getrecursionlimit()
    assert run("def f(): return 1\nkept = f").globals["kept"]() == 1
    assert meter.limits is None and sys.getrecursionlimit() == before


def test_every_limit_has_a_default_a_unit_and_an_explanation() -> None:
    assert [row.name for row in TABLE] == [f.name for f in fields(Limits)]
    for row in TABLE:
        assert row.default == getattr(Limits(), row.name) and row.unit and row.help
        assert HELP[row.name] is row


def test_the_meter_counts_only_while_it_is_armed() -> None:
    meter.allocate(10**12)
    with metered(Limits(tensor_elements=10, fuel=5)) as counting:
        counting.allocate(10)
        with pytest.raises(LimitExceeded, match="too large"):
            counting.allocate(11)
        with pytest.raises(LimitExceeded, match="steps"):
            counting.work(1 << 20)
    meter.allocate(10**12)


def test_limits_say_what_was_asked_for() -> None:
    with pytest.raises(LimitExceeded) as caught:
        check_source("x" * 263_000, Limits())
    assert (caught.value.limit, caught.value.used, caught.value.allowed) == ("source_bytes", 263_000, 262_144)
    assert not isinstance(caught.value, Exception)


BOMBS: dict[str, Any] = {
    "parentheses": "(" * 500 + ")" * 500,
    "unary": "x = " + "-" * 5000 + "1",
    "sum": "x = " + "+".join("1" * 3000),
    "blocks": "\n".join("    " * i + "if 1:" for i in range(99)) + "\n" + "    " * 99 + "pass",
    "attributes": "x" + ".a" * 5000,
    "calls": "f" + "()" * 5000,
    "lambdas": "lambda: " * 3000 + "1",
    "lists": "[" * 150 + "]" * 150,
    "comprehensions": "[" * 60 + "1" + " for x in y]" * 60,
    "f-strings": "f'{" * 3 + "1" + "}'" * 3,
    "else-if": "if 1: pass\n" + "elif 1: pass\n" * 1500,
    "nul": "x = 1\0",
    "surrogate": "x = '\ud800'",
    "empty": "",
    "digits": "x = " + "9" * 5000,
    "form feed": "\f\nx = 1",
    "tabs": "if 1:\n\tx = 1\n        y = 2",
    "bom": "\ufeffx = 1",
    "not an identifier": "x = €",
    "windows": "x = 1\r\ny = 2\r\nprint(x + y)\r\n",
}


@pytest.mark.parametrize("program", BOMBS.values(), ids=BOMBS.keys())
def test_no_source_text_does_harm(program: str) -> None:
    error = ran(program)["error"]
    if error is not None:
        assert error["type"] in ("SyntaxError", "LimitExceeded", "NameError", "IndentationError", "TabError")


@pytest.mark.parametrize(
    ("loops", "comprehensions", "fits"), [(0, 20, True), (0, 21, False), (13, 7, True), (13, 8, False)]
)
def test_comprehensions_are_refused_where_python_would_crash(loops: int, comprehensions: int, fits: bool) -> None:
    """It makes them blocks of the code around them."""
    lines = ["y = [1]", *(f"{' ' * depth}for x in y:" for depth in range(loops))]
    nested = "[" * comprehensions + "1" + " for x in y]" * comprehensions
    error = execute("\n".join([*lines, " " * loops + nested]), seed=0).error
    told = None if error is None else (error.type, error.message, error.line)
    assert told == (None if fits else ("SyntaxError", "too many statically nested blocks", loops + 2))


def test_attributes_that_a_program_adds_may_hold_anything() -> None:
    program = (
        "import torch\nclass M(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.data = [0] * 5000\n        self.grad = {i: [i] for i in range(3000)}\n"
        "        self.loop = []\n        self.loop.append(self.loop)\n        self.data = self.loop\n"
        "m = M()\nc = torch.nn.Conv2d(1, 1, 1)\nc.seen = list(range(5000))\nc.stride = [1, 1]\n"
        "print(len(m.data), len(m.grad), len(c.seen))"
    )
    outcome = run(program)
    assert outcome.error is None and outcome.stdout == "1 3000 5000\n"
