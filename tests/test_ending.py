"""What waits for ever is ended, and named."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[1]
CONFTEST = """\
pytest_plugins = ["tests.ending"]
def pytest_configure():
    from tests import ending
    ending.MARGIN, ending.LAST = 1.0, 20.0
"""
HEAD = """\
import pathlib, threading, time
import pytest
"""
ENDLESS = {
    "a second attempt": """\
@pytest.mark.flaky(reruns=1)
def test_waits():
    first = pathlib.Path("first")
    if not first.exists():
        first.touch()
        assert False
    time.sleep(6000)
""",
    "a teardown after a failure": """\
@pytest.fixture
def held():
    yield
    time.sleep(6000)
def test_waits(held):
    assert False
""",
    "what does not let itself be interrupted": """\
def test_waits():
    while True:
        try:
            time.sleep(6000)
        except BaseException:
            pass
""",
}


def tried(folder: Path, tests: str) -> str:
    """What pytest says of these tests and one that passes."""
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_them.py").write_text(f"{HEAD}{tests}\ndef test_passes():\n    pass\n")
    plugins = [word for name in ("xdist", "pytest_timeout", "pytest_rerunfailures") for word in ("-p", name)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, "-n", "1", "--timeout", "1"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 1
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", ENDLESS)
def test_a_test_that_waits_for_ever_is_named_and_the_others_run(name: str, tmp_path: Path) -> None:
    said = tried(tmp_path, ENDLESS[name])
    assert "FAILED test_them.py::test_waits" in said, said
    assert "1 passed" in said


def test_a_thread_that_is_left_does_not_keep_the_session(tmp_path: Path) -> None:
    left = "def test_leaves():\n    threading.Thread(target=time.sleep, args=(6000,)).start()\n    assert False\n"
    said = tried(tmp_path, left)
    assert "1 failed, 1 passed" in said, said


def test_no_command_of_a_test_is_waited_for_without_end() -> None:
    waiting = {"subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output"}
    found = []
    for path in [*(PROJECT / "tests").rglob("*.py"), *(PROJECT / "client" / "tests").rglob("*.py")]:
        if "snippets" not in path.parts and "subprocess" in (text := path.read_text("utf-8")):
            for call in ast.walk(ast.parse(text)):
                if isinstance(call, ast.Call) and ast.unparse(call.func) in waiting:
                    if not any(option.arg == "timeout" for option in call.keywords):
                        found.append(f"{path}:{call.lineno}")
    assert not found
