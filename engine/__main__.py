"""`python -m engine program.py`: run a program and print what it prints. `--json` prints the run document instead."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import engine
from engine.program.notebook import from_ipynb


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; returns the exit status: 0, or 1 when the program raised."""
    parser = argparse.ArgumentParser(prog="python -m engine", description="Run a program on Backlight's engine.")
    parser.add_argument("program", help="a file (.py or .ipynb), or - for standard input")
    parser.add_argument("--json", action="store_true", help="print the run document")
    parser.add_argument("--seed", type=int, default=0, help="seed of programs that set none (default 0)")
    options = parser.parse_args(arguments)
    try:
        source = sys.stdin.read() if options.program == "-" else Path(options.program).read_text(encoding="utf-8")
        if options.program.endswith(".ipynb"):
            source = from_ipynb(source)
    except (OSError, ValueError) as error:
        print(f"{options.program}: {error}", file=sys.stderr)
        return 2
    document = engine.run(code=source, seed=options.seed).document
    if options.json:
        json.dump(document, sys.stdout, ensure_ascii=False)
        print()
    else:
        print(document["stdout"], end="")
        for warning in document["warnings"]:
            print(f"{options.program}:{warning['line']}: {warning['category']}: {warning['message']}", file=sys.stderr)
        if document["error"] is not None:
            print(traceback(document["error"], source, options.program), file=sys.stderr)
    return 0 if document["error"] is None else 1


def traceback(error: dict[str, Any], source: str, name: str) -> str:
    """The error as Python would print it, followed by what it means."""
    lines = source.splitlines()
    text = ["Traceback (most recent call last):"]
    for frame in error["traceback"]:
        cell = frame.get("cell")
        place = f"Cell In[{cell['number']}], line {cell['line']}" if cell else f'File "{name}", line {frame["line"]}'
        text.append(f"  {place}, in {frame['function']}")
        if 0 < frame["line"] <= len(lines):
            text.append(f"    {lines[frame['line'] - 1].strip()}")
    text.append(f"{error['type']}: {error['message']}" if error["message"] else error["type"])
    for label in ("explanation", "fix"):
        if error.get(label):
            text.append(f"\n{label.capitalize()}: {error[label]}")
    return "\n".join(text)


SAME_EVERYWHERE = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Settings of the process that documents depend on: in which order sets of strings lie, in which order BLAS adds."""


def restarted() -> None:
    """Start this process again where its settings are not those of the service; does not return then."""
    if any(os.environ.get(name) != value for name, value in SAME_EVERYWHERE.items()):
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **SAME_EVERYWHERE})


if __name__ == "__main__":
    restarted()
    sys.exit(main())
