"""How results become bytes, inside the worker: strict JSON, compressed at once."""

from __future__ import annotations

import gzip
import io
import json
import math
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from pydantic_core import PydanticSerializationError, to_json

from engine.trace.values import nested

GZIP_LEVEL = 4


PIECE = 1 << 16
"""Numbers that are written at a time: as Python's they take twenty times as much memory."""


def compress(body: bytes) -> bytes:
    """`body` in gzip, without a time stamp: the same document is the same bytes."""
    return gzip.compress(body, GZIP_LEVEL, mtime=0)


def compress_value(array: np.ndarray[Any, Any], dtype: str) -> bytes:
    """A value as clients get it, in compressed JSON."""
    head = encode({"shape": list(array.shape), "dtype": dtype})
    made = io.BytesIO()
    with gzip.GzipFile(fileobj=made, mode="wb", compresslevel=GZIP_LEVEL, mtime=0) as file:
        file.write(head[:-1] + b',"data":')
        for piece in written(array):
            file.write(piece)
        file.write(b"}")
    return made.getvalue()


def written(array: np.ndarray[Any, Any]) -> Iterator[bytes]:
    """The elements as nested lists in JSON, a few at a time."""
    if array.size <= PIECE:
        yield encode(nested(array))
        return
    inner = array.size // len(array)
    yield b"["
    if inner > PIECE:
        for place, row in enumerate(array):
            yield b"," if place else b""
            yield from written(row)
    else:
        step = PIECE // inner
        for first in range(0, len(array), step):
            yield b"," if first else b""
            yield encode(nested(array[first : first + step]))[1:-1]
    yield b"]"


def encode(content: Any) -> bytes:
    """`content` as JSON; NaN and infinities become the strings "NaN", "Infinity", "-Infinity"."""
    try:
        return to_json(content, inf_nan_mode="strings", fallback=plain)
    except PydanticSerializationError:
        # Text that is not valid Unicode (a program may print half of a surrogate pair) has an ASCII spelling in JSON.
        return json.dumps(spell_non_finite(content), allow_nan=False).encode()


def spell_non_finite(content: Any) -> Any:
    """`content` in plain Python values, NaN and infinities as strings."""
    if isinstance(content, dict):
        return {str(key): spell_non_finite(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [spell_non_finite(value) for value in content]
    if isinstance(content, float) and not math.isfinite(content):
        return "NaN" if math.isnan(content) else "Infinity" if content > 0 else "-Infinity"
    if content is None or isinstance(content, str | int | float):
        return content
    return spell_non_finite(plain(content))


def plain(value: Any) -> Any:
    """A numpy scalar or array as Python numbers."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"a run document cannot hold {type(value).__name__}")


def narrowed(array: Any) -> Any:
    """The same numbers as float32 where they are bfloat16, whose dtype has no name that says what its bytes mean."""
    return array.astype(np.float32) if array.dtype.char == "E" else array


def pack(array: np.ndarray[Any, Any], dtype: str) -> bytes:
    """A large value as it is stored: one line of JSON, then the compressed elements in C order."""
    array = narrowed(array)
    head = json.dumps({"shape": array.shape, "dtype": dtype, "numpy": array.dtype.str}).encode()
    return head + b"\n" + zlib.compress(np.ascontiguousarray(array).tobytes(), 1)


def unpack(packed: bytes) -> tuple[np.ndarray[Any, Any], str]:
    """The array and PyTorch's name of its dtype, from `pack`."""
    head, _, elements = packed.partition(b"\n")
    about = json.loads(head)
    array = np.frombuffer(zlib.decompress(elements), dtype=about["numpy"]).reshape(about["shape"])
    return array, about["dtype"]
