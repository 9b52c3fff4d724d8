"""Whose code a recording shows: the program's own files, and not what is installed, wherever that lies."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import backlight
import pytest
import torch
from backlight.recorder import owners
from backlight.recorder.positions import LIBRARY, USER, Positions

LIBRARY_TEXT = "def double(x):\n    return x * 2\n"
PROGRAM = (
    "import torch, used\nfrom own import half\nx = torch.ones(2, requires_grad=True)\n"
    "half(used.double(x)).sum().backward()\n"
)


def project(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "own.py").write_text("def half(x):\n    return x / 2\n")
    (folder / "train.py").write_text(PROGRAM)
    return folder / "train.py"


def library(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "used.py").write_text(LIBRARY_TEXT)
    return folder


def recorded(script: Path, cwd: Path, env: dict[str, str], *words: str) -> dict[str, Any]:
    """The document of a script, recorded by a Python that sees no folders but those of `env` and of this one."""
    target = cwd / "run.json"
    done = subprocess.run(
        [sys.executable, "-m", "backlight", "run", "--json", str(target), *words, str(script)],
        cwd=cwd, env=env, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(target.read_text("utf-8"))
    return document


def files(document: dict[str, Any]) -> list[str]:
    return [Path(file["name"]).name for file in document["files"]]


@pytest.fixture
def env(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment for a Python of its own, in which this package is found as it is here."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(Path(backlight.__file__).parents[1])}


def test_what_pythonpath_names_is_a_library_and_the_programs_own_folders_are_not(
    tmp_path: Path, env: dict[str, str]
) -> None:
    script = project(tmp_path / "mine" / "scripts")
    library(tmp_path / "theirs")
    (tmp_path / "mine" / "src").mkdir()
    (tmp_path / "mine" / "src" / "more.py").write_text("def same(x):\n    return x * 1\n")
    script.write_text(f"{PROGRAM}import more\nmore.same(x)\n")
    paths = [env["PYTHONPATH"], str(tmp_path / "theirs"), str(tmp_path / "mine" / "src")]
    document = recorded(script, tmp_path / "mine", {**env, "PYTHONPATH": ":".join(paths)})
    assert files(document) == ["train.py", "own.py", "more.py"]
    (mul, *_) = [op for op in document["ops"] if op["name"] == "mul"]
    assert (mul.get("file", 0), mul["line"]) == (0, 4)
    said = recorded(script, tmp_path / "mine", {**env, "PYTHONPATH": ":".join(paths)}, "--code", "used")
    assert files(said) == ["train.py", "used.py"]


def editable(packages: Path, root: Path) -> None:
    """As pip leaves it in a folder of packages."""
    told = packages / "used-1.0.dist-info"
    told.mkdir()
    (told / "direct_url.json").write_text(json.dumps({"dir_info": {"editable": True}, "url": root.as_uri()}))


def test_installed_is_what_lies_in_folders_of_packages_or_is_named_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packages, target, linked = tmp_path / "env" / "lib" / "site-packages", tmp_path / "target", tmp_path / "linked"
    for folder in (packages, target, linked, tmp_path / "checkout", tmp_path / "user"):
        library(folder)
    (target / "used-1.0.dist-info").mkdir()
    editable(packages, tmp_path / "checkout")
    (packages / "linked.pth").write_text(f"# a comment\nimport sys\n{linked}\n")
    monkeypatch.setattr(sys, "path", [str(packages), str(target), str(linked), *sys.path])
    monkeypatch.setattr(owners.site, "getusersitepackages", lambda: str(tmp_path / "user"))
    monkeypatch.setenv("PYTHONPATH", str(target))
    script = project(tmp_path / "mine")
    kind_of = Positions(str(script)).kind_of
    for folder in (packages, target, linked, tmp_path / "checkout", tmp_path / "user", Path(torch.__file__).parents[1]):
        assert kind_of(str(folder / "used.py")) == LIBRARY, folder
    assert kind_of("/opt/other/lib/python3/dist-packages/used.py") == LIBRARY
    assert kind_of(str(script)) == kind_of(str(script.with_name("own.py"))) == USER
    # Who works on the project that is installed editable records it as their own.
    kind_of = Positions(str(tmp_path / "checkout" / "scripts" / "train.py")).kind_of
    assert kind_of(str(tmp_path / "checkout" / "used.py")) == USER
    assert kind_of(str(linked / "used.py")) == LIBRARY


def test_a_project_installed_editable_by_pip_is_a_library(tmp_path: Path, env: dict[str, str]) -> None:
    """By pip itself, in an environment that sees this one's packages."""
    checkout = library(tmp_path / "checkout")
    (checkout / "pyproject.toml").write_text(
        "[build-system]\nrequires = []\nbuild-backend = 'backend'\nbackend-path = ['.']\n"
        "[project]\nname = 'used'\nversion = '1'\n"
    )
    (checkout / "backend.py").write_text(BACKEND)
    venv.create(tmp_path / "env", with_pip=True)
    python = str(tmp_path / "env" / "bin" / "python")
    subprocess.run(
        [python, "-m", "pip", "-q", "install", "--no-index", "--no-build-isolation", "-e", str(checkout)],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    (packages,) = (tmp_path / "env" / "lib").glob("python3*/site-packages")
    (packages / "around.pth").write_text("\n".join(path for path in sys.path if path.endswith("site-packages")))
    script = project(tmp_path / "mine")
    done = subprocess.run(
        [python, "-m", "backlight", "run", "--json", "run.json", str(script)],
        cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert files(json.loads((tmp_path / "run.json").read_text("utf-8"))) == ["train.py", "own.py"]


BACKEND = """\
import zipfile
def build_editable(folder, settings=None, metadata=None):
    with zipfile.ZipFile(f"{folder}/used-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("used.pth", __file__.rpartition("/")[0] + "\\n")
        wheel.writestr("used-1.dist-info/METADATA", "Metadata-Version: 2.1\\nName: used\\nVersion: 1\\n")
        tags = "Wheel-Version: 1.0\\nGenerator: b\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
        wheel.writestr("used-1.dist-info/WHEEL", tags)
        wheel.writestr("used-1.dist-info/RECORD", "")
    return "used-1-py3-none-any.whl"
"""


def test_whose_code_it_is_can_be_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site-packages" / "mypackage"
    library(package / "deep")
    (package / "__init__.py").touch()
    (package / "other.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path / "site-packages"))

    def kinds(code: Any) -> list[int]:
        kind_of = Positions(__file__, code).kind_of
        return [kind_of(str(package / name)) for name in ("__init__.py", "other.py", "deep/used.py")]

    assert kinds(None) == [LIBRARY, LIBRARY, LIBRARY]
    assert kinds("mypackage") == kinds(package) == [USER, USER, USER]
    assert kinds("mypackage.deep") == [LIBRARY, LIBRARY, USER]
    assert kinds(["mypackage.other", package / "__init__.py"]) == [USER, USER, LIBRARY]
    kind_of = Positions(__file__, "mypackage").kind_of
    assert kind_of(__file__) == USER and kind_of(str(tmp_path / "elsewhere.py")) == LIBRARY
    assert "mypackage" not in sys.modules  # it was looked for, not imported
    with pytest.raises(ValueError, match="code='no_such' is no module that can be imported here"):
        backlight.capture(code="no_such")
    with pytest.raises(TypeError, match='code="myproject"'):
        backlight.capture(code=[3])  # type: ignore[list-item]


def test_a_function_and_a_graph_are_shown_with_the_code_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library(tmp_path / "site-packages")
    monkeypatch.syspath_prepend(str(tmp_path / "site-packages"))
    monkeypatch.delitem(sys.modules, "used", raising=False)
    used: Any = __import__("used")

    @backlight.capture(code="used")
    def step() -> torch.Tensor:
        doubled: torch.Tensor = used.double(torch.ones(2, requires_grad=True))
        return doubled

    step()
    assert files(step.run.document) == ["test_owners.py", "used.py"]
