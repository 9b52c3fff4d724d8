"""`global` and `nonlocal`, which stand before the names: our calls, which are put in, are not taken for a use."""

from __future__ import annotations

import pytest

from engine.program import execute

REFUSED = [
    "x = 1\nglobal x", "x += 1\nglobal x", "for t in range(3):\n    global t", "with a as b: pass\nglobal b",
    "match a:\n    case {'k': b, **c}: pass\nglobal c", "(a := 1)\nglobal a", "lambda i=a: 1\nglobal a",
    "def f():\n    x: int = 1\n    global x", "def f(a):\n    global a",
    "def f():\n    for x in [1]: pass\n    global x",
    "def f():\n    x = 1\n    def g():\n        x = 2\n        nonlocal x", "nonlocal x",
]  # fmt: skip


@pytest.mark.parametrize("code", REFUSED)
def test_what_cpython_refuses_is_refused_in_its_words(code: str) -> None:
    with pytest.raises(SyntaxError) as refused:
        compile(code, "<program>", "exec")
    error = execute(code).error
    assert error is not None
    assert (error.type, error.message, error.line) == ("SyntaxError", refused.value.msg, refused.value.lineno)


def test_cells_of_a_notebook_are_modules_of_their_own() -> None:
    outcome = execute("# %% In [1]\nx = 1\n\n# %% In [2]\nglobal x\nx = 2\nprint(x)")
    assert (outcome.error, outcome.stdout) == (None, "2\n")
