"""`python -m backlight script.py [--html out.html] [--json out.json] [arguments of the script]`: record a script."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from .run import Run


def main(arguments: list[str] | None = None) -> int:
    """Run the script as Python would, and write down what happened, also when it raised."""
    parser = argparse.ArgumentParser(
        prog="python -m backlight",
        description="Record a script that uses PyTorch.",
        epilog="All other options, and what stands behind --, are the script's.",
        allow_abbrev=False,
    )
    parser.add_argument("script", help="the script to run")
    parser.add_argument("--html", help="write the page that plays the run (default: the script's name with .html)")
    parser.add_argument("--json", help="write the document")
    given = sys.argv[1:] if arguments is None else arguments
    ours = given.index("--") if "--" in given else len(given)
    options, rest = parser.parse_known_args(given[:ours])
    rest += given[ours + 1 :]
    script = Path(options.script)
    if not script.is_file():
        parser.error(f"{script}: no such file")
    file = os.path.abspath(script)  # what Python says of a script, too
    try:
        code = compile(script.read_bytes(), file, "exec")
    except SyntaxError as error:
        traceback.print_exception(error.with_traceback(None))
        return 1
    sys.argv = [str(script), *rest]
    sys.path[0] = str(script.resolve().parent)
    module = ModuleType("__main__")  # where pickle looks for the script's classes
    module.__dict__.update(__file__=file, __builtins__=__builtins__)
    run, before = Run(argv=sys.argv), sys.modules["__main__"]
    sys.modules["__main__"] = module
    try:
        status = _execute(run, code, module.__dict__)
    finally:
        sys.modules["__main__"] = before
    for target in [options.html, options.json] if options.html or options.json else [script.with_suffix(".html").name]:
        if target:
            run.save(target)
            print(f"backlight: {run!r} in {target}", file=sys.stderr)
    return status


def _execute(run: Run, code: Any, names: dict[str, Any]) -> int:
    """Run compiled code in a namespace and record it; returns the exit status."""
    run.begin(code.co_filename)
    error: BaseException | None = None
    status = 0
    try:
        exec(code, names)
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        if stop.code is not None and not isinstance(stop.code, int):
            print(stop.code, file=sys.stderr)
    except BaseException as raised:
        error, status = raised, 1
    run.end(error, names)
    if error is not None:
        traceback.print_exception(type(error), error, error.__traceback__ and error.__traceback__.tb_next)
    return status


if __name__ == "__main__":
    sys.exit(main())
