"""Language tests are programs with their expected output: read and written here.

    print(1 + 1)
    #> 2
    undefined
    #! NameError @2: name 'undefined' is not defined
    # ---

`#>` is what CPython (or PyTorch) printed, `#!` the error it ended with and the line. The first line of a file says what
recorded it; `python -m tests.record.language FILES` does it again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "programs"
SEPARATOR = "# ---"
ADDRESS = re.compile(r"0x[0-9a-f]+")


@dataclass
class Program:
    """One program; `error` is (type, line, message)."""

    file: str
    number: int
    code: str
    stdout: str
    error: tuple[str, int, str] | None


NEWER = {
    "max() iterable argument is empty": "max() arg is an empty sequence",
    " and no __dict__ for setting new attributes": "",
}
"""What later versions of CPython say, and what was recorded instead."""


def normal(text: str) -> str:
    """Text without addresses, in the words of the version that was recorded."""
    for newer, recorded in NEWER.items():
        text = text.replace(newer, recorded)
    return ADDRESS.sub("0xADDR", text)


def load(path: Path) -> list[Program]:
    """The programs of one file."""
    text = path.read_text(encoding="utf-8").partition("\n")[2]
    programs = []
    for number, chunk in enumerate(text.split(f"\n{SEPARATOR}\n")):
        code: list[str] = []
        printed: list[str] = []
        error = None
        for line in chunk.split("\n"):
            if line.startswith("#>"):
                printed.append(line[3:])
            elif line.startswith("#! "):
                kind, at, message = re.match(r"#! (\w+) @(\d+): (.*)", line).groups()  # type: ignore[union-attr]
                error = (kind, int(at), message.encode().decode("unicode_escape").encode("latin-1").decode())
            else:
                code.append(line)
        stdout = "".join(line + "\n" for line in printed)
        if stdout.endswith("\\\n"):
            stdout = stdout[:-2]
        programs.append(Program(path.stem, number, "\n".join(code).strip("\n") + "\n", stdout, error))
    return programs


def dump(path: Path, recorded_with: str, programs: list[Program]) -> None:
    """Write a file of programs with what they did."""
    chunks = []
    for program in programs:
        lines = [program.code.rstrip("\n")]
        stdout = normal(program.stdout)
        if stdout:
            shown = stdout if stdout.endswith("\n") else stdout + "\\\n"
            lines += [f"#> {line}".rstrip(" ") if not line else f"#> {line}" for line in shown[:-1].split("\n")]
        if program.error is not None:
            kind, line, message = program.error
            escaped = normal(message).encode("unicode_escape").decode()
            lines.append(f"#! {kind} @{line}: {escaped}")
        chunks.append("\n".join(lines))
    path.write_text(f"# recorded with {recorded_with}\n" + f"\n{SEPARATOR}\n".join(chunks) + "\n", encoding="utf-8")
