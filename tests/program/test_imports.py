"""Imports that nobody uses pass; using what is not here says so, with what helps."""

from __future__ import annotations

import pytest

from engine.program.absent import HINTS
from engine.program.errors import Error
from engine.program.run import Outcome, execute


def failed(program: str) -> Error:
    outcome = execute(program)
    assert outcome.error is not None
    return outcome.error


def notices(outcome: Outcome) -> list[tuple[int | None, str]]:
    return [(warned.line, warned.message) for warned in outcome.warnings if warned.category == "BacklightNotice"]


def test_an_unused_import_passes_with_a_notice_on_its_line() -> None:
    outcome = execute("import torch\nimport pandas as pd\nfrom my_utils import train, plot\nprint(torch.ones(2))")
    assert outcome.error is None and outcome.stdout == "tensor([1., 1.])\n"
    said = notices(outcome)
    assert [line for line, _ in said] == [2, 3]
    assert "pandas" in said[0][1] and "my_utils" in said[1][1]


@pytest.mark.parametrize(
    ("program", "line", "message", "hint"),
    [
        ("import pandas as pd\nx = 1\npd.read_csv('a')", 3, "No module named 'pandas'", "list or a torch.tensor"),
        ("from my_utils import train\ntrain()", 2, "No module named 'my_utils'", "paste what it defines"),
        ("import a.b.c\na.b.c.f()", 2, "No module named 'a'", "paste"),
        ("from pytorch_lightning import LightningModule\nclass A(LightningModule): pass", 2, "No module named", "loop"),
        ("def f():\n  import cv2\n  def g(): return cv2\n  return g\nf()()", 3, "No module named 'cv2'", "rand"),
        ("from my_utils import print\nprint(1)", 2, "No module named 'my_utils'", "paste"),
        ("from io import FileIO\nFileIO('a')", 2, "cannot import name 'FileIO' from 'io'", "Python has io.FileIO"),
        ("import io\nio.FileIO('a')", 2, "module 'io' has no attribute 'FileIO'", "Python has io.FileIO"),
        ("from my_utils import *\ntrain()", 2, "name 'train' is not defined", "my_utils"),
    ],
)
def test_its_use_raises_with_what_helps(program: str, line: int, message: str, hint: str) -> None:
    error = failed(program)
    assert error.line == line and message in error.message
    assert error.hint is not None and hint in error.hint


@pytest.mark.parametrize("module", HINTS)
def test_a_library_that_is_known_says_what_to_write_in_its_place(module: str) -> None:
    error = failed(f"import {module}\n{module}.x")
    assert error.message == f"No module named '{module}'"
    assert error.hint == f"{module} is not available here. {HINTS[module]}"


@pytest.mark.parametrize(
    "program",
    ["import torch.foo", "from torch.nn import Foo", "from math import foo", "import os.foo", "import numpy.foo"],
)
def test_what_the_real_module_lacks_is_an_error_at_once(program: str) -> None:
    error = failed(program)
    assert error.type in ("ImportError", "ModuleNotFoundError") and error.line == 1
    assert error.hint is not None and "either" in error.hint


@pytest.mark.parametrize(
    "program",
    [
        "try:\n  import apex\nexcept ImportError:\n  apex = None\nprint(apex)",
        "try:\n  from a import b as apex\nexcept (KeyError, ModuleNotFoundError):\n  apex = None\nprint(apex)",
        "try:\n  import torch.fx as apex\nexcept:\n  apex = None\nprint(apex)",
        "try:\n  import torch.fx\nexcept:\n  print(None)",
        "try:\n  from apex import *\nexcept Exception:\n  print(None)",
        "from contextlib import suppress\napex = None\nwith suppress(ImportError):\n  import apex\nprint(apex)",
    ],
)
def test_a_program_that_catches_the_error_gets_it(program: str) -> None:
    outcome = execute(program)
    assert outcome.error is None and outcome.stdout == "None\n"
    assert not notices(outcome)


def test_a_name_that_gets_another_value_is_no_longer_absent() -> None:
    assert execute("import pandas as pd\npd = 3\nprint(pd)\ndel pd").stdout == "3\n"
    assert execute("import pandas as pd\ndel pd").error is None
    assert failed("import pandas as pd\ndel pd\npd").type == "NameError"


def test_an_annotation_with_an_absent_name_is_its_text() -> None:
    outcome = execute("import pandas as pd\ndef f(x: pd.DataFrame) -> int: ...\nprint(f.__annotations__)")
    assert outcome.stdout == "{'x': 'pd.DataFrame', 'return': <class 'int'>}\n"
