"""`python -m engine program.py`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from engine.__main__ import main
from engine.export import VIEWER


def write(folder: Path, program: str) -> str:
    path = folder / "program.py"
    path.write_text(program, encoding="utf-8")
    return str(path)


def test_it_prints_what_the_program_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([write(tmp_path, "import torch\nprint(torch.ones(2) * 3)")]) == 0
    assert capsys.readouterr().out == "tensor([3., 3.])\n"


@pytest.mark.parametrize("option", [[], ["--json"]])
def test_what_no_encoding_has_is_printed_by_its_number(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], option: list[str]
) -> None:
    assert main([write(tmp_path, "print('a\\ud800b')\nraise ValueError('\\ud800')"), *option]) == 1
    out, err = capfd.readouterr()
    assert "a\\ud800b" in out and "\\ud800" in out + err


def test_an_error_is_printed_as_python_prints_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = write(tmp_path, "def f(x):\n    return x + y\nprint('before')\nf(1)")
    assert main([name]) == 1
    out, err = capsys.readouterr()
    assert out == "before\n"
    assert err.startswith(
        "Traceback (most recent call last):\n"
        f'  File "{name}", line 4, in <module>\n    f(1)\n'
        f'  File "{name}", line 2, in f\n    return x + y\n'
        "NameError: name 'y' is not defined\n"
    )


def test_warnings_go_to_stderr_with_their_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = write(tmp_path, "import warnings\nwarnings.warn('careful')")
    assert main([name]) == 0
    assert f"{name}:2: UserWarning: careful" in capsys.readouterr().err


def test_json_is_the_run_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([write(tmp_path, "print(1)"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["status"], document["stdout"]) == ("ok", "1\n")


def test_the_seed_decides_what_unseeded_programs_draw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = write(tmp_path, "import torch, random\nprint(torch.rand(1).item(), random.random())")
    printed = []
    for seed in ("1", "1", "2"):
        main([name, "--seed", seed])
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] != printed[2]


def test_a_program_may_come_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("print('in')"))
    assert main(["-"]) == 0
    assert capsys.readouterr().out == "in\n"


def test_a_missing_file_is_no_crash(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["/nowhere/program.py"]) == 2
    assert "/nowhere/program.py" in capsys.readouterr().err


def test_a_page_that_plays_the_run_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = write(tmp_path, "import torch\ntorch.ones(1, requires_grad=True).backward()\nprint('</script>')")
    assert main([name, "--html", str(tmp_path / "run.html")]) == 0
    assert capsys.readouterr().out == "</script>\n"
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    text = page.rpartition('id="run-document">')[2].partition("</script>")[0]
    assert json.loads(text)["stdout"] == "</script>\n"
    assert page.count("</script>") == VIEWER.read_text(encoding="utf-8").count("</script>")


def test_a_page_that_cannot_be_written_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([write(tmp_path, "print(1)"), "--html", str(tmp_path / "none" / "run.html")]) == 2
    assert "No such file" in capsys.readouterr().err
