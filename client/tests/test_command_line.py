"""`python -m backlight` as people and CI call it, and the GitHub Action of `deploy/action/`, step by step."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import REPOSITORY

BROADCAST = """\
import torch

def {name}():
    w = torch.ones(3, requires_grad=True)
    opt = torch.optim.SGD([w], lr=0.1)
    pred = (w * 2).reshape(3, 1)
    y = torch.ones(3)
    loss = ((pred - y) ** 2).mean()
    loss.backward()
    opt.step()
"""
SCRIPT = BROADCAST.format(name="step") + "\nstep()\n"
HEALTHY = "import sys\nimport torch\ntorch.ones(2, requires_grad=True).sum().backward()\nprint(sys.argv[1:])\n"
ACTION = yaml.safe_load((REPOSITORY / "deploy/action/action.yml").read_text("utf-8"))


def backlight(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "backlight", *arguments], cwd=folder, capture_output=True, text=True, timeout=300
    )


def test_a_check_prints_findings_and_fails_on_errors(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(SCRIPT)
    ended = backlight(tmp_path, "train.py", "--check", "--sarif", "out.sarif", "--json", "out.json")
    assert ended.returncode == 1
    (line,) = ended.stderr.splitlines()
    assert line.startswith("train.py:8: error broadcast-loss sub compares pred (3, 1) with y (3,)")
    (found,) = json.loads((tmp_path / "out.json").read_text())["findings"]
    assert (found["rule"], found["file"], found["line"], found["column"]) == ("broadcast-loss", "train.py", 8, 13)
    (result,) = json.loads((tmp_path / "out.sarif").read_text())["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "train.py"}, "region": {"startLine": 8, "startColumn": 14}}
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out.json", "out.sarif", "train.py"]


def test_a_healthy_script_passes_the_check_and_has_its_own_arguments(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(HEALTHY)
    ended = backlight(tmp_path, "train.py", "--check", "--epochs", "2", "--", "--check")
    assert (ended.returncode, ended.stderr, ended.stdout) == (0, "", "['--epochs', '2', '--check']\n")


def test_what_a_script_raises_is_a_finding_of_its_own_line(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import torch\ntorch.ones(2).sum().backward()\n")
    ended = backlight(tmp_path, "train.py", "--check", "--json", "out.json")
    assert ended.returncode == 1
    found = json.loads((tmp_path / "out.json").read_text())["findings"]
    assert [(row["rule"], row["line"]) for row in found if row["rule"] == "raised"] == [("raised", 2)]


def test_a_module_is_run_as_python_runs_it(tmp_path: Path) -> None:
    (tmp_path / "test_model.py").write_text(BROADCAST.format(name="test_step"))
    ended = backlight(tmp_path, "-m", "pytest", "--check", "--json", "out.json", "--", "-q", "test_model.py::test_step")
    assert ended.returncode == 1 and "1 passed" in ended.stdout
    (found,) = json.loads((tmp_path / "out.json").read_text())["findings"]
    assert (found["file"], found["line"]) == ("test_model.py", 8)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["none.py"], "none.py: no such file"), (["-m", "no_such_module"], "no module named no_such_module"),
     (["-m", "no.such.module"], "No module named 'no'")],
)  # fmt: skip
def test_what_cannot_be_run_is_said(tmp_path: Path, arguments: list[str], said: str) -> None:
    ended = backlight(tmp_path, *arguments)
    assert ended.returncode == 2 and said in ended.stderr and "Traceback" not in ended.stderr


# The action


def steps(folder: Path, inputs: dict[str, str]) -> tuple[int, dict[str, str], list[str], str]:
    """Run the action's own steps in a folder as a runner does: exit status, outputs, actions it uses, what it said."""
    given = {name: str(row["default"]) for name, row in ACTION["inputs"].items()} | inputs
    outputs: dict[str, str] = {}
    used, said = [], ""

    def filled(text: str) -> str:
        known = {f"inputs.{name}": value for name, value in given.items()}
        known |= {f"steps.run.outputs.{name}": value for name, value in outputs.items()}
        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda found: known[found[1]], text)

    for step in ACTION["runs"]["steps"]:
        if "if" in step:
            name, value = re.fullmatch(r"inputs\.([\w-]+) == '(\w+)'", step["if"]).groups()  # type: ignore[union-attr]
            if given[name] != value:
                continue
        if "uses" in step:
            used.append(step["uses"].partition("@")[0])
            for option in ("path", "sarif_file"):
                assert option not in step["with"] or (folder / filled(step["with"][option])).exists()
            continue
        target = folder.parent / "outputs"
        target.write_text("")
        env = {**os.environ, "GITHUB_OUTPUT": str(target), "GITHUB_ACTION_PATH": str(REPOSITORY / "deploy/action")}
        env |= {name: filled(text) for name, text in step.get("env", {}).items()}
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]  # as `shell: bash` is
        ended = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=300)
        said += ended.stdout + ended.stderr
        outputs |= dict(line.split("=", 1) for line in target.read_text().splitlines())
        if ended.returncode:
            return ended.returncode, outputs, used, said
    return 0, outputs, used, said


