"""Reading a JSON request body strictly: every body is either a validated model or a typed problem."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from starlette.requests import Request

from app.problems import (
    BODY_TOO_LARGE,
    INVALID_INPUT,
    INVALID_JSON,
    UNSUPPORTED_CONTENT_ENCODING,
    UNSUPPORTED_MEDIA_TYPE,
    Problem,
)

Model = TypeVar("Model", bound=BaseModel)

MAX_DEPTH = 64
MAX_ERRORS = 20
# A client that declares or sends more than this many times the limit is cut off instead of being read to its end.
DRAIN_FACTOR = 16
# A string that never ends matches too: were it to fail, the search would start again at each quote inside it.
STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.DOTALL)
BRACKETS = bytes.maketrans(b"{}", b"[]")
NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
EXPECTED = "expected "
SAID = {
    "extra_forbidden": "nothing of this name belongs here",
    "missing": "this field is missing",
    "model_type": "expected an object",
    "dict_type": "expected an object",
    "list_type": "expected a list",
    "string_type": "expected text",
    "bool_type": "expected true or false",
    "int_type": "expected a whole number",
    "float_type": "expected a number",
}
"""What is said of an error, by pydantic's name for it."""
# What may be a number that has to be looked at; all others are left to the parser, which is much faster.
LONG_INTEGER = re.compile(rb"\d{19}")
LARGE_FLOAT = re.compile(rb"[eE]|\d{300}")


async def read_body(request: Request, limit: int) -> bytes:
    """The request body, at most `limit` bytes.

    A larger body is read on and thrown away for a while, because a client that is still sending often never sees an
    answer that comes before it has finished.
    """
    require_json(request.headers)
    drain = limit * DRAIN_FACTOR
    if expected_size(request.headers, drain + 1) > drain and "content-length" in request.headers:
        raise too_large(limit)
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= limit:
            chunks.append(chunk)
        elif size > drain:
            break
    if size > limit:
        raise too_large(limit)
    return b"".join(chunks)


def expected_size(headers: Mapping[str, str], limit: int) -> int:
    """The most bytes of a body that will be kept: what it says it has, or all that it may have."""
    declared = headers.get("content-length", "")
    return min(int(declared), limit) if declared.isdecimal() and len(declared) < 16 else limit


def too_large(limit: int) -> Problem:
    return Problem(BODY_TOO_LARGE, f"The body may have {limit} bytes.", limit=limit)


def require_json(headers: Mapping[str, str]) -> None:
    media_type, _, parameters = headers.get("content-type", "").partition(";")
    charset = re.search(r'charset\s*=\s*"?([\w-]*)', parameters, re.IGNORECASE)
    if media_type.strip().lower() != "application/json" or (charset and charset[1].lower() not in ("utf-8", "utf8")):
        raise Problem(UNSUPPORTED_MEDIA_TYPE, "The Content-Type is not application/json.")
    if headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        raise Problem(UNSUPPORTED_CONTENT_ENCODING, "The body has a Content-Encoding.")


def parse_json(body: bytes) -> Any:
    """`body` as Python values. Stricter than `json.loads`, as each difference is something that breaks later.

    Refused: other encodings than UTF-8, NaN and Infinity, numbers that overflow, duplicate keys, unpaired surrogates,
    nesting deeper than `MAX_DEPTH`.
    """
    if depth(body) > MAX_DEPTH:
        raise Problem(INVALID_JSON, f"The body is nested more than {MAX_DEPTH} levels deep.", limit=MAX_DEPTH)
    try:
        parsed = json.loads(
            body.decode("utf-8"),
            object_pairs_hook=unique_keys,
            parse_constant=refuse_constant,
            parse_float=finite_float if LARGE_FLOAT.search(body) else None,
            parse_int=bounded_int if LONG_INTEGER.search(body) else None,
        )
        if b"\\u" in body:
            canonical_json(parsed)  # writes every string once, which finds unpaired surrogates
    except UnicodeDecodeError as error:
        raise Problem(INVALID_JSON, f"Byte {error.start} is not UTF-8.") from None
    except UnicodeEncodeError:
        raise Problem(INVALID_JSON, "A string holds half of a surrogate pair.") from None
    except RecursionError:
        raise Problem(INVALID_JSON, "The body is nested too deep.", limit=MAX_DEPTH) from None
    except json.JSONDecodeError as error:
        raise Problem(INVALID_JSON, f"{error.msg} at line {error.lineno}, column {error.colno}.") from None
    return parsed


