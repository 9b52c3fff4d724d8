"""What workers send as results, held against what it must be before it is kept or served.

A worker may be in the hands of the program that it ran, so its bytes are a stranger's file. Every check costs what the
size that is announced allows, whatever lies behind it, and builds no values out of JSON.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate
from typing import Any

from pydantic import BaseModel

from app.schema import Catalogue, Check, RunDocument
from app.workers.wire import Frame

DOCUMENT_BYTES = 16 << 20
"""What a document may have inflated: twice the engine's `document_bytes`, as text and output come on top of those."""
VALUE_BYTES = 256 << 20
"""What a large value may have inflated, as JSON."""
NESTING = 128
"""How deep lists and objects may lie in each other: PyTorch's tensors have 64 dimensions at most."""
CHUNK = 64 << 10

GZIP = 16 + zlib.MAX_WBITS
GZIP_HEAD = b"\x1f\x8b\x08\x00"  # deflated, and without fields of text
GZIP_LEAST = 18

OUTLINE = """
SELECT key, type, CASE WHEN key IN ('version', 'status') THEN atom END FROM json_each(:text) WHERE json_valid(:text)
"""
KINDS = {
    "string": {"text"},
    "integer": {"integer"},
    "number": {"integer", "real"},
    "boolean": {"true", "false"},
    "null": {"null"},
    "array": {"array"},
    "object": {"object"},
}
"""SQLite's names of what JSON holds, by those of JSON Schema."""

STEPS = {ord("["): 1, ord("]"): -1}
BRACKETS = bytes.maketrans(b"{}", b"[]")
NO_BRACKETS = bytes(set(range(256)) - set(b'[]{}"'))
NO_LEVELS = bytes(set(range(256)) - set(b"[]"))

VALUE_HEAD = re.compile(rb'\{"shape":\[[\d,]{0,1300}\],"dtype":"\w{1,32}","data":')
NO_FINITE = (b'"NaN"', b'"Infinity"', b'"-Infinity"')
OF_NUMBERS = b"[],0123456789+-.eE"
TRUTHS = re.compile(rb"(?:tru|fals)*+")  # true and false without the letter that numbers have, too
LEVELS_AT_ONCE = 2
VALID = "SELECT json_valid(?)"
LONGEST_NUMBER = 1024  # with all brackets around it
ARRAY = re.compile(r"[<|][biufc](?:1|2|4|8|16)")
DTYPE = re.compile(r"\w{1,32}", re.ASCII)
MOST_DIMENSIONS, MOST_IN_A_HEAD = 64, 2048

_checkers = threading.local()


class Misfit(Exception):
    """The bytes are not what they should be; says why, without repeating any of them."""


def announced(parts: Mapping[str, bytes]) -> int:
    """The bytes that checking these parts may have to look at."""
    return sum(len(body) if name.startswith("value:") else inflated_size(body) for name, body in parts.items())


def check(kind: str, reply: Frame, *, run: str = "", values_bytes: int = 0) -> None:
    """Hold the parts of a job's reply against what that kind of job answers; `run` is its id. Raises Misfit."""
    for name, body in reply.parts.items():
        if name.startswith("value:"):
            values_bytes -= check_packed(body, values_bytes)
        elif name == "document":
            check_document(inflate(body, DOCUMENT_BYTES), run, reply.header["status"])
        elif kind in BODIES:
            check_json(inflate(body, DOCUMENT_BYTES), BODIES[kind])
        elif kind in ("value", "format"):
            check_value(body)
        else:
            check_text(inflate(body, DOCUMENT_BYTES))


BODIES: dict[str, type[BaseModel]] = {"check": Check, "ops": Catalogue}
"""What the body of a job's answer must look like; values and exports are looked at in ways of their own."""


def prepare() -> None:
    """Make ready what checks need, which takes the time of ten runs."""
    for model in (RunDocument, *BODIES.values()):
        outline(model)


def inflated_size(body: bytes) -> int:
    """The size a gzip body says it has when inflated, in its last four bytes."""
    return int.from_bytes(body[-4:], "little")