def of(name: str, text: str, tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / name).write_text(text)
    return folder


def test_the_action_reports_a_test_and_fails(tmp_path: Path) -> None:
    folder = of("test_model.py", BROADCAST.format(name="test_step"), tmp_path)
    inputs = {"python": sys.executable, "package": "none", "test": "test_model.py::test_step", "code-scanning": "true"}
    status, outputs, used, said = steps(folder, inputs)
    assert (status, outputs) == (1, {"status": "1", "findings": "1"})
    assert used == ["actions/upload-artifact", "github/codeql-action/upload-sarif"]
    assert "test_model.py:8: error broadcast-loss" in said
    assert sorted(file.name for file in (folder / "backlight").iterdir()) == [
        "backlight.sarif", "findings.json", "run.html",
    ]  # fmt: skip


def test_the_action_passes_a_healthy_script_with_arguments(tmp_path: Path) -> None:
    folder = of("train.py", HEALTHY, tmp_path)
    inputs = {"python": sys.executable, "package": "none", "script": "train.py", "arguments": "--epochs 2"}
    status, outputs, used, said = steps(folder, inputs)
    assert (status, outputs, used) == (0, {"status": "0", "findings": "0"}, ["actions/upload-artifact"])
    assert "['--epochs', '2']" in said


def test_the_action_may_report_without_failing(tmp_path: Path) -> None:
    folder = of("train.py", SCRIPT, tmp_path)
    inputs = {"python": sys.executable, "package": "none", "script": "train.py", "fail": "false"}
    assert steps(folder, inputs)[:2] == (0, {"status": "1", "findings": "1"})


def test_the_action_installs_the_client_of_its_own_checkout(tmp_path: Path) -> None:
    folder = of("train.py", HEALTHY, tmp_path)
    pip = tmp_path / "python"
    pip.write_text('#!/bin/sh\necho "$0 $*"\n')
    pip.chmod(0o755)
    said = steps(folder, {"python": str(pip), "script": "train.py", "package": ""})[3]
    installed = said.splitlines()[0].split()[-2:]
    assert installed[1] == "numpy" and (Path(installed[0]) / "pyproject.toml").samefile(
        REPOSITORY / "client/pyproject.toml"
    )


@pytest.mark.parametrize("inputs", [{}, {"script": "train.py", "test": "test_model.py"}])
def test_the_action_says_what_it_needs(tmp_path: Path, inputs: dict[str, str]) -> None:
    status, _, used, said = steps(of("train.py", SCRIPT, tmp_path), {"package": "none", **inputs})
    assert status == 2 and not used and "Give either a script or a test." in said


def test_no_input_becomes_part_of_a_script() -> None:
    """What comes from outside reaches the shell as variables, and all that is declared is used."""
    scripts: list[dict[str, Any]] = [step for step in ACTION["runs"]["steps"] if "run" in step]
    assert scripts and not any("${{" in step["run"] for step in scripts)
    text = str(ACTION["runs"])
    assert [name for name in ACTION["inputs"] if f"inputs.{name}" not in text] == []
