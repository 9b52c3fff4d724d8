"""`backlight run script.py` and `backlight run -m package.module`: record a script, or a module as a script.

`python -m backlight` is the same command, and records a script also without the word `run`. `--check` prints what is
wrong by the run's own numbers, and `--sarif out.sarif` writes it for code scanning. `backlight compare a.json b.json`
puts two saved runs into one page.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sys
import traceback
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from .builder import CLIENT
from .carried import reports
from .comparison import main as compare
from .run import Run, is_document


class Program(NamedTuple):
    """What is recorded. `argument`: what the program finds in `sys.argv[0]`; `folder`: where it imports from first."""

    code: CodeType
    argument: str
    folder: str
    name: str
    spec: Any = None


def main(arguments: list[str] | None = None) -> int:
    """Run a program as Python would, and write down what happened, also when it raised.

    The exit status is the program's; with `--check`, 1 where that is 0 and a finding is an error.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["compare"]:
        return compare(words[1:])
    if words[:1] == ["run"]:
        words.pop(0)
    ours = _options()
    parser = argparse.ArgumentParser(
        prog="backlight run",
        usage="%(prog)s [options] (script.py | -m package.module) [arguments of the script]",
        description="Record a program that uses PyTorch, and write the page that plays what happened.",
        epilog="The options may stand behind the script, too. All others, and what stands behind --, are the script's. "
        "Under torchrun each rank writes a page of its own: torchrun --nproc-per-node 2 -m backlight run script.py",
        parents=[ours],
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"backlight {CLIENT}")
    at = _program_at(words)
    if at == len(words):
        parser.parse_args(words)
        parser.error("name a script, or a module behind -m")
    defaults = argparse.Namespace(
        html=None, json=None, check=False, sarif=None, code=None, no_source=False, seconds=False
    )
    given = parser.parse_args(words[:at], defaults)
    is_module = words[at] == "-m"
    named, rest = (words[at + 1 : at + 2], words[at + 2 :]) if is_module else ([words[at]], words[at + 1 :])
    if not named:
        parser.error("-m wants the name of a module")
    behind = rest.index("--") if "--" in rest else len(rest)
    given, theirs = ours.parse_known_args(rest[:behind], given)
    theirs += rest[behind + 1 :]
    try:
        program = _module(named[0]) if is_module else _script(named[0])
    except SyntaxError as error:
        traceback.print_exception(error.with_traceback(None))
        return 1
    except (ImportError, OSError) as error:
        parser.error(str(error))
    checks = reports() if given.check or given.sarif else None
    if checks is None and (given.check or given.sarif):
        parser.error("findings are computed with numpy, which is not installed: pip install numpy")
    files = _files(given, program.name)
    for path in (*files.runs, *files.reports):  # said now, and not after hours
        if path in files.runs:
            try:
                is_document(path)
            except ValueError as error:
                parser.error(str(error))
        if not path.parent.is_dir():
            parser.error(f"{path}: there is no folder {path.parent}")
    shown = _shown(program, theirs) if is_module else program.code.co_filename
    run = Run(argv=[program.argument, *theirs], code=given.code, seconds=given.seconds)
    status = _record(run, program, shown)
    wrong = 0 if checks is None else _report(checks, run, shown, given.check, files)
    unsaved = [path for path in files.runs if not _saved(run, path, not given.no_source)]
    return status or wrong or int(bool(unsaved))


def _options() -> argparse.ArgumentParser:
    """The options, which may stand before the script and behind it."""
    options = argparse.ArgumentParser(add_help=False, allow_abbrev=False, argument_default=argparse.SUPPRESS)
    options.add_argument("--html", help="write the page that plays the run (default: the script's name with .html)")
    options.add_argument("--json", help="write the document; with --check, the findings as data")
    options.add_argument(
        "--code", action="append", help="a module, file or folder whose code is shown; may stand again"
    )
    options.add_argument("--no-source", action="store_true", help="write neither the text of files nor their folders")
    options.add_argument("--seconds", action="store_true", help="measure how long each op and each node ran")
    options.add_argument("--check", action="store_true", help="print what is wrong by the run's own numbers on stderr")
    options.add_argument("--sarif", help="write what is wrong as SARIF 2.1.0, for code scanning")
    return options


def _program_at(words: list[str]) -> int:
    """Where the options of `backlight run` end: at the script, or at `-m`."""
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "-m":
        at += 2 if words[at] in ("--html", "--json", "--sarif", "--code") else 1
    return min(at, len(words))


