"""How much a document holds of each thing at most."""

from __future__ import annotations

from collections.abc import Callable

OPS, EVENTS, DOCUMENT_BYTES = 20_000, 100_000, 8_388_608
"""Defaults of a run's limits: rows of `ops`, of `events`, and the size of the whole as JSON."""

INLINE_VALUES = 256
"""Default too: elements of the largest tensor whose numbers are written out."""

NAME, TEXT, MESSAGE, OUTPUT = 200, 4_000, 16_000, 65_536
"""Characters of names and labels, of texts beside the way, of the error's message, and of all that was printed."""

WARNINGS = 200
"""Warnings."""

EXITS = 200
"""Exits, the first of each place and tensor."""

USES, OPTIMIZERS, PARAMETERS = 200, 20, 1000
"""Calls of one optimizer, optimizers, and parameters of one."""

POINTS, NUMBERS, LEAVES = 1000, 20_000, 64
"""Passes of a series of `training`, numbers of all of it, and leaves of a series: the first that it reaches."""

MEMBERS, NESTED, PARTS = 20, 4, 20_000
"""Of what is looked through for names: members of a list, tuple or dict that `globals` names; containers and objects
within what a variable holds, one in the other; modules and members altogether, those that several hold for each."""

CELLS, BINS = 16, 32
"""Rows and columns of a thumbnail, and bars of a histogram."""


def plain(text: str) -> str:
    """The text that an object holds. One of a subclass of `str` may answer whatever its program likes."""
    return text if type(text) is str else str.__str__(text)


_name_of: Callable[[type], str] = vars(type)["__name__"].__get__


def class_name(kind: type) -> str:
    """What a class is called, whatever a metaclass of its program answers."""
    return _name_of(kind)


def shorten(text: str, most: int = NAME) -> str:
    """`text`, cut visibly when it is longer than `most` characters."""
    if type(text) is not str:
        text = plain(text)
    return text if len(text) <= most else f"{text[: most - 1]}…"
