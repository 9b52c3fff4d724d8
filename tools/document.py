"""Write what is made of the declaration of the run document (`engine.document`): python -m tools.document

That is its JSON Schema, the page's types and words for cuts, and the tables of its page.
"""

from __future__ import annotations

import json
import textwrap
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, is_typeddict

from typing_extensions import TypeAliasType

from app.schema import RunDocument
from engine.document import figures, rows
from engine.document.cuts import CUTS
from engine.document.notes import noted

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "trace.md"
WIDTH = 120
HEAD = "/** The run document, for `tsc`: `python -m tools.document` makes these types of engine/document. @module */\n"
UNIONS = {"AnySeries", "Event", "NonFinite", "Real", "Scalar"}
WORDS = {str: "string", int: "number", float: "number", bool: "boolean", types.NoneType: "null", Any: "unknown"}


def schema() -> str:
    """The published JSON Schema."""
    return json.dumps(RunDocument.model_json_schema(), indent=1) + "\n"


def typescript() -> str:
    """An interface for each row, and the names of unions."""
    return "\n".join([HEAD, *map(_declaration, NAMES.items())])


def _named(module: types.ModuleType) -> Iterator[tuple[Any, str]]:
    """What has a name of its own in TypeScript: rows, unions of rows, and types that hold themselves."""
    for name, made in vars(module).items():
        if is_typeddict(made) and made.__module__ == module.__name__ and not name.startswith("_"):
            yield made, name
        elif isinstance(made, TypeAliasType) or name in UNIONS:
            yield noted(made).type, name


NAMES = dict([*_named(figures), *_named(rows)])


def _declaration(named: tuple[Any, str]) -> str:
    made, name = named
    if not is_typeddict(made):
        return _broken(
            f"export type {name} =",
            _spelled(eval(made.__value__, vars(rows)) if isinstance(made, TypeAliasType) else made),
            "",
        )
    fields = "".join(_property(name, type_) for name, type_ in made.__annotations__.items())
    return f"{_comment(made.__doc__, '')}export interface {name} {{\n{fields}}}\n"


def _property(name: str, type_: Any) -> str:
    field = noted(type_)
    return _comment(field.text, "  ") + _broken(f"  {name}{'?' * field.omitted}:", _members(type_), "  ")


def _broken(head: str, members: list[str], margin: str) -> str:
    """A union on one line, or on one for each of its members where it is too long."""
    line = f"{head} {' | '.join(members)};\n"
    if len(line) <= WIDTH + 1:
        return line
    return "\n".join([head, *(f"{margin}  | {member}" for member in members)]) + ";\n"


def _comment(text: str | None, margin: str) -> str:
    if not text:
        return ""
    text = " ".join(text.split())  # from Python 3.13 on docstrings come without their margin
    line = f"{margin}/** {text} */"
    if len(line) > WIDTH:
        rows = textwrap.wrap(text, WIDTH - len(margin) - 3)
        line = "\n".join([f"{margin}/**", *(f"{margin} * {row}" for row in rows), f"{margin} */"])
    return line + "\n"


def _members(declared: Any) -> list[str]:
    """The members of a union, or the one that another type is; by name where it has one."""
    bare = noted(declared).type
    return [NAMES[bare]] if bare in NAMES else _spelled(bare)


def _spelled(bare: Any) -> list[str]:
    origin, args = get_origin(bare), get_args(bare)
    if origin is Literal:
        return [json.dumps(each) for each in args]
    if origin in (types.UnionType, Union):
        part = max((each for each in NAMES if {*get_args(each)} < {*args}), key=lambda each: len(get_args(each)))
        rest = [each for each in args if each not in get_args(part)]
        named = [NAMES[part]] if get_args(part) else []
        return list(dict.fromkeys([*named, *(word for each in rest for word in _members(each))]))
    if origin is list:
        inner = _members(args[0])
        return [f"({' | '.join(inner)})[]" if inner[1:] else f"{inner[0]}[]"]
    if origin is tuple:
        return [f"[{', '.join(' | '.join(_members(each)) for each in args)}]"]
    if origin is dict:
        return [f"Record<string, {' | '.join(_members(args[1]))}>"]
    return [WORDS[bare]]


def page() -> str:
    """docs/trace.md: its prose, with the tables between its marks made anew."""
    tables = {
        "fields": [(f"`{name}`", noted(type_).text or "") for name, type_ in rows.RunDocument.__annotations__.items()],
        "events": [(_kind(event), event.__doc__ or "") for event in get_args(rows.Event)],
    }
    text = PAGE.read_text("utf-8")
    for name, table in tables.items():
        begin, end = f"<!-- {name}: python -m tools.document -->\n", "<!-- end -->"
        before, rest = text.split(begin)
        head, rule, _ = rest.split("\n", 2)
        body = [f"| {what} | {' '.join(told.split()).removesuffix('.')} |" for what, told in table]
        text = "\n".join([before + begin + head, rule, *body, end]) + rest.partition(end)[2]
    return text


def words() -> str:
    """What is said of cuts, for the page."""
    table = {name: cut._asdict() for name, cut in CUTS.items()}
    return (
        "/** What cuts a tensor off, in words: `python -m tools.document` makes them of engine/document/cuts.py. */\n\n"
        "/** By the document's word for the cut. @type {Record<string, {short: string, long: string}>} */\n"
        f"export const CUTS = {_literal(table)};\n"
    )


def _literal(table: dict[str, dict[str, str]]) -> str:
    """An object of JavaScript, as its formatter writes it."""
    rows = []
    for name, row in table.items():
        rows.append(f"  {name}: {{\n")
        for key, text in row.items():
            line = f"    {key}: {json.dumps(text)},\n"
            if len(line) > WIDTH + 1:
                *most, last = textwrap.wrap(text, WIDTH - 12)
                parts = [*(json.dumps(f"{part} ") for part in most), json.dumps(last)]
                line = f"    {key}:\n      " + " +\n      ".join(parts) + ",\n"
            rows.append(line)
        rows.append("  },\n")
    return "{\n" + "".join(rows) + "}"


def _kind(event: Any) -> str:
    (kind,) = get_args(event.__annotations__["kind"])
    return f"`{kind}`"


MADE: dict[Path, Callable[[], str]] = {
    ROOT / "docs" / "schema" / "run.v1.json": schema,
    ROOT / "static" / "js" / "trace" / "document.d.ts": typescript,
    ROOT / "static" / "js" / "trace" / "cuts.js": words,
    PAGE: page,
}


if __name__ == "__main__":
    for path, make in MADE.items():
        path.write_text(make(), "utf-8")
