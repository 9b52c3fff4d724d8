"""Notebooks: the magic, and what a cell shows. The shell is the one that Jupyter's kernel builds on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import backlight
import pytest

shells = pytest.importorskip("IPython.core.interactiveshell")


@pytest.fixture
def shell(viewer: str) -> Iterator[Any]:
    made = shells.InteractiveShell.instance()
    made.run_line_magic("load_ext", "backlight")
    made.run_cell("import torch\nx = torch.ones(3, requires_grad=True)")
    yield made
    made.run_line_magic("unload_ext", "backlight")
    shells.InteractiveShell.clear_instance()


def shown(shell: Any, cell: str) -> Any:
    """What a cell gave to the notebook to show."""
    outputs = shell.user_ns["Out"]
    outputs.clear()
    shell.run_cell(cell)
    return next(iter(outputs.values()), None)


def test_a_cell_is_recorded_and_shown(shell: Any) -> None:
    run = shown(shell, "%%backlight\nfor i in range(2):\n    y = (x * i).sum()\n    y.backward()\n")
    assert isinstance(run, backlight.Run)
    document = run.document
    assert [op["line"] for op in document["ops"]] == [2, 2, 2, 2]  # the magic's line is not the cell's
    assert document["source"]["code"].startswith("for i in range(2):")
    assert [scope["label"] for scope in document["scopes"]] == ["program", "for i", "for i"]
    assert {"x", "y"} <= set(document["globals"])
    assert run._repr_html_().startswith('<iframe sandbox="allow-scripts allow-downloads" ')
    assert sys.gettrace() is None


def test_a_cell_that_fails_is_recorded_to_there(shell: Any, capsys: pytest.CaptureFixture[str]) -> None:
    run = shown(shell, "%%backlight\ny = x * 2\n1 / 0\n")
    assert "ZeroDivisionError" in capsys.readouterr().out
    shell.run_cell("%%backlight\nx @ torch.ones(2, 2)")
    said = capsys.readouterr().out
    assert "RuntimeError" in said and "backlight/recorder" not in said
    assert (run.document["error"]["type"], run.document["error"]["line"]) == ("ZeroDivisionError", 2)
    assert shown(shell, "%%backlight\ndef bad(:\n") is None


def test_a_block_inside_a_cell_is_of_that_cell(shell: Any) -> None:
    run = shown(shell, "import backlight\nwith backlight.capture() as run:\n    (x * 3).sum().backward()\nrun")
    assert [op["line"] for op in run.document["ops"]] == [3, 3]
    assert run.document["source"]["code"].startswith("import backlight")


def test_the_viewer_is_in_one_output_of_a_notebook(shell: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    run, cell = shown(shell, "%%backlight\n(x * 2).sum()"), ""
    monkeypatch.setattr(type(shell), "get_parent", lambda _: {"metadata": {"cellId": cell}}, raising=False)

    def carried(name: str) -> list[bool]:
        """Which of two outputs of a cell have the viewer."""
        nonlocal cell
        cell = name
        shell.events.trigger("pre_run_cell", SimpleNamespace(cell_id=name))
        shell.events.trigger("pre_run_cell", SimpleNamespace(cell_id=None))  # of a magic in it
        return ['class="backlight-viewer"' in run._repr_html_() for _ in range(2)]

    assert carried("a") == [True, False]
    assert carried("b") == [False, False]
    assert carried("a") == [True, False]  # whose output was replaced
    shell.events.trigger("pre_run_cell", SimpleNamespace(cell_id="a"))  # and has shown nothing since
    assert carried("b") == [True, False]
    monkeypatch.setitem(sys.modules, "google.colab", SimpleNamespace())
    assert run._repr_html_().startswith("<iframe ")
