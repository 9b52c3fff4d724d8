"""Programs do what they do in Python by itself: what they print, in which order, and how they end."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.forked import ran

TEXT = Path(__file__).with_suffix(".txt").with_stem("as_in_python").read_text()
PROGRAMS = {
    name.strip(): code.lstrip("\n") for name, _, code in (part.partition("\n") for part in TEXT.split("### ")[1:])
}
HERE = {**os.environ, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}

SECONDS = 60


def ending(said: str, file: str) -> tuple[list[tuple[int, str]], str | None]:
    """The frames of a traceback that are the program's, and the error under it."""
    traceback = said.rpartition("Traceback (most recent call last):\n")[2]
    frames = re.findall(rf'^  File "{re.escape(file)}", line (\d+)(?:, in (\S+))?$', traceback, re.M)
    last = [line for line in traceback.splitlines() if re.match(r"\w", line)]
    return [(int(line), name or "<module>") for line, name in frames], last[-1] if last else None


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_does_what_it_does_in_python(name: str, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(PROGRAMS[name])
    plain = subprocess.run(
        [sys.executable, str(file)],
        cwd=tmp_path,
        env=HERE,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    document = ran(PROGRAMS[name])
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
