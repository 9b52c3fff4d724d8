"""Loops and calls of programs that Python runs: noted as they begin, and recorded where something happens in them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine import running
from engine.limits import Limits
from engine.trace import values


def document(code: str, limits: Limits | None = None) -> dict[str, Any]:
    made: dict[str, Any] = running.run(code=code, seed=0, limits=limits).document
    return made


def places(code: str) -> list[tuple[str, ...]]:
    """Where each op ran, the outermost scope first."""
    made = document(code)
    scopes = {scope["id"]: scope for scope in made["scopes"]}
    found = []
    for op in made["ops"]:
        scope, path = scopes[op["scope"]], list[str]()
        while scope["parent"] is not None:
            path.insert(0, f"{scope['label']} {scope['iteration']}" if scope["kind"] == "loop" else scope["label"])
            scope = scopes[scope["parent"]]
        found.append(tuple(path))
    return found


ONE = "import torch\none = torch.ones(1)\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("for i in range(9):\n    if i == 7: one + 1", [("for i 7",)]),
        ("for i in range(5000):\n    if i == 4999: one + 1", [("for i 4999",)]),
        ("for i in range(3):\n    for j in (1, 2): pass\n    if i: one + 1", [("for i 1",), ("for i 2",)]),
        ("for i in 'a':\n    for j in 'cd':\n        one + 1\n        break", [("for i 0", "for j 0")]),
        ("for x in (one + k for k in (1, 2)): one * x", [(), ("for x 0",), (), ("for x 1",)]),
        ("n = one\nwhile n < 3: n = n + 1", [(), ("while 0",), (), ("while 1",), ()]),
        ("n = 0\nwhile n < 5:\n    n += 1\n    if n == 4: one + 1", [("while 3",)]),
        ("def f(n):\n    return f(n - 1) if n else one + 1\nf(2)", [("f", "f", "f")]),
        ("def f():\n    for i in 1, 2:\n        if i == 2: return one + 1\nf()\none + 1", [("f", "for i 1"), ()]),
        ("try:\n    for i in 1, 2: [][i]\nexcept IndexError: one + 1", [()]),
    ],
)  # fmt: skip
def test_what_happens_in_a_turn_or_a_call_is_told_of_there(code: str, expected: list[tuple[str, ...]]) -> None:
    assert places(ONE + code) == expected


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("n = 0\nwhile n < 3:\n    n += 1\n    if n == 2: break\nelse:\n    print('else')\nprint(n)", "2\n"),
        ("n = 0\nwhile n < 3:\n    n += 1\n    if n == 2: continue\nelse:\n    print('else')\nprint(n)", "else\n3\n"),
        ("for i in {}:\n    pass\nelse:\n    print('else')", "else\n"),
        ("n = 0\nwhile n < 9000:\n    n += 1\nelse:\n    print(n)", "9000\n"),
        ("print(sum(1 for i in range(9000) for j in [i]))\nfor i in range(9000): pass\nprint(i)", "9000\n8999\n"),
    ],
)
def test_loops_end_as_those_of_python(code: str, printed: str) -> None:
    assert document(code)["stdout"] == printed


def test_turns_and_calls_in_which_nothing_happens_cost_next_to_nothing() -> None:
    calls = "def f(x): return x\nfor i in range(20_000): f(i)\n"
    assert document(calls)["limits"]["fuel_used"] < 2_000
    assert document("for i in range(1_000_000): pass\n")["limits"]["fuel_used"] < 50_000


@pytest.mark.parametrize(
    "loop", ["while True: pass", "for i in iter(int, 1): pass", "while True:\n    for i in 1, 2: pass"]
)
def test_a_loop_without_end_ends_by_fuel(loop: str) -> None:
    error = document(loop, Limits(fuel=5_000))["error"]
    assert error["type"] == "LimitExceeded" and "turns" in error["fix"]


def test_a_training_of_many_turns_comes_to_its_end() -> None:
    code = "import torch\nw = torch.ones(1, requires_grad=True)\nfor step in range(2_000):\n    (w * w).backward()\n"
    made = document(code, Limits(ops=50))
    assert made["status"] == "ok" and made["scopes"][-1]["iteration"] == 1_999


def test_time_passes_in_a_loop_in_which_nothing_happens() -> None:
    code = "import time\nbegan = time.time()\nfor i in range(3): pass\nprint(time.time() > began)\n"
    assert document(code + "while time.time() < began + 0.01: pass\n")["stdout"] == "True\n"


def test_a_tensor_may_be_as_large_as_memory_allows() -> None:
    assert document("import torch\nprint(torch.zeros(20_000_000).shape)\n")["stdout"] == "torch.Size([20000000])\n"
    error = document("import torch\nx = 1\ntorch.zeros(100_000_000)\n")["error"]
    assert (error["type"], error["line"]) == ("LimitExceeded", 3) and "total_bytes" in error["message"]


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int64", "bool"])
@pytest.mark.parametrize("unknown", [False, True])
def test_many_numbers_are_summed_up_as_few_are(dtype: str, unknown: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    array = (np.random.default_rng(0).normal(size=(2, 600, 500)) * 3).astype(dtype)
    if unknown and array.dtype.kind == "f":
        array.reshape(-1)[:3] = np.nan, np.inf, -np.inf
    with np.errstate(all="ignore"):
        told = values._summary(array)
        monkeypatch.setattr(values, "_LARGE", 1_000)
        again = values._summary(array)
    assert again["stats"] == pytest.approx(told["stats"]) and again["histogram"] == told["histogram"]
