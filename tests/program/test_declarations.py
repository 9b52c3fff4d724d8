"""`global` and `nonlocal`: where CPython refuses them and what it says, and what they do at the top of a module."""

from __future__ import annotations

import pytest

from engine.program import execute

REFUSED = [
    "x = 1\nglobal x",
    "print(y)\nglobal y",
    "x += 1\nglobal x",
    "x = 1\nprint(x)\nglobal x",
    "for t in range(3):\n    global t",
    "if a:\n    global a",
    "class C: pass\nglobal C",
    "class C(B): pass\nglobal B",
    "def f(a=b): pass\nglobal b",
    "try: pass\nexcept E as e: pass\nglobal e",
    "try: pass\nexcept E: pass\nglobal E",
    "with a as b: pass\nglobal b",
    "match a:\n    case [b, *c]: pass\nglobal c",
    "match a:\n    case {'k': b, **c}: pass\nglobal c",
    "[i for i in a]\nglobal a",
    "del a\nglobal a",
    "(a := 1)\nglobal a",
    "lambda i=a: 1\nglobal a",
    "def f():\n    x = 1\n    global x",
    "def f():\n    print(x)\n    global x",
    "def f():\n    x: int = 1\n    global x",
    "def f(a):\n    global a",
    "def f():\n    for x in [1]: pass\n    global x",
    "def f():\n    if 1:\n        x = 1\n    else:\n        global x",
    "def f():\n    x = 1\n    def g():\n        x\n        nonlocal x",
    "def f():\n    x = 1\n    def g():\n        x = 2\n        nonlocal x",
    "class C:\n    x = 1\n    global x",
    "nonlocal x",
]
TAKEN = [
    "global x\nx = 1",
    "if True:\n    global x\n    x = 1",
    "def f():\n    global x\n    x = 1\nf()\nglobal x",
    "global x\ndef f():\n    x = 2\nf()\nx = 1",
    "class C:\n    global x\n    x = 1",
    "def f():\n    g = lambda: x\n    global x\n    x = 1\nf()",
    "def f():\n    [x for x in [1]]\n    global x\n    x = 1\nf()",
    "def f():\n    def x(): return y\n    global y\nf()\nx = 1",
    "global x\nx: int = 1",
    "import math as x\nglobal x\nx = 1",
    "x = 1\ndef f(a: 'x') -> 'x': pass\ndef g():\n    def h(a: x) -> x: pass\n    global x\ng()",
]


@pytest.mark.parametrize("code", REFUSED)
def test_what_cpython_refuses_is_refused_in_its_words(code: str) -> None:
    with pytest.raises(SyntaxError) as refused:
        compile(code, "<program>", "exec")
    error = execute(code).error
    assert error is not None
    assert (error.type, error.message, error.line) == ("SyntaxError", refused.value.msg, refused.value.lineno)


@pytest.mark.parametrize("code", TAKEN)
def test_declarations_may_stand_at_the_top_of_a_module(code: str) -> None:
    names: dict[str, object] = {}
    exec(code, names)
    assert names["x"] == 1
    outcome = execute(f"{code}\nprint(x)")
    assert (outcome.error, outcome.stdout) == (None, "1\n")


def test_cells_of_a_notebook_are_modules_of_their_own() -> None:
    outcome = execute("# %% In [1]\nx = 1\n\n# %% In [2]\nglobal x\nx = 2\nprint(x)")
    assert (outcome.error, outcome.stdout) == (None, "2\n")
