"""Runs the code blocks of a page and makes of each what a reader plays: files for the site, and HTML for the page."""

from __future__ import annotations

import doctest
import hashlib
import html
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from .. import export
from ..carried import version
from .worker import ENGINE

HERE = Path(__file__).parent
PYTHON = frozenset({"python", "python3", "py", "py3", "pycon", "pycon3", "ipython", "ipython3"})
"""The languages, in lower case, of blocks that can run."""

_TORCH = "torch"
_SAME_EVERYWHERE = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MPLBACKEND": "agg"}
"""Settings of the process that recordings depend on."""
_LEAVES = 4
"""Gradients that are told where nothing plays."""


class Block(NamedTuple):
    """A code block. `fresh`: it begins anew, without the names of those above it; `raises`: the class of the error
    that it is to end with, "" for any; `height`: of its player in pixels."""

    code: str
    fresh: bool = False
    raises: str | None = None
    height: int | None = None


class Settings(NamedTuple):
    """How blocks run. `seed`: of PyTorch's generator before the first block; `timeout`: seconds for the blocks of a
    page; `recorder`: "torch", "engine", or "" for the first of them that is installed; `height`:
    of players, in pixels; `click`: whether they wait for a click, and not only until they are in sight."""

    seed: int = 0
    timeout: float = 300.0
    recorder: str = ""
    height: int = 520
    click: bool = False


class Played(NamedTuple):
    """What became of a block. `run`: the name of its file without `.js`, None where there is nothing to play; `said`:
    what happened, in a sentence; `complaint`: what the build is to warn of."""

    run: str | None
    said: str
    printed: str
    complaint: str | None


class CannotRun(RuntimeError):
    """Nothing is installed that can run the blocks."""


class Blocks:
    """The blocks of a site. `cache`: a folder that outlives builds; what is in it need not run again."""

    def __init__(self, cache: Path, settings: Settings) -> None:
        self.cache, self.settings = cache, settings
        self._viewer: tuple[str, str] | None = None

    def play(self, blocks: Sequence[Block], name: str, folder: Path) -> list[Played]:
        """Run the blocks of a page, in order. `name`: the page's; `folder`: where its program runs.

        Raises CannotRun where neither PyTorch nor the engine is installed.
        """
        played: list[Played] = []
        for chain in _chains(blocks):
            played += self._chain(chain, name, folder)
        return played

    def files(self, played: Sequence[Played], static: Path) -> None:
        """Write what the players of a page load into a folder of the site: their runs, and the viewer once."""
        static.mkdir(parents=True, exist_ok=True)
        viewer, text = self._view()
        wanted = [(f"{viewer}.js", text)]
        wanted += [(name, (HERE / name).read_text("utf-8")) for name in ("player.js", "player.css")]
        for name, content in wanted:
            if not (static / name).is_file() or (static / name).read_text("utf-8") != content:
                _write(static / name, content)
        for run in {each.run for each in played if each.run is not None}:
            if not (static / f"{run}.js").is_file():
                _write(static / f"{run}.js", (self.cache / f"{run}.js").read_text("utf-8"))

    def html(self, block: Block, played: Played, root: str, *, first: bool) -> str:
        """What stands below a block. `root`: the way from the page to the folder of `files`; `first`: of the page,
        which loads what all players share. "" where there is nothing to play."""
        if played.run is None:
            return ""
        shared = ""
        if first:
            shared = f'<link rel="stylesheet" href="{root}/player.css"><script defer src="{root}/player.js"></script>'
        height = block.height or self.settings.height
        printed = f"<pre>{html.escape(played.printed.rstrip())}</pre>" if played.printed.strip() else ""
        return (
            f'{shared}<backlight-player class="backlight" run="{root}/{played.run}.js" '
            f'viewer="{root}/{self._view()[0]}.js"{" click" if self.settings.click else ""} '
            f'style="--backlight-height:{height}px"><div class="backlight-still"><p>{html.escape(played.said)}</p>'
            f"{printed}</div></backlight-player>"
        )

    # What ran

    def _chain(self, chain: Sequence[Block], name: str, folder: Path) -> list[Played]:
        """What became of blocks that share a namespace; of those that have the same text as before, from the cache."""
        recorder, edition = _recorder(self.settings.recorder)
        told = [recorder, edition, version(), self.settings.seed, name, [tuple(b) for b in chain]]
        known = self.cache / f"{_digest(json.dumps(told))}.json"
        with suppress(OSError, ValueError, TypeError):
            played = [Played(*row) for row in json.loads(known.read_text("utf-8"))]
            if all(each.run is None or (self.cache / f"{each.run}.js").is_file() for each in played):
                return played
        made, trouble = self._run(chain, name, folder, recorder)
        played = [self._kept(block, recording) for block, recording in zip(chain, made, strict=False)]
        if trouble is None:
            _write(known, json.dumps(played))
        else:
            played += [Played(None, "", "", trouble if i == 0 else None) for i in range(len(chain) - len(played))]
        return played

    def _run(
        self, chain: Sequence[Block], name: str, folder: Path, recorder: str
    ) -> tuple[list[dict[str, Any]], str | None]:
        """Recordings of the blocks, and what kept the process from making one of each."""
        codes = [program_of(block.code) for block in chain]
        with tempfile.TemporaryDirectory(prefix="backlight-") as kept:
            path = [os.path.abspath(each) if each else os.getcwd() for each in sys.path]
            given = {"blocks": codes, "name": name, "seed": self.settings.seed, "with": recorder, "folder": kept}
            trouble: str | None = None
            try:
                done = subprocess.run(
                    [sys.executable, "-P", str(HERE / "worker.py")],
                    input=json.dumps({**given, "path": path}).encode(),
                    cwd=folder,
                    env={**os.environ, **_SAME_EVERYWHERE},
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    timeout=self.settings.timeout,
                    check=False,
                )
                last = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
                ended = f"the process that runs the page ended with {done.returncode}"
                trouble = ": ".join([ended, *last]) if done.returncode else None
            except subprocess.TimeoutExpired:
                trouble = f"the blocks of the page did not end within {self.settings.timeout:g} seconds"
            made = [Path(kept) / f"{number}.json" for number in range(len(chain))]
            recordings = [json.loads(file.read_text("utf-8")) for file in made if file.is_file()]
        if trouble is None and len(recordings) < len(chain):
            trouble = "the program ended the process that runs the page"
        return recordings, trouble

    def _kept(self, block: Block, recording: dict[str, Any]) -> Played:
        """What became of a block, whose recording is in the cache from now on."""
        document, at, error = recording["document"], recording["at"], recording["error"]
        raised = document["error"]
        complaint = None
        if raised is not None and (block.raises is None or block.raises not in ("", *error)):
            said = f"{raised['type']}: {raised['message']}".rstrip(": ")
            line = "" if raised["line"] is None else f" in line {_line_of(raised)}"
            complaint = f"the block raises {said.splitlines()[0]}{line}"
        elif raised is None and block.raises is not None:
            complaint = f"the block was to raise {block.raises or 'an error'}, and does not"
        run = None
        if raised is not None or len(document["events"]) > at:
            text = json.dumps(export.inert(document), ensure_ascii=False)
            run = _digest(f"{at}{text}")
            _write(self.cache / f"{run}.js", f'(window.backlight ??= {{}})["{run}"] = [{at}, {text}];\n')
        return Played(run, _sentence(document, at), recording["printed"], complaint)

    def _view(self) -> tuple[str, str]:
        """The file with the viewer: its name without `.js`, and its text."""
        if self._viewer is None:
            text = export.inert(export.parts(export.viewer()))
            name = f"viewer-{_digest(text)}"
            self._viewer = (name, f'(window.backlight ??= {{}})["{name}"] = {text};\n')
        return self._viewer


