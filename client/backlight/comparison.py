"""Two runs in one file: side by side, at the same steps, from where they differ first."""

from __future__ import annotations

import html
import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import export
from .differences import Difference, differences, lines
from .showing import show

_LISTS = ("tensors", "nodes", "ops", "values", "events")
"""What every document has, and a file that is none has not."""

_PLACE, _END = export.PLACE.split("></")[0], "</script>"
_OTHER = _PLACE.replace("run-document", "other-document")


class Comparison:
    """Two runs beside each other; `before` and `after` are their documents, `names` what they are called."""

    def __init__(self, before: Any, after: Any, names: tuple[str, str] | None = None) -> None:
        self.before, self.after = document_of(before), document_of(after)
        self.names = names or (_name(before), _name(after))

    @property
    def differences(self) -> list[Difference]:
        """What differs, first what differs first: in the program, in what runs, in values and gradients in the order of
        the run, in the output. Empty where nothing does."""
        return differences(self.before, self.after)

    def html(self, *, source: bool = True) -> str:
        """The page, whole in one file; without `source` as `Run.save` leaves that out."""
        runs = [run if source else _without_source(run) for run in (self.before, self.after)]
        before, after = export.parts(export.viewer())
        elements = [
            f'{place} data-name="{html.escape(name)}">{export.inert(run)}{_END}'
            for place, name, run in zip((_OTHER, _PLACE), self.names, runs, strict=True)
        ]
        return before + "\n".join(reversed(elements)) + after

    def save(self, path: str | os.PathLike[str], *, source: bool = True) -> None:
        """Write the page to an `.html` (or `.htm`) file; a ValueError where it has another name."""
        target = Path(path)
        if target.suffix.lower() not in (".html", ".htm"):
            raise ValueError(f"{target.name}: a comparison is saved as .html")
        target.write_text(self.html(source=source), "utf-8")

    def show(self) -> None:
        """Show it as `Run.show` shows a run: in a notebook, in a browser, or where that is not there its file."""
        show(self, self.html)

    def _repr_html_(self) -> str:
        return export.framed(self.html())

    def __repr__(self) -> str:
        return f"<backlight.Comparison of {self.names[0]} and {self.names[1]}>"


def compare(before: Any, after: Any, path: str | os.PathLike[str] | None = None) -> Comparison:
    """Put two runs side by side, and write the page to `path` if that is given.

    Either is a run, its document, or a file that `run.save` wrote, as `.json` or `.html`. It opens where they differ
    first: in the program, in what runs, in a value or in a gradient. A TypeError or a ValueError says what is no run.
    """
    made = Comparison(before, after)
    if path is not None:
        made.save(path)
    return made


def document_of(run: Any) -> Mapping[str, Any]:
    """The document of a run, of a document itself, or of a file."""
    found = getattr(run, "document", run)
    if isinstance(found, (str, os.PathLike)):
        return read(Path(found))
    if not isinstance(found, Mapping):
        raise TypeError(f"compare takes runs, their documents or files of them, not an object of {type(run).__name__}")
    if not all(isinstance(found.get(name), (list, dict)) for name in _LISTS):
        raise ValueError("this is no document of a run: run.document is one, and run.save('run.json') writes it")
    return found


def read(path: Path) -> Mapping[str, Any]:
    """The document in a file; an OSError where there is none, a ValueError where it holds no run."""
    text = path.read_text("utf-8")
    if text.lstrip().startswith("<"):
        start = text.rfind(_PLACE)
        end = text.find(_END, start)
        if start < 0 or end < 0:
            raise ValueError(f"{path}: this page holds no run; only pages that Backlight wrote do")
        text = text[text.index(">", start) + 1 : end]
    try:
        found = json.loads(text)
    except ValueError as error:
        raise ValueError(f"{path}: this is no run: it is neither a page of Backlight nor JSON ({error})") from None
    try:
        return document_of(found if isinstance(found, dict) else {})
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _name(run: Any) -> str:
    """What a run is called: the file it came as, or the program it is of."""
    if isinstance(run, (str, os.PathLike)):
        return Path(run).name
    files = document_of(run).get("files") or ({"name": ""},)
    return os.path.basename(str(files[0]["name"]))


def _without_source(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """A document without what is left out of it on request; one of the service has its program alone."""
    if "origin" in document and "files" in document:
        return export.without_source(document)
    return {**document, "source": {**document["source"], "code": ""}}


def main(arguments: list[str]) -> int:
    """`backlight compare before after -o page.html`; returns the exit status: 1 where they differ, 0 where not."""
    parser = ArgumentParser(
        prog="backlight compare",
        description="Print what differs between two recorded runs, and put them side by side in one page that plays "
        "offline, from where they differ first. The exit status is 0 where nothing differs, 1 where something does, "
        "and 2 where a file is no run or cannot be written.",
        epilog="Two ranks of one program: backlight compare train.rank0.json train.rank1.json -o ranks.html",
        allow_abbrev=False,
    )
    parser.add_argument("before", help="a run that was saved, as .json or .html")
    parser.add_argument("after", help="another one")
    parser.add_argument("-o", "--output", default="compare.html", help="the page to write (default: %(default)s)")
    parser.add_argument("--json", help="write all differences as data; - prints them instead of the text")
    parser.add_argument("--no-source", action="store_true", help="write neither the text of files nor their folders")
    given = parser.parse_args(arguments)
    try:
        made = Comparison(given.before, given.after)
        found = made.differences
        made.save(given.output, source=not given.no_source)
        if given.json is not None:
            data = [each._asdict() for each in found]
            text = json.dumps({"before": made.names[0], "after": made.names[1], "differences": data}, indent=2)
            if given.json == "-":
                print(text)
            else:
                Path(given.json).write_text(text + "\n", "utf-8")
    except (OSError, ValueError) as error:
        parser.error(str(error))
    if given.json != "-":
        print("\n".join(lines(found)))
    print(f"backlight: {made!r} in {given.output}", file=sys.stderr)
    return int(bool(found))
