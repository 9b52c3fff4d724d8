# ruff: noqa: E501 - programs are easier to read on one line
"""Every limit: what exceeds it stops the program, what is just below runs; and nothing of the program can get around it."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import time
import tracemalloc
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

import engine
from engine import memory
from engine.limits import HELP, TABLE, LimitExceeded, Limits, check_source, meter, metered
from engine.program import Outcome, execute

SMALL = Limits(fuel=20_000)


def run(program: str, limits: Limits = SMALL) -> Outcome:
    return execute(program, limits=limits, seed=0)


def exceeded(outcome: Outcome) -> str | None:
    return outcome.error.limit if outcome.error is not None else None


@pytest.mark.parametrize(
    ("limit", "allowed", "below", "above"),
    [
        ("fuel", 100, "for i in range(45): i", "for i in range(120): i"),
        ("fuel", 100, "x = [i for i in range(90)]", "x = [i for i in range(120)]"),
        ("source_bytes", 20, "x = 1", "x = 1  # " + "é" * 10),
        ("ast_nodes", 20, "x = 1\ny = 2", "x = 1\n" * 20),
        ("nesting", 12, "x = " + "-" * 8 + "1", "x = " + "-" * 20 + "1"),
        ("int_bits", 100, "x = 2 ** 99", "x = 2 ** 101"),
        ("int_bits", 100, "x = 1 << 98", "x = 1 << 101"),
        ("int_bits", 100, "x = 2 ** 49\ny = x * x", "x = 2 ** 70\ny = x * x"),
        ("int_bits", 100, "x = 2 ** 99\ny = x + 1", "x = 2 ** 99\ny = x + x"),
        ("int_bits", 100, "import math\nmath.factorial(20)", "import math\nmath.factorial(60)"),
        ("sequence_length", 50, "x = [0] * 50", "x = [0] * 51"),
        ("sequence_length", 50, "x = 'ab' * 25", "x = 'ab' * 26"),
        ("sequence_length", 50, "x = list(range(50))", "x = list(range(51))"),
        ("sequence_length", 50, "x = [0] * 25 + [0] * 25", "x = [0] * 25 + [0] * 26"),
        ("sequence_length", 50, "x = ','.join('a' * 25)", "x = ','.join('a' * 30)"),
        ("sequence_length", 50, "x = 'a'.replace('a', 'b' * 50)", "x = 'aa'.replace('a', 'b' * 30)"),
        ("sequence_length", 70, "x = f'{1:60}'", "x = f'{1:40}{1:40}'"),
        ("sequence_length", 50, "x = '%30d' % 1", "x = '%30d%30d' % (1, 1)"),
        ("sequence_length", 50, "x = '{:30}'.format(1)", "x = '{:30}{:30}'.format(1, 1)"),
        ("sequence_length", 50, "x = [1]\nx.extend(range(49))", "x = [1]\nx.extend(range(50))"),
        ("sequence_length", 50, "x = [1]\nx[0:0] = range(49)", "x = [1]\nx[0:0] = range(50)"),
        ("tensor_elements", 100, "import torch\ntorch.zeros(100)", "import torch\ntorch.zeros(101)"),
        ("tensor_elements", 100, "import numpy as np\nnp.zeros(100)", "import numpy as np\nnp.zeros(101)"),
        ("tensor_elements", 100, "import numpy as np\nnp.ones((10, 1)) * np.ones(10)",
         "import numpy as np\nnp.ones((11, 1)) * np.ones(10)"),
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


STANDS_FOR = {
    "a scalar of numpy": "import numpy as np\nn = np.int64(3_000_000)",
    "an array": "import numpy as np\nn = np.array(3_000_000)",
    "a tensor": "import torch\nn = torch.tensor(3_000_000)",
    "an object": "class Index:\n    def __index__(self): return 3_000_000\nn = Index()",
}
SIZED = [
    "'a'.ljust(n)", "'a'.rjust(n, 'b')", "'a'.center(n)", "'1'.zfill(n)", "'\\t'.expandtabs(n)", "bytes(n)",
    "math.factorial(n)", "math.perm(n)", "math.comb(n, 1_000_000)", "itertools.tee([1], n)",
    "list(itertools.combinations_with_replacement([1], n))",
]  # fmt: skip
REPEATED = ["[0] * n", "n * (0,)", "'ab' * n", "n * b'a'", "collections.deque([0]) * n"]


@pytest.mark.parametrize(("made", "call"), [
    (made, call) for name, made in STANDS_FOR.items() for call in SIZED + (REPEATED if name != "an array" else [])
])  # fmt: skip
def test_what_stands_for_an_integer_is_as_large_as_it(made: str, call: str) -> None:
    outcome = run(f"import collections, itertools, math\n{made}\nx = {call}")
    assert exceeded(outcome) in ("sequence_length", "int_bits"), outcome.error


@pytest.mark.parametrize("state", ["(s[0], s[1], 10**6)", "(s[0], s[1], -1)", "(s[0], s[1][:5], 3)", "{'state': {'pos': 9**9}}"])
def test_a_state_of_random_numbers_points_nowhere_else(state: str) -> None:
    program = f"import numpy as np\ns = np.random.get_state()\nnp.random.set_state({state})\nnp.random.rand()"
    outcome = run(program)
    assert outcome.error is not None
    assert outcome.error.type in ("ValueError", "TypeError")
    assert "set_state" in program.splitlines()[(outcome.error.line or 0) - 1]


@pytest.mark.parametrize("call", ["gammavariate(n, 1)", "betavariate(0.5, n)", "vonmisesvariate(0, n)"])
@pytest.mark.parametrize("made", ["float('inf')", "float('nan')", "np.float64('nan')"])
def test_draws_that_would_never_end_are_refused(made: str, call: str) -> None:
    outcome = run(f"import random\nimport numpy as np\nn = {made}\nrandom.{call}")
    assert outcome.error is not None
    assert outcome.error.type == "ValueError"


def test_draws_again_and_again_use_fuel() -> None:
    program = "import torch\ntorch.nn.init.trunc_normal_(torch.empty(3), a=5, b=1e18)"
    assert exceeded(run(program, replace(Limits(), fuel=10_000))) == "fuel"


@pytest.mark.parametrize("call", [
    "s * 10**7", "10**7 * s", "s.__mul__(10**7)", "s.__rmul__(10**7)", "torch.Size.__mul__(s, 10**7)", "r * 10**7",
    "type(r).__mul__(r, 10**7)", "np.array([range(10**5)] * 100)", "np.array([torch.ones(10**5)] * 100)",
])  # fmt: skip
def test_classes_of_the_engine_pay_as_the_containers_that_they_are(call: str) -> None:
    made = "import numpy as np\nimport torch\ns = torch.Size([1])\nr = torch.max(torch.ones(2, 2), 0)\n"
    assert exceeded(run(f"{made}x = {call}")) == "sequence_length"


@pytest.mark.parametrize("step", ["Tuple[x, x]", "tuple[x, x]", "x | list[i]", "List[x]", "Literal[x, i]", "Callable[[x, x], x]"])
def test_annotations_are_no_larger_than_people_write_them(step: str) -> None:
    outcome = run(f"from typing import *\nx = int\nfor i in range(400): x = {step}")
    assert outcome.error is not None and "more than 256 parts" in outcome.error.message


@pytest.mark.parametrize("value", ["torch.ones(())", "Mode.A", "Level.A"])
@pytest.mark.parametrize("call", ["{}.__format__('>10000000')", "type({0}).__format__({0}, '>10000000')", "format({}, '>10000000')"])
def test_widths_are_limited_however_they_are_asked_for(value: str, call: str) -> None:
    made = "import enum\nimport torch\nclass Mode(enum.Enum):\n    A = 1\nclass Level(enum.IntEnum):\n    A = 1\n"
    outcome = run(f"{made}x = {call.format(value)}")
    assert outcome.error is not None
    assert "limited to 10000" in outcome.error.message


@pytest.mark.parametrize("use", [
    "rows == rows.value", "hash(rows)", "-1 in rows", "rows < rows", "rows[1:]", "{rows: 1}", "many(i)",
])  # fmt: skip
def test_members_of_enumerations_pay_for_what_they_hold(use: str) -> None:
    made = (
        "import enum\nclass Rows(tuple, enum.Enum):\n    A = tuple(range(50_000))\nclass many(enum.IntFlag):\n    A = 1\n"
        "rows = Rows.A\n"
    )
    program = f"{made}for i in range(3000): {use}"
    started = time.process_time()
    outcome = run(program, replace(Limits(), fuel=100_000))
    assert time.process_time() - started < 2, outcome.fuel_used


def test_flags_that_are_put_together_are_looked_at_once() -> None:
    program = "from enum import Flag, auto\nclass F(Flag):\n    A = auto()\n    t = A\n    for _ in range(60): t = t | t"
    assert run(program, Limits()).error is None


LOOPS = {
    "an epoch": ("for epoch in range(99):\n    for i in range(2000): x.sum()", "`for epoch` had made 6 of its 99 turns: let"),
    "the first epoch": ("for epoch in range(9):\n    for i in range(99_999): x.sum()", "`for i` had made"),
    "as long as it takes": ("while True:\n    for i in range(2000): x.sum()", "`while` had made 6 turns: check that its"),
    "in a function": ("def f():\n    for i in range(20_000): x.sum()\nfor v in iter([1, 2]): f()", "`for i` had made"),
    "one turn": ("for v in [1, 2, 3]:\n    for i in range(13_000): x.sum()", "`for v` had made 1 of its 3 turns:"),
}


@pytest.mark.parametrize(("loops", "says"), LOOPS.values(), ids=LOOPS.keys())
def test_a_loop_without_fuel_says_how_far_it_came(loops: str, says: str) -> None:
    limits = replace(Limits(), fuel=40_000)
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
    run = engine.run(code="import torch\nx = torch.ones(9973)\nprint('here')\n" + program, limits=limits, seed=0, timed=True)
    assert time.process_time() - started < 2
    document = run.document
    assert run.passing
    assert document["stdout"] == "here\n"
    assert document["error"]["type"] == "LimitExceeded"
    assert "(limit cpu_seconds: 0.2 seconds)" in document["error"]["message"]
    assert document["error"]["line"] >= 4 and document["error"]["explanation"]
    assert "fewer turns" in document["error"]["fix"] or "let it end sooner" in document["error"]["fix"]


@pytest.mark.parametrize("last", ["x = 1", "1 / 0", "while True: pass"])
def test_runs_that_do_not_reach_the_processor_time_are_as_without(last: str) -> None:
    program = "import torch\nx = torch.ones(3, requires_grad=True)\nfor i in range(40): (x * x).sum().backward()\n" + last
    timed, other = (engine.run(code=program, limits=SMALL, seed=0, timed=timed) for timed in (True, False))
    assert not timed.passing
    assert timed.document == other.document
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)


def test_a_check_that_does_not_fit_in_the_processor_time_says_so() -> None:
    program = "import torch\nx = torch.ones(64, requires_grad=True)\nfor _ in range(300): y = torch.fft.fft(torch.ones(9973)).abs().sum() * x\ny.sum().backward()"
    run = engine.run(code=program, limits=replace(Limits(), cpu_seconds=0.01), seed=0, check=["x"], timed=True)
    assert run.passing
    assert run.document["checks"][0]["status"] == "unchecked"


def test_many_arrays_that_are_counted_over_and_over_are_paid() -> None:
    program = "import torch\nx = [torch.zeros({}) for _ in range({})]\nfor _ in range(20): torch.zeros(250_000)"
    limits = replace(Limits(), total_bytes=8_000_000)
    few, many = (run(program.format(*made), limits) for made in ((10_000, 60), (60, 10_000)))
    assert few.error is many.error is None
    assert many.fuel_used - few.fuel_used > 40_000


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
    "big sequence": "try: x = [0] * 10**9\nexcept: print('caught')\nfinally: print('finally')",
    "sleeping": "import time\nwhile True: time.sleep(1000)",
    "generator let go": "def g():\n    try: yield\n    finally: [0] * 10**9\nx = g()\nnext(x)\ndel x\nprint('after')",
    "generator let go last": "def g():\n    try: yield\n    finally: [0] * 10**9\nx = g()\nnext(x)\ndel x",
    "generator let go by an error": (
        "def g():\n    try: yield\n    finally: [0] * 10**9\ndef f():\n    x = g()\n    next(x)\n    1 / 0\n"
        "try: f()\nexcept ZeroDivisionError as e: del e\nprint('after')"
    ),
}


@pytest.mark.parametrize("program", STUBBORN.values(), ids=STUBBORN.keys())
def test_a_program_cannot_outlive_its_limits(program: str) -> None:
    outcome = run(program)
    assert outcome.stdout == ""
    assert outcome.error is not None
    assert outcome.error.type in ("LimitExceeded", "E")
    assert outcome.error.line is not None


@pytest.mark.parametrize("last", ["del x", "x = [x]\nx.append(x)", "raise KeyError", "while True: pass"])
def test_errors_that_reach_nobody_are_not_written_down(last: str, capfd: pytest.CaptureFixture[str]) -> None:
    program = "def g():\n    try: yield\n    finally: raise ValueError('forged')\nx = g()\nnext(x)\n" + last
    engine.run(code=program, limits=SMALL, seed=0)
    outcome = run(program)
    assert capfd.readouterr().err == ""
    assert outcome.fuel_used <= SMALL.fuel


def test_what_stops_a_generator_that_is_let_go_stops_the_program_with_the_fuel_it_had_used() -> None:
    program = "def g():\n    try: yield\n    finally: [0] * 10**9\nx = g()\nnext(x)\ndel x\nfor i in range(99): pass"
    outcome = run(program)
    assert exceeded(outcome) == "sequence_length"
    assert outcome.error is not None
    assert outcome.error.line == 3
    assert outcome.fuel_used < 20


@pytest.mark.parametrize("last", ["", "x = None", "1 / 0"])
def test_values_nested_as_deeply_as_fuel_allows_can_be_let_go(last: str) -> None:
    program = f"import engine\nengine.run(code={NESTED + last!r}, seed=0)\nprint('here')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout == "here\n", done.stderr[-500:]


NESTED = "from collections import deque\nx = None\nfor _ in range(200_000): x = deque([x])\n"


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
    "nested generator expressions": "it = iter([1])\nfor _ in range(9000): it = (x for x in it)\nnext(it)",
    "nested maps": "it = iter([1])\nfor _ in range(9000): it = map(abs, it)\nnext(it)",
    "nested partials": "import functools\nf = abs\nfor _ in range(9000): f = functools.partial(f)\nf(1)",
    "nested lists": "a = []\nfor _ in range(9000): a = [a]\nprint(a)",
    "nested tuples as keys": "a = ()\nfor _ in range(9000): a = (a,)\nd = {a: 1}",
    "comparing nested lists": "a, b = [], []\nfor _ in range(4000): a, b = [a], [b]\na == b",
    "lists in themselves": "a, b = [], []\na.append(a); b.append(b)\na == b",
    "exceptions in exceptions": "e = 1\nfor _ in range(3000): e = ValueError(e)\nstr(e)",
    "constructors": "class A:\n    def __init__(self): A()\nA()",
    "formatting": "class A:\n    def __format__(self, s): return '{}'.format(self)\nf'{A()}'",
    "modules": "import torch\nclass N(torch.nn.Module):\n    def forward(self, x): return self(x)\nN()(1)",
    "hooks": "import torch\nm = torch.nn.Linear(2, 1)\nm.register_forward_pre_hook(m, with_kwargs=True)\nm(torch.ones(2))",
    "containers": "import torch\nm = torch.nn.Sequential()\nm.add_module('a', m)\nm(torch.ones(2))",
    "callables": "class A: pass\nA.__call__ = A()\nA()()",
    "sorting by callables": "class A: pass\nA.__call__ = A()\nsorted([1], key=A())",
    "descriptors": "class A:\n    def __get__(self, i, o): return B().x\nclass B:\n    x = A()\nB().x",
    "copies": "import copy\na = []\nfor _ in range(3000): a = [a]\ncopy.deepcopy(a)",
    "isinstance": "t = int\nfor _ in range(3000): t = (t,)\nisinstance(1, t)",
}


@pytest.mark.parametrize("program", DEEP.values(), ids=DEEP.keys())
def test_deep_recursion_of_every_kind_is_a_recursion_error(program: str) -> None:
    outcome = execute(program, seed=0)
    assert outcome.error is not None
    assert outcome.error.type == "RecursionError"


EXPLOSIONS = [
    "a = []\nfor _ in range(60): a = [a, a]\nprint(a)",
    "a, b = [], []\nfor _ in range(60): a, b = [a, a], [b, b]\na == b",
    "a = ()\nfor _ in range(60): a = (a, a)\nhash(a)",
    "import json\na = []\nfor _ in range(60): a = [a, a]\njson.dumps(a)",
    "9 ** 9 ** 9", "pow(2, 10 ** 9)", "[0] * 10 ** 9", "'a'.ljust(10 ** 9)", "bytes(10 ** 10)", "a, *b = range(10 ** 9)",
    "print(*range(10 ** 9))", "dict.fromkeys(range(10 ** 9))", "sum(range(10 ** 12))", "1.5 in range(10 ** 12)",
    "max(map(abs, range(10 ** 12)))", "import random\nrandom.sample(range(10 ** 9), 10 ** 8)", "x = [i for i in iter(int, 1)]",
    "import itertools\nlist(itertools.product(range(1000), repeat=9))", "import math\nmath.comb(10 ** 6, 5 * 10 ** 5)",
    "import collections\nlist(collections.Counter(a=10 ** 10).elements())", "s = 'ab'\nwhile True: s += s",
    "x = 2\nwhile True: x = x * x", "l = [1]\nwhile True: l += l", "import numpy as np\nnp.outer(np.ones(10 ** 6), np.ones(10 ** 6))",
    "def f():\n    try: f()\n    finally: f()\nf()",
    "from dataclasses import dataclass, asdict\n@dataclass\nclass D:\n    x: list\na = []\nfor _ in range(60): a = [a, a]\nasdict(D(a))",
    "import io\ns = io.StringIO()\ns.seek(10 ** 11)\ns.write('a')", "import random\nrandom.Random(1).randbytes(10 ** 10)",
    "import statistics\nstatistics.NormalDist().samples(10 ** 9)", "from fractions import *\nFraction(1, 3) ** 10 ** 9",
    "from fractions import *\nx = Fraction(1, 3)\nwhile True: x = x * x", "from decimal import *\nint(Decimal('1e9999'))",
]  # fmt: skip


@pytest.mark.parametrize("program", EXPLOSIONS)
def test_small_programs_that_ask_for_something_huge_are_stopped(program: str) -> None:
    outcome = execute(program, limits=Limits(fuel=200_000), seed=0)
    assert exceeded(outcome) is not None


WIDE = [
    "f'{1:1000000000d}'",
    "'%1000000000d' % 1",
    "'{:1000000000}'.format(1)",
    "'{:{w}}'.format(1, w=10**9)",
    "'%*d' % (10**9, 1)",
]


@pytest.mark.parametrize("program", WIDE)
def test_padding_is_limited(program: str) -> None:
    outcome = run(program)
    assert outcome.error is not None and outcome.error.type == "ValueError"
    assert "limited to 10000" in outcome.error.message


@pytest.mark.parametrize("text", ["%(default)1000000000s", "%(prog)0999999999s", "%(dest)-*s"])
def test_widths_in_help_texts_are_limited(text: str) -> None:
    outcome = run(f"import argparse\np = argparse.ArgumentParser()\np.add_argument('-x', help={text!r})\np.print_help()")
    assert outcome.error is not None and "limited to 99" in outcome.error.message


def test_fuel_grows_linearly_with_the_work() -> None:
    used = [run(f"for i in range({n}): x = i", Limits()).fuel_used for n in (1000, 2000, 4000)]
    assert used[2] - used[1] == 2 * (used[1] - used[0])


def test_nothing_of_a_run_stays_behind() -> None:
    before = sys.getrecursionlimit()
    outcome = run("def f(): return 1\nkept = f")
    assert meter.limits is None and sys.getrecursionlimit() == before
    with pytest.raises(RuntimeError, match="after its program had ended"):
        outcome.globals["kept"]()


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
def test_no_source_text_harms_the_interpreter(program: str) -> None:
    outcome = execute(program, seed=0)
    if outcome.error is not None:
        assert outcome.error.type in ("SyntaxError", "LimitExceeded", "NameError", "IndentationError", "TabError")


@pytest.mark.parametrize(
    "call",
    [
        "np.array([''] * 300 + ['x' * 100_000])", "np.repeat(['x' * 1000], 100_000)", "np.full(100_000, 'x' * 1000)",
        "np.where(np.ones(100_000) > 0, 'x' * 1000, '')", "np.random.normal([''] * 300 + ['x' * 100_000])",
        "np.zeros(3)[[''] * 300 + ['x' * 100_000]]", "np.array(['x' * 40]) + np.array(['x' * 40])",
        "np.add(np.array(['x' * 40]), np.array(['x' * 40]))", "np.linspace([''] * 300 + ['x' * 100_000], 1)",
        "from sklearn.preprocessing import LabelEncoder\nLabelEncoder().fit(['a', 'x' * 100_000])",
        "from sklearn.datasets import make_classification as m\nm(shift=[''] * 300 + ['x' * 100_000])",
    ],
)  # fmt: skip
def test_arrays_hold_no_long_texts(call: str) -> None:
    execute("import numpy", seed=0)
    tracemalloc.start()
    try:
        outcome = execute(f"import numpy as np\n{call}", seed=0)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert outcome.error is not None and outcome.error.type == "TypeError"
    assert peak < 8_000_000


@pytest.mark.parametrize(
    "call",
    [
        "M()(np.zeros(10**6))", "M(np.zeros(10**6))", "nn.Sequential(M())(np.zeros(10**6))",
        "F.apply(torch.ones(1), np.zeros(10**6))", "list(DataLoader(np.zeros((3, 10**6)), None, collate_fn=work))",
        "list(DataLoader([np.zeros(10**6)], None, collate_fn=work))", "checkpoint(work, np.zeros(10**6), use_reentrant=False)",
    ],
)  # fmt: skip
@pytest.mark.parametrize(("work", "limit"), [("kept.append(y * 2.0)", "total_bytes"), ("y * y", "fuel")])
def test_arrays_that_the_engine_hands_on_are_counted(call: str, work: str, limit: str) -> None:
    program = f"""