def program_of(text: str) -> str:
    """The program of a block: where it begins with `>>>`, what is typed behind the prompts."""
    if not text.lstrip().startswith(">>>"):
        return text
    try:
        return "".join(example.source for example in doctest.DocTestParser().get_examples(text))
    except ValueError:
        return text  # which is no Python either, and says so when it runs


def _chains(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Blocks that share a namespace."""
    chain: list[Block] = []
    for block in blocks:
        if block.fresh and chain:
            yield chain
            chain = []
        chain.append(block)
    if chain:
        yield chain


def _recorder(wanted: str) -> tuple[str, str]:
    """What runs the blocks, and its version."""
    if wanted in ("", _TORCH) and importlib.util.find_spec(_TORCH) is not None:
        return _TORCH, metadata.version(_TORCH)
    if wanted in ("", ENGINE):
        with suppress(metadata.PackageNotFoundError):
            return ENGINE, metadata.version("backlight-service")
    names = {_TORCH: "PyTorch", ENGINE: "Backlight's engine (backlight-service)"}
    missing = names.get(wanted, "neither PyTorch nor Backlight's engine (backlight-service)")
    said = f"{missing} is {'' if wanted == '' else 'not '}installed"
    raise CannotRun(
        f"{said}, so no code block can be run: pip install torch, or backlight-service from Backlight's repository, "
        "into the environment that builds the pages"
    )


def _line_of(error: dict[str, Any]) -> int:
    """The line of an error in its own block."""
    places = [frame for frame in error["traceback"] if frame["line"] == error["line"]]
    cell = places[-1].get("cell") if places else None
    return int(cell["line"] if cell else error["line"])


def _sentence(document: dict[str, Any], at: int) -> str:
    """What a block did, for readers without scripts."""
    events = document["events"][at:]
    ops = sum(event["kind"] == "op" for event in events)
    passes = sum(event["kind"] == "backward" for event in events)
    parts = [_count(ops, "operation")] if ops or not passes else []
    said = " and ".join([*parts, *([_count(passes, "backward pass", "backward passes")] if passes else [])])
    error = document["error"]
    if error is not None:
        return f"Recorded: {said}. It ends with {error['type']}: {error['message']}".rstrip(": ")
    grads = []
    for tensor in document["tensors"]:
        value = document["values"].get(tensor["grad"] or "")
        name = tensor["name"] or tensor["path"]
        if value is not None and name and value.get("data") is not None and len(str(value["data"])) < 60:
            grads.append(f"{name}.grad = {_number(value['data'])}")
    ends = f" Afterwards {', '.join(grads[:_LEAVES])}{', …' if len(grads) > _LEAVES else ''}." if grads else ""
    return f"Recorded: {said}.{ends}"


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number or 'no'} {one if number == 1 else many or f'{one}s'}"


def _number(data: Any) -> str:
    """A value of a document, to six digits."""
    if isinstance(data, list):
        return f"[{', '.join(map(_number, data))}]"
    return f"{data:.6g}" if isinstance(data, float) else str(data)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _write(path: Path, text: str) -> None:
    """Write a file that another process may write as well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8", errors="replace") as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)
