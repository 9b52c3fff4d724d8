"""The examples menu: `menu.toml` describes it, `programs/` holds the programs."""

from __future__ import annotations

import gzip
import hashlib
import tomllib
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, Field

FOLDER = Path(__file__).parent


class ExampleGroup(BaseModel):
    """Examples that belong together."""

    id: str
    title: str = Field(description="The question they are about.")
    source: str = Field(description="The text or topic they come from.")


class Example(BaseModel):
    """A program to start from."""

    id: str
    group: str = Field(description="Id of its group.")
    title: str
    description: str = Field(description="One line about the program.")
    look: str = Field(description="What to look at while it runs, in one sentence.")
    question: str = Field(description="The question it answers.")
    code: str


class ExampleList(BaseModel):
    """The menu, in order."""

    groups: list[ExampleGroup]
    examples: list[Example]


@dataclass(frozen=True, slots=True)
class Opening:
    """An example to begin with: its id, and its question in the fewest words."""

    id: str
    ask: str


@dataclass(frozen=True)
class Examples:
    """The menu, and the same as compressed JSON with the tag that names it."""

    first: tuple[Opening, ...]
    menu: ExampleList
    named: dict[str, Example]
    compressed: bytes
    tag: str


def load_examples(folder: Path = FOLDER) -> Examples:
    """Read the menu from disk; every entry must have its program and its group, and the first be among them."""
    content = tomllib.loads((folder / "menu.toml").read_text("utf-8"))
    groups = [ExampleGroup.model_validate(row) for row in content["group"]]
    known = {group.id for group in groups}
    examples = []
    for row in content["example"]:
        if row["group"] not in known:
            raise ValueError(f"example {row['id']}: there is no group {row['group']}")
        code = (folder / "programs" / f"{row['id']}.py").read_text("utf-8")
        examples.append(Example.model_validate({**row, "code": code}))
    menu = ExampleList(groups=groups, examples=examples)
    named = {each.id: each for each in examples}
    first = tuple(Opening(named[row["id"]].id, row["ask"]) for row in content["first"])
    body = menu.model_dump_json().encode()
    return Examples(
        first,
        menu,
        named,
        gzip.compress(body, 9, mtime=0),
        hashlib.sha256(body).hexdigest()[:32],
    )