import numpy as np
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader
kept = []
def work(y):
    for i in range(100_000):
        {work}
class M(nn.Module):
    def __init__(self, y=None):
        super().__init__()
        if y is not None:
            work(y)
    def forward(self, y):
        return work(y)
class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return work(y)
{call}
"""
    started = time.process_time()
    assert exceeded(run(program, Limits(total_bytes=10**8, fuel=200_000))) == limit
    assert time.process_time() - started < 2


VAST = "vast = [0]\nfor _ in range(40): vast = [vast, vast]\nimport torch\nfrom torch import nn\nw = nn.Linear(2, 2)\n"


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ("nn.MSELoss().reduction = vast", "sequence_length"),
        ("nn.Conv2d(1, 1, 1).stride = list(range(2000))", "TypeError"),
        ("setattr(nn.LeakyReLU(), 'negative_slope', [0.1] * 2000)", "TypeError"),
        ("vars(nn.LeakyReLU()).update(negative_slope=[0.1] * 2000)", "TypeError"),
        ("torch.distributions.Normal(0.0, 1.0).scale = vast", "sequence_length"),
        ("torch.optim.lr_scheduler.StepLR(torch.optim.SGD(w.parameters()), 2).gamma = [0.1] * 2000", "TypeError"),
        ("o = torch.optim.SGD(w.parameters())\nw(torch.ones(2)).sum().backward()\n"
         "o.param_groups[0]['weight_decay'] = [0.1] * 2000\no.step()", "TypeError"),
        ("o = torch.optim.Adam(w.parameters())\nw(torch.ones(2)).sum().backward()\n"
         "o.param_groups[0]['lr'] = vast\no.step()", "TypeError"),
    ],
)  # fmt: skip
def test_containers_that_replace_numbers_of_the_engine_are_weighed(change: str, error: str) -> None:
    outcome = run(VAST + change)
    assert outcome.error is not None and error in (outcome.error.limit, outcome.error.type)


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
