"""The command `backlight`, and the package that brings it."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from backlight.__main__ import main

PROGRAM = "import torch\nx = torch.ones(2, requires_grad=True)\n(x * 2).sum().backward()\n"


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)


def test_the_package_has_its_command_licence_and_changelog() -> None:
    package = metadata.distribution("backlight")
    (command,) = [point for point in package.entry_points if point.group == "console_scripts"]
    assert (command.name, command.load()) == ("backlight", main)
    files = [file for file in package.files or () if file.locate().is_file()]
    (licence,) = [file for file in files if file.name == "LICENSE"]
    (changelog,) = [file for file in files if file.name == "CHANGELOG.md"]
    assert licence.read_text().startswith("MIT License")
    assert changelog.read_text().startswith("# Changelog")
    assert package.metadata["License-Expression"] == "MIT"


def test_a_module_is_run_as_python_runs_it(tmp_path: Path) -> None:
    inside = tmp_path / "package" / "inside"
    inside.mkdir(parents=True)
    (tmp_path / "package" / "__init__.py").touch()
    (inside / "__init__.py").touch()
    (tmp_path / "package" / "double.py").write_text("def double(x):\n    return x * 2\n")
    (inside / "__main__.py").write_text(
        "import sys, torch\nfrom ..double import double\nx = torch.ones(2, requires_grad=True)\n"
        "double(x).sum().backward()\nprint(__name__, __package__, __spec__.name, sys.argv, sys.path[0])\n"
    )
    plain = run(tmp_path, "package.inside", "-m", "3")
    done = run(tmp_path, "backlight", "run", "--json", "run.json", "-m", "package.inside", "-m", "3")
    assert done.returncode == 0, done.stderr
    assert done.stdout == plain.stdout != ""
    document = json.loads((tmp_path / "run.json").read_text("utf-8"))
    assert [Path(file["name"]).name for file in document["files"]] == ["__main__.py", "double.py"]
    assert document["limits"]["recorded"]["passes"] == 1


def test_each_rank_writes_a_page_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        "import torch\nimport torch.distributed as dist\ndist.init_process_group('gloo')\n"
        "net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 1))\n"
        "net(torch.ones(4, 2)).sum().backward()\ndist.destroy_process_group()\n"
    )
    launch = ["torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    done = run(tmp_path, *launch, "-m", "backlight", "run", "train.py", "--json", "of.json", "--html", "of.html")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in tmp_path.glob("of*")) == [
        "of.rank0.html", "of.rank0.json", "of.rank1.html", "of.rank1.json"
    ]  # fmt: skip
    for rank in (0, 1):
        document = json.loads((tmp_path / f"of.rank{rank}.json").read_text("utf-8"))
        assert document["limits"]["recorded"]["passes"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "name a script, or a module behind -m"),
        (["-m"], "-m wants the name of a module"),
        (["-m", "no_such_module"], "no module named no_such_module"),
        (["-m", "json"], "no module named json.__main__"),
        (["no.py"], "no.py: no such file"),
        (["program.py", "--html", "page.pdf"], "page.pdf: a run is saved as .html or .json"),
        (["--json", "nowhere/run.json", "program.py"], "nowhere/run.json: there is no folder nowhere"),
        (["--fast", "program.py"], "unrecognized arguments: --fast"),
    ],
)
def test_what_cannot_be_run_is_said_before_anything_runs(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "program.py").write_text("raise AssertionError('it ran')\n")
    with pytest.raises(SystemExit) as ended:
        main(["run", *words])
    assert ended.value.code == 2 and said in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["program.py"]


def test_a_page_that_cannot_be_written_is_said(
    viewer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["backlight"])
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "of.html").mkdir()
    assert main(["program.py", "--html", "of.html", "--json", "of.JSON"]) == 1
    assert "of.html is not written" in capsys.readouterr().err
    assert json.loads((tmp_path / "of.JSON").read_text("utf-8"))["limits"]["recorded"]["passes"] == 1
