"""`python -m engine program.py`: run a program and print what it prints. `--json` prints the run document instead,
`--html run.html` writes a page that plays the run, `--gradcheck w` holds a gradient beside central differences,
`--check` prints what is wrong with it, with `--json` as data, and `--sarif run.sarif` writes that for code scanning."""

from __future__ import annotations

from engine.hashes import leave_addresses

if __name__ == "__main__":
    leave_addresses()  # before numpy is there

import argparse
import io
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import engine
from engine.export import page
from engine.findings import reports
from engine.program.notebook import from_ipynb


def main(arguments: Sequence[str] | None = None) -> int:
    """Run; returns the exit status: 0, 1 when the program raised or what was asked for is wrong (with `--check`: when a
    finding is an error), 2 where a file cannot be read or written."""
    parser = argparse.ArgumentParser(prog="python -m engine", description="Run a program on Backlight's engine.")
    parser.add_argument("program", help="a file (.py or .ipynb), or - for standard input")
    parser.add_argument("--json", action="store_true", help="print the run document, or with --check the findings")
    parser.add_argument("--html", metavar="FILE", type=Path, help="write a page that plays the run, without a network")
    parser.add_argument("--seed", type=int, default=0, help="seed of programs that set none (default 0)")
    parser.add_argument(
        "--gradcheck", metavar="LEAF", action="append", default=[],
        help="hold the gradient of a leaf (w, model.0.weight, w@0) beside central differences; may be repeated",
    )  # fmt: skip
    parser.add_argument("--check", action="store_true", help="print findings instead of what the program prints")
    parser.add_argument("--sarif", metavar="FILE", type=Path, help="write the findings as SARIF 2.1.0")
    options = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):  # a program may print what no encoding has: half of a surrogate pair
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        source = sys.stdin.read() if options.program == "-" else Path(options.program).read_text(encoding="utf-8")
        if options.program.endswith(".ipynb"):
            source = from_ipynb(source)
    except (OSError, ValueError) as error:
        print(f"{options.program}: {error}", file=sys.stderr)
        return 2
    document = engine.run(code=source, seed=options.seed, check=options.gradcheck).document
    found = reports.report(document, "<stdin>" if options.program == "-" else options.program)
    try:
        if options.html is not None:
            options.html.write_text(page(document), encoding="utf-8", errors="replace")
        if options.sarif is not None:
            log = reports.sarif(found, document, engine.__version__)
            options.sarif.write_text(json.dumps(log, indent=2), encoding="utf-8")
    except OSError as error:
        print(f"{error.filename}: {error}", file=sys.stderr)
        return 2
    if options.check:
        for line in [json.dumps(found, ensure_ascii=False, indent=2)] if options.json else reports.lines(found):
            print(line)
        return reports.status(found)
    if options.json:
        json.dump(document, sys.stdout, ensure_ascii=False)
        print()
    else:
        print(document["stdout"], end="")
        for warning in document["warnings"]:
            print(f"{options.program}:{warning['line']}: {warning['category']}: {warning['message']}", file=sys.stderr)
        if document["error"] is not None:
            print(traceback(document["error"], source, options.program), file=sys.stderr)
        for check in document.get("checks", ()):
            print(checked(check), file=sys.stderr)
    differ = [check for check in document.get("checks", ()) if check["status"] == "differs"]
    wrong = [check for check in differ if check["reason"]["kind"] not in ON_PURPOSE]
    return 0 if document["error"] is None and not wrong else 1


def _short(number: Any) -> str:
    """A number of a document, to six digits."""
    if isinstance(number, list):
        return f"{_short(number[0])} + {_short(number[1])}i"
    return number if isinstance(number, str) else f"{number:.6g}"


ON_PURPOSE = {"corner", "jump", "rule"}
"""Why a gradient differs from central differences although nothing is wrong with it."""


def checked(check: dict[str, Any]) -> str:
    """What a gradient check came to, in a line for each number."""
    text = [f"{check['asked']}: {check['status']}"]
    if check["status"] != "unchecked":
        text[0] += f", {len(check['elements'])} of {check['of']} numbers, largest error {check['largest_error']:.2g}"
    if check["reason"] is not None:
        line = check["reason"]["line"]
        text.append(f"  {'' if line is None else f'line {line}: '}{check['reason']['text']}")
    for row in check.get("elements", ()):
        if not row["agrees"]:
            text.append(f"  {row['index']}: autograd {_short(row['autograd'])}, slope {_short(row['numeric'])}")
    return "\n".join(text)


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
