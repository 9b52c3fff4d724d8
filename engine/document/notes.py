"""What a declaration notes of a field besides its type."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple, NotRequired, TypeVar, get_args, get_origin

T = TypeVar("T")


class Missing:
    """Marks a field without which a document is read."""


Defaulted = Annotated[T, Missing]


class Keywords(NamedTuple):
    """Keywords of JSON Schema. `default`: the value of a field that is missing, if not null, empty, 0 or false."""

    examples: tuple[str, ...] = ()
    minimum: int | None = None
    default: str | int | None = None


class Noted(NamedTuple):
    """A field of a row, or a part of its type: the type alone, and what is noted of it.

    `omitted`: it may be left out; `required`: a document without it is none.
    """

    type: Any
    text: str | None
    keywords: Keywords
    omitted: bool
    required: bool


def noted(declared: Any) -> Noted:
    """Take a declared type and its notes apart."""
    omitted = get_origin(declared) is NotRequired
    bare, *notes = get_args(declared) if omitted else (declared,)
    if get_origin(bare) is Annotated:
        bare, *notes = get_args(bare)
    text = next((note for note in reversed(notes) if isinstance(note, str)), None)
    keywords = next((note for note in notes if isinstance(note, Keywords)), Keywords())
    return Noted(bare, text, keywords, omitted, not omitted and Missing not in notes)