def check_head(body: bytes, limit: int) -> int:
    """The size that a gzip body announces, if it begins as one and that is within the limit."""
    if len(body) < GZIP_LEAST or not body.startswith(GZIP_HEAD):
        raise Misfit("it is not compressed")
    if (size := inflated_size(body)) > limit:
        raise Misfit("it is too large when inflated")
    return size


def inflate(body: bytes, limit: int) -> bytes:
    """The content of a gzip body: one member, complete, with nothing after it, of the size that it announces."""
    size = check_head(body, limit)
    decoder = zlib.decompressobj(GZIP)
    try:
        content = decoder.decompress(body, size + 1)
    except zlib.error:
        raise Misfit("it cannot be inflated") from None
    if len(content) != size or not decoder.eof or decoder.unused_data:
        raise Misfit("it is not of the size that it announces")
    return content


def inflate_piecewise(body: bytes, limit: int) -> Iterator[bytes]:
    """What `inflate` gives, `CHUNK` bytes at a time."""
    size = check_head(body, limit)
    decoder = zlib.decompressobj(GZIP)
    try:
        for start in range(0, len(body), CHUNK):
            rest = body[start : start + CHUNK]
            while rest and not decoder.eof:
                yield (piece := decoder.decompress(rest, CHUNK))
                rest = decoder.unconsumed_tail
                size -= len(piece)
                if size < 0:
                    break
        yield (piece := decoder.flush())
    except zlib.error:
        raise Misfit("it cannot be inflated") from None
    if size != len(piece) or not decoder.eof or decoder.unused_data or rest:
        raise Misfit("it is not of the size that it announces")


def check_text(content: bytes) -> str:
    """Text in UTF-8."""
    if b"\0" in content:
        raise Misfit("there is a zero byte in it")
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise Misfit("it is not UTF-8") from None


def check_document(content: bytes, run: str, status: str) -> None:
    """The document of this run, which begins with its id."""
    members = check_json(content, RunDocument)
    if not content.startswith((b'{"id":"%s"' % run.encode(), b'{"id": "%s"' % run.encode())):
        raise Misfit("it is the document of another run")
    if members["version"] != 1 or members["status"] != status:
        raise Misfit("it is of another version or status")


def check_json(content: bytes, model: type[BaseModel]) -> dict[str, Any]:
    """An object of JSON with the members of `model`, each of a type that it may have; gives version and status.

    SQLite reads it: in C, without the interpreter's lock, and into a few bytes for each value.
    """
    if nesting(content) > NESTING:
        raise Misfit("it is nested too deep")
    expected, required = outline(model)
    try:
        rows = checker().execute(OUTLINE, {"text": check_text(content)}).fetchmany(len(expected) + 1)
    except sqlite3.Error:
        raise Misfit("it is not JSON") from None
    found = {key: type_ for key, type_, _ in rows}
    if not required <= found.keys() or len(found) != len(rows):
        raise Misfit("it lacks members, or has one twice")
    if any(type_ not in expected.get(key, ()) for key, type_ in found.items()):
        raise Misfit("a member of it is unknown, or of another type")
    return {key: atom for key, _, atom in rows}


@lru_cache
def outline(model: type[BaseModel]) -> tuple[dict[str, set[str]], set[str]]:
    """The types that each member of `model` may have, in SQLite's words, and which ones there must be."""
    schema = model.model_json_schema()
    definitions = schema.get("$defs", {})

    def types(part: Mapping[str, Any]) -> set[str]:
        if "$ref" in part:
            return types(definitions[part["$ref"].rpartition("/")[2]])
        if "anyOf" in part:
            return set().union(*map(types, part["anyOf"]))
        return KINDS[part["type"]]

    members = {name: types(part) for name, part in schema["properties"].items()}
    return members, set(schema["required"])


def checker() -> sqlite3.Connection:
    """This thread's own connection to a database of nothing."""
    connection: sqlite3.Connection | None = getattr(_checkers, "connection", None)
    if connection is None:
        connection = _checkers.connection = sqlite3.connect(":memory:")
    return connection


