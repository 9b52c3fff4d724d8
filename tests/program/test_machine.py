"""What the machine does to a run is no result: it leaves `engine.run` as an exception that no program stops."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from engine.program.builtins import BUILTINS
from engine.program.values import Builtin

STOPPERS = {
    "except": "try:\n    fail()\nexcept Exception:\n    print('went on')",
    "bare except": "try:\n    fail()\nexcept:\n    print('went on')",
    "except BaseException": "try:\n    fail()\nexcept BaseException as e:\n    print(e)",
    "its own name": "try:\n    fail()\nexcept (MemoryError, SystemError) as e:\n    print(e)",
    "finally": "def f():\n    try:\n        fail()\n    finally:\n        return 1\nprint(f())",
    "finally that raises": (
        "try:\n    try:\n        fail()\n    finally:\n        raise ValueError\nexcept ValueError:\n    pass"
    ),
    "suppress": "import contextlib\nwith contextlib.suppress(Exception):\n    fail()",
    "with": "class C:\n    def __enter__(self): pass\n    def __exit__(self, *a): return True\nwith C():\n    fail()",
    "ExitStack": (
        "import contextlib\ndef bad(): raise ValueError\ntry:\n    with contextlib.ExitStack() as s:\n"
        "        s.callback(bad)\n        fail()\nexcept ValueError:\n    pass"
    ),
    "contextmanager": (
        "import contextlib\n@contextlib.contextmanager\ndef c():\n    try:\n        yield\n    except Exception:\n"
        "        pass\nwith c():\n    fail()"
    ),
    "generator": "def g():\n    try:\n        yield fail()\n    except Exception:\n        yield 2\nprint(list(g()))",
    "generator's finally": "def g():\n    try:\n        yield fail()\n    finally:\n        return\nprint(list(g()))",
    "str of an exception": "class E(Exception):\n    def __str__(self): return fail()\nraise E",
    "nothing": "fail()",
}


@pytest.fixture(params=[MemoryError, SystemError])
def failure(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> type[Exception]:
    """Gives programs a function `fail` under which the machine fails."""
    kind: type[Exception] = request.param

    def fail() -> Any:
        raise kind("from below")

    monkeypatch.setitem(BUILTINS, "fail", Builtin("fail", fail))
    return kind


@pytest.mark.parametrize("how", STOPPERS)
def test_no_program_stops_a_failure_of_the_machine(how: str, failure: type[Exception]) -> None:
    with pytest.raises(failure, match="from below"):
        engine.run(code=STOPPERS[how], seed=0)
    assert engine.run(code="print('next')", seed=0).document["stdout"] == "next\n"


@pytest.mark.parametrize("kind", ["MemoryError", "SystemError"])
def test_what_a_program_raises_itself_is_its_own(kind: str) -> None:
    document = engine.run(code=f"try:\n    raise {kind}('mine')\nexcept {kind} as e:\n    print(e)", seed=0).document
    assert (document["status"], document["stdout"]) == ("ok", "mine\n")
    error = engine.run(code=f"raise {kind}('mine')", seed=0).document["error"]
    assert (error["type"], error["message"]) == (kind, "mine")
