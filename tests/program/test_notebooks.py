"""Programs pasted from notebooks, and notebooks opened as one program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.__main__ import main
from engine.program import Outcome, execute
from engine.program.notebook import as_python, from_ipynb
from tests.attack.bounded import bounded


def notices(outcome: Outcome) -> list[int | None]:
    return [warned.line for warned in outcome.warnings if warned.category == "BacklightNotice"]


def test_lines_for_notebooks_are_passed_over_with_a_notice() -> None:
    program = "%matplotlib inline\n!pip install torch\nimport torch\nif True:\n    !ls\n    x = 1\nx?\nprint(x)"
    outcome = execute(program)
    assert outcome.error is None and outcome.stdout == "1\n"
    assert notices(outcome) == [1, 2, 5, 7]


def test_commands_of_an_exported_notebook_are_passed_over_with_a_notice() -> None:
    shell = "get_ipython()"
    program = f"{shell}.run_line_magic('matplotlib', 'inline')\nx = 1\n{shell}.system('ls')\n%time x = 2\nprint(x)"
    for code, lines in ((program, [1, 3, 4]), (program.replace("%time ", ""), [1, 3])):
        outcome = execute(code)
        assert outcome.error is None and outcome.stdout == "2\n"
        assert notices(outcome) == lines
    outcome = execute(f"try:\n    {shell}.magic('matplotlib')\nexcept NameError:\n    print('no notebook')")
    assert outcome.error is None and outcome.stdout == "no notebook\n"


def test_what_notebooks_time_runs_once() -> None:
    outcome = execute("n = []\n%time n.append(1)\n%timeit -n 10 n.append(2)\nprint(n)\n%%time\nprint(3)")
    assert outcome.error is None and outcome.stdout == "[1, 2]\n3\n"


@pytest.mark.parametrize("x", ["(7\n%y)", "7 \\\n%y", "[7, '(',\n7  # (\n%y][2]", "{'a':\n(7)\n%y}['a']"])
def test_a_line_within_an_expression_is_not_taken_for_one(x: str) -> None:
    outcome = execute(f"!ls\ny = 4\nx = {x}\n!ls\nprint(x)")
    assert outcome.error is None and outcome.stdout == "3\n"


def test_columns_and_lines_stay_as_they_were_pasted() -> None:
    outcome = execute("!ls\n%time x = foo\n")
    assert outcome.error is not None
    assert (outcome.error.type, outcome.error.line, outcome.error.column) == ("NameError", 2, 10)
    assert as_python("!ls\r\nx\r\n")[0] == "pass\r\nx\r\n"


def test_what_is_no_python_either_way_is_a_syntax_error() -> None:
    outcome = execute("!ls\nx = = 1")
    assert outcome.error is not None and (outcome.error.type, outcome.error.line) == ("SyntaxError", 2)


def test_notebooks_functions_are_known() -> None:
    program = "import torch\ndisplay(torch.ones(2), 'a')\nshell = get_ipython()\nshell.run_line_magic('cd', '..')"
    error = execute(program).error
    assert error is not None and (error.type, error.line) == ("NameError", 2)
    outcome = execute(f"%matplotlib inline\n{program}")
    assert outcome.error is None and outcome.stdout == "tensor([1., 1.])\n'a'\n"
    outcome = execute(f"# %% In [1]\n{program}")
    assert outcome.error is None and outcome.stdout == "tensor([1., 1.])\n'a'\n"


def cell(*lines: str, **more: Any) -> dict[str, Any]:
    return {"cell_type": "code", "source": [line + "\n" for line in lines], **more}


NOTEBOOK = json.dumps(
    {
        "nbformat": 4,
        "cells": [
            {"cell_type": "markdown", "source": ["# Title"]},
            cell("%matplotlib inline", "import torch", "x = torch.ones(2, requires_grad=True)"),
            cell("%%bash", "echo 'hello"),
            cell("(x * 2).sum().backward()", "x.grad"),
            cell("x.grad;"),
            cell("None"),
            cell("y = 1", "x.foo", execution_count=9),
        ],
    }
)


def test_an_opened_notebook_shows_the_last_value_of_each_cell() -> None:
    outcome = execute(from_ipynb(NOTEBOOK))
    assert outcome.stdout == "tensor([2., 2.])\n"
    assert outcome.error is not None and outcome.error.type == "AttributeError"


def test_a_traceback_names_the_cell() -> None:
    document = engine.run(code=from_ipynb(NOTEBOOK)).document
    assert document["error"]["traceback"][-1]["cell"] == {"number": 6, "line": 2}
    plain = engine.run(code="x").document
    assert "cell" not in plain["error"]["traceback"][-1]


def test_the_command_line_runs_notebooks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.ipynb"
    file.write_text(NOTEBOOK)
    assert main([str(file)]) == 1
    said = capsys.readouterr()
    assert said.out == "tensor([2., 2.])\n" and "Cell In[6], line 2" in said.err
    file.write_text("{}")
    assert main([str(file)]) == 2
    assert "no notebook" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "3", '{"cells": 3}', '{"cells": [1]}', '{"worksheets": [1]}', '{"cells": ' + "[" * 100_000]
)
def test_what_is_no_notebook_is_said_to_be_none(text: str) -> None:
    with pytest.raises(ValueError):
        from_ipynb(text)


def test_future_imports_may_stand_anywhere_in_a_notebook() -> None:
    late = "import torch\nfrom __future__ import division\nprint(1)\n"
    assert execute(f"# %% In [1]\n{late}# %% In [2]\n{late}").stdout == "1\n1\n"
    assert execute(f"%matplotlib inline\n{late}").stdout == "1\n"
    error = execute(late).error
    assert error is not None and error.type == "SyntaxError" and error.line == 2


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_cells_are_found_whatever_ends_a_line(end: str) -> None:
    program = end.join(["# %% In [1]", "1", "", "# %% In [7]", "x = 2", "x", "# %% In [8]", "x / 0"])
    document = engine.run(code=program, seed=0).document
    assert document["stdout"] == "1\n2\n"
    assert document["error"]["traceback"][0]["cell"] == {"number": 8, "line": 1}


def test_a_cell_has_no_number_of_thousands_of_digits() -> None:
    document = engine.run(code="# %% In [" + "9" * 5000 + "]\n1 / 0", seed=0).document
    assert document["error"]["type"] == "ZeroDivisionError"
    assert "cell" not in document["error"]["traceback"][0]


@pytest.mark.parametrize(
    "program",
    [
        "# %% In [1]\n1\n" * 16_000,
        "# %% In [1]\nmatplotlib = 1\n" * 8000,
        "# %% In [1]\n1\n" * 8000 + "def f(n):\n    if n: return f(n - 1)\n    1 / 0\nf(40)",
        "%time x = 1\n" + "'\\" * 100_000,
        "%time x = 1\n" + '"\\' * 100_000 + "\\",
    ],
)
def test_long_notebooks_are_read_in_their_own_time(program: str) -> None:
    with bounded(5):
        document = engine.run(code=program, seed=0).document
    assert document["error"] is None or document["error"]["type"] in ("ZeroDivisionError", "SyntaxError")