def canonical_json(value: Any) -> bytes:
    """The one spelling of `value`: sorted keys, no spaces, UTF-8. Raises UnicodeEncodeError on unpaired surrogates."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode()


def depth(body: bytes) -> int:
    """How deep brackets outside strings are nested; at least `MAX_DEPTH` + 1 stands for all that are deeper."""
    brackets = STRING.sub(b"", body).translate(BRACKETS, NO_BRACKETS)
    level = 0
    while brackets and level <= MAX_DEPTH:
        inner = brackets.replace(b"[]", b"")
        if inner == brackets:  # they do not match: this is not JSON, but must not be too deep for the parser to say so
            return level + brackets.count(b"[")
        brackets = inner
        level += 1
    return level


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise Problem(INVALID_JSON, "An object has the same key twice.")
    return result


def refuse_constant(name: str) -> NoReturn:
    raise Problem(INVALID_JSON, f'{name} is not JSON; in tensor data write it as the string "{name}".')


def finite_float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise Problem(INVALID_JSON, "A number is too large for a 64-bit float.")
    return value


def bounded_int(text: str) -> int:
    if len(text) > 20 or not -(1 << 63) <= int(text) < 1 << 64:
        raise Problem(INVALID_JSON, "A whole number does not fit in 64 bits.")
    return int(text)


def validate(model: type[Model], parsed: Any) -> Model:
    """`parsed` as a `model`, or an `invalid-input` problem that points at what does not fit, without repeating it."""
    try:
        return model.model_validate(parsed, strict=True)
    except ValidationError as error:
        errors = misfits(error.errors(include_input=False, include_context=False, include_url=False), parsed)
        count = len(errors)
        detail = f"{count} thing{'s' * (count != 1)} in the body do{'es' * (count == 1)} not fit."
        raise Problem(INVALID_INPUT, detail, errors=errors[:MAX_ERRORS]) from None


def misfits(found: Sequence[ErrorDetails], parsed: Any) -> list[dict[str, str]]:
    """What does not fit, once for each place: of what a place may hold, every kind has an error of its own."""
    words: dict[tuple[int | str, ...], dict[str, None]] = {}
    kinds: set[tuple[int | str, ...]] = set()
    for item in found:
        place = within(item["loc"], parsed, missing=item["type"] == "missing")
        words.setdefault(place, {})[said(item)] = None
        if len(place) < len(item["loc"]):
            kinds.add(place)
    inside = {place[:length] for place in words for length in range(len(place))}
    return [
        {"pointer": pointer(place), "detail": listed(list(said_there))}
        for place, said_there in words.items()
        if place not in kinds & inside  # it is a list, and what does not fit is in there
    ]


def within(location: tuple[int | str, ...], parsed: Any, *, missing: bool) -> tuple[int | str, ...]:
    """A pydantic location without the steps that name a kind of value, and are nowhere in the body."""
    place: list[int | str] = []
    for step in location:
        if isinstance(parsed, dict) and (step in parsed or (missing and step == location[-1])):
            parsed = parsed.get(step)
        elif isinstance(parsed, list) and isinstance(step, int):
            parsed = parsed[step]
        else:
            continue
        place.append(step)
    return tuple(place)


def said(item: ErrorDetails) -> str:
    """What pydantic says, in words about the body."""
    words = re.sub("^Input should be (greater|less) than", r"expected a number \1 than", item["msg"])
    words = words.removeprefix("Value error, ")
    return SAID.get(item["type"], words.replace("Input should be ", EXPECTED))


def listed(said_there: list[str]) -> str:
    """What is said about one place, in one sentence."""
    kinds = [words.removeprefix(EXPECTED) for words in said_there if words.startswith(EXPECTED)]
    if "a number" in kinds and "a whole number" in kinds:
        kinds.remove("a whole number")
    others = [words for words in said_there if not words.startswith(EXPECTED)]
    return "; ".join(others + ([EXPECTED + ", or ".join(kinds)] if kinds else []))


def pointer(location: tuple[int | str, ...]) -> str:
    """A pydantic location as a JSON pointer (RFC 6901); long keys are cut, control characters replaced."""
    steps = []
    for step in location:
        text = str(step)
        text = text if len(text) <= 60 else text[:59] + "…"
        text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
        steps.append("/" + text.replace("~", "~0").replace("/", "~1"))
    return "".join(steps)