def nesting(content: bytes) -> int:
    """How deep brackets outside strings are nested, if `content` is JSON; for all else any number.

    It is not counted much further than `NESTING`.
    """
    if b"\\" in content:
        content = content.replace(rb"\\", b"").replace(rb"\"", b"")
    content = content.translate(BRACKETS, NO_BRACKETS).replace(b'""', b"")
    level = highest = inside = 0
    for start in range(0, len(content), CHUNK):
        if highest > NESTING:
            break
        pieces = content[start : start + CHUNK].split(b'"')
        brackets = b"".join(pieces[inside::2])
        inside ^= ~len(pieces) & 1
        highest, level = max(highest, deepest(brackets, level)), level_after(brackets, level)
    return highest


def deepest(brackets: bytes, level: int) -> int:
    """The highest level that these brackets lead to from this one."""
    return max(accumulate(map(STEPS.__getitem__, brackets), initial=level))


def level_after(brackets: bytes, level: int) -> int:
    return level + brackets.count(b"[") - brackets.count(b"]")


def check_value(body: bytes) -> None:
    """A large value as clients get it. It may be of a hundred megabytes, and is never in memory as a whole."""
    pieces = inflate_piecewise(body, VALUE_BYTES)
    first = next(pieces, b"")
    head = VALUE_HEAD.match(first)
    if head is None:
        raise Misfit("it does not begin as a value does")
    level, rest = 0, first[head.end() :]
    for piece in pieces:
        end = rest.rfind(b",") + 1
        level = check_numbers(rest[:end], level)
        rest = rest[end:]
        if len(rest) > LONGEST_NUMBER:
            raise Misfit("it holds something else than numbers")
        rest += piece
    if not rest.endswith(b"}"):
        raise Misfit("it does not end as a value does")
    check_numbers(rest[:-1], level, last=True)


def check_numbers(text: bytes, level: int, *, last: bool = False) -> int:
    """A piece of nested lists of numbers, cut after a comma, that begins at this level; gives the level at its end.

    SQLite reads it, with the brackets around it that the other pieces have.
    """
    if not text and not last:
        return level
    brackets = text.translate(None, NO_LEVELS)
    after = level_after(brackets, level)
    for _ in range(LEVELS_AT_ONCE):  # most brackets are there for the innermost lists
        brackets = brackets.replace(b"[]", b"")
    body = text if last else text[:-1]
    for word in NO_FINITE:
        body = body.replace(word, b"true")
    complete = not body.startswith((b"]", b",")) and (last or (body and not body.endswith((b"[", b","))))
    fits = (
        complete
        and (after == 0 if last else after > 0)
        and deepest(brackets, level) + LEVELS_AT_ONCE <= NESTING
        and TRUTHS.fullmatch(body.translate(None, OF_NUMBERS))
        and is_json(b"[" * level + body + b"]" * after)
    )
    if not fits:
        raise Misfit("it holds something else than lists of numbers")
    return after


def is_json(text: bytes) -> bool:
    """Whether ASCII text is JSON, as SQLite reads it."""
    return bool(checker().execute(VALID, (text.decode(),)).fetchone()[0])


def check_packed(packed: bytes, limit: int) -> int:
    """A large value as it is stored (`app.workers.encoding.pack`); gives the bytes of its elements."""
    end = packed.find(b"\n", 0, MOST_IN_A_HEAD)
    try:
        head = json.loads(packed[: max(0, end)])
        shape, dtype, array = head.pop("shape"), head.pop("dtype"), head.pop("numpy")
        fits = not head and ARRAY.fullmatch(array) and DTYPE.fullmatch(dtype) and len(shape) <= MOST_DIMENSIONS
        fits = fits and all(type(length) is int and 0 <= length < 1 << 40 for length in shape)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        fits = False
    if not fits:
        raise Misfit("a value does not say what it is")
    size: int = math.prod(shape) * int(array[2:])
    if size > limit:
        raise Misfit("a value is too large")
    decoder = zlib.decompressobj()
    try:
        elements = decoder.decompress(memoryview(packed)[end + 1 :], size + 1)
    except zlib.error:
        raise Misfit("a value cannot be inflated") from None
    if len(elements) != size or not decoder.eof or decoder.unused_data:
        raise Misfit("a value is not of the size that it announces")
    return size