def _script(given: str) -> Program:
    """A file, compiled; an OSError where there is none."""
    path = Path(given)
    if not path.is_file():
        raise FileNotFoundError(f"{path}: no such file")
    file = os.path.abspath(path)  # what Python says of a script, too
    code = compile(path.read_bytes(), file, "exec")
    return Program(code, str(path), str(path.resolve().parent), path.stem)


def _module(name: str) -> Program:
    """A module, or the `__main__` of a package; an ImportError where there is none, or none that can be run."""
    folder = os.getcwd()
    if not sys.flags.safe_path:
        sys.path[0] = folder
    wanted, spec = name, importlib.util.find_spec(name)
    if spec is not None and spec.submodule_search_locations is not None:
        wanted = f"{name}.__main__"
        spec = importlib.util.find_spec(wanted)
    get_code = getattr(None if spec is None else spec.loader, "get_code", None)
    code = None if spec is None or get_code is None else get_code(spec.name)
    if spec is None or code is None:
        raise ImportError(f"no module named {wanted}" if spec is None else f"{wanted} is no module in Python")
    return Program(code, spec.origin or name, folder, name.rpartition(".")[2], spec)


class Files(NamedTuple):
    """What is written. `runs`: pages and documents; where a path is None, nothing is."""

    runs: list[Path]
    findings: Path | None
    sarif: Path | None

    @property
    def reports(self) -> list[Path]:
        return [path for path in (self.findings, self.sarif) if path is not None]


def _files(given: argparse.Namespace, name: str) -> Files:
    """The files to write: where several processes run the program, as under torchrun, some for each rank."""
    rank, ranks = os.environ.get("RANK", ""), os.environ.get("WORLD_SIZE", "")
    several = rank.isdecimal() and ranks.isdecimal() and int(ranks) > 1

    def own(path: str | None) -> Path | None:
        if path is None:
            return None
        return Path(path).with_stem(f"{Path(path).stem}.rank{rank}") if several else Path(path)

    checks = given.check or given.sarif
    page = f"{name}.html" if not (given.html or given.json or checks) else given.html
    document, findings = (None, given.json) if given.check else (given.json, None)
    return Files([path for path in (own(page), own(document)) if path is not None], own(findings), own(given.sarif))


def _shown(program: Program, arguments: list[str]) -> str:
    """The main file of a module's document: the first .py among its arguments, as for pytest, else its own."""
    named = (argument.partition("::")[0] for argument in arguments)
    return next((os.path.abspath(file) for file in named if file.endswith(".py")), program.code.co_filename)


def _record(run: Run, program: Program, shown: str) -> int:
    """Run the program and record it; returns its exit status. `shown`: the main file of the recording."""
    sys.argv = list(run.argv or ())
    if not sys.flags.safe_path:
        sys.path[0] = program.folder
    module = ModuleType("__main__")  # where pickle looks for the script's classes
    module.__dict__.update(__file__=program.code.co_filename, __builtins__=__builtins__)
    if program.spec is not None:
        module.__dict__.update(
            __spec__=program.spec, __package__=program.spec.parent, __loader__=program.spec.loader,
            __cached__=program.spec.cached,
        )  # fmt: skip
    before = sys.modules["__main__"]
    sys.modules["__main__"] = module
    try:
        status = _execute(run, program.code, module.__dict__, shown)
    finally:
        sys.modules["__main__"] = before
    return status


def _report(checks: ModuleType, run: Run, shown: str, printed: bool, files: Files) -> int:
    """Tell what is wrong, on stderr and in files; returns 1 where an error was found and printed, or a file was not
    written."""
    found = checks.report(run.document, os.path.relpath(shown))
    status: int = checks.status(found) if printed else 0
    for line in checks.lines(found) if printed else ():
        print(line, file=sys.stderr)
    for path, data in ((files.findings, found), (files.sarif, checks.sarif(found, run.document, CLIENT))):
        if path is not None:
            try:
                path.write_text(json.dumps(data, ensure_ascii=False, indent=2), "utf-8", "replace")
            except OSError as error:
                print(f"backlight: {path} is not written: {error}", file=sys.stderr)
                status = 1
    return status


def _saved(run: Run, path: Path, source: bool) -> bool:
    """Whether the page or the document, with its source or without, could be written, which is said."""
    try:
        run.save(path, source=source)
    except (OSError, ValueError) as error:
        print(f"backlight: {path} is not written: {error}", file=sys.stderr)
        return False
    print(f"backlight: {run!r} in {path}", file=sys.stderr)
    return True


def _execute(run: Run, code: CodeType, names: dict[str, Any], shown: str) -> int:
    """Run compiled code in a namespace and record it; returns the exit status."""
    run.begin(shown)
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
