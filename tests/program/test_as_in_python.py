"""Programs do what they do in Python by itself: what they print, in which order, and how they end."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).parents[2]
TEXT = Path(__file__).with_suffix(".txt").with_stem("as_in_python").read_text()
PROGRAMS = {
    name.strip(): code.lstrip("\n") for name, _, code in (part.partition("\n") for part in TEXT.split("### ")[1:])
}
HERE = {**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}

RUN = """
import json, os, signal, sys
import engine
from engine import running

engine.run(code="import torch")
programs, answers = json.load(sys.stdin), {}
for name, code in programs.items():
    read, write = os.pipe()
    if not os.fork():
        signal.alarm(20)
        with os.fdopen(write, "w") as pipe:
            document = running.run(code=code, seed=0, last=True).document
            json.dump({part: document[part] for part in ("stdout", "error", "warnings")}, pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        answers[name] = pipe.read()
    os.wait()
print(json.dumps({name: json.loads(made) if made else None for name, made in answers.items()}))
"""


@pytest.fixture(scope="module")
def documents() -> dict[str, Any]:
    """What is told of every program."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", RUN],
        input=json.dumps(PROGRAMS),
        cwd=PROJECT,
        env=HERE,
        capture_output=True,
        text=True,
        check=True,
    )
    made: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return made


def ending(said: str, file: str) -> tuple[list[tuple[int, str]], str | None]:
    """The frames of a traceback that are the program's, and the error under it."""
    traceback = said.rpartition("Traceback (most recent call last):\n")[2]
    frames = re.findall(rf'^  File "{re.escape(file)}", line (\d+)(?:, in (\S+))?$', traceback, re.M)
    last = [line for line in traceback.splitlines() if re.match(r"\w", line)]
    return [(int(line), name or "<module>") for line, name in frames], last[-1] if last else None


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_does_what_it_does_in_python(name: str, tmp_path: Path, documents: dict[str, Any]) -> None:
    file = tmp_path / "program.py"
    file.write_text(PROGRAMS[name])
    plain = subprocess.run(
        [sys.executable, str(file)], cwd=tmp_path, env=HERE, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    document = documents[name]
    assert document is not None, "the process ended"
    assert document["stdout"] == plain.stdout
    error = document["error"]
    if not plain.returncode:
        assert error is None
    elif error is not None and error["type"] == "SystemExit":
        assert error["message"] in (str(plain.returncode), plain.stderr.strip())
    else:
        frames, words = ending(plain.stderr, str(file))
        assert error is not None, words
        message = f"{error['type']}: {error['message']}" if error["message"] else error["type"]
        told = words if words is None else words.removeprefix("__main__.")
        assert message.splitlines()[0] == told
        assert [(frame["line"], frame["function"]) for frame in error["traceback"]] == frames
