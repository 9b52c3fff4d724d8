"""`struct`, `base64` and `binascii`: numbers and texts as bytes."""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Callable, Iterator
from typing import Any

from engine.limits import meter
from engine.program.charges import grow, made, written
from engine.program.exceptions import class_of
from engine.program.values import Builtin

_LONGEST = 1000
"""Characters of a format."""


def _size(format: Any) -> int:
    """The bytes of what a format describes, paid for. Raises TypeError and struct.error."""
    if not isinstance(format, str | bytes):
        raise TypeError(f"Struct() argument 1 must be a str or bytes object, not {type(format).__name__}")
    if len(format) > _LONGEST:
        raise ValueError(f"a format of more than {_LONGEST} characters is not read here")
    meter.charge(1 + (len(format) >> 3))
    return struct.calcsize(format)


def _sized(format: Any) -> Any:
    size = _size(format)
    grow(size)
    made(size)
    return format


def _pack(format: Any, *values: Any) -> bytes:
    return struct.pack(_sized(format), *values)


def _buffer(buffer: Any) -> Any:
    if not isinstance(buffer, bytes | bytearray):
        raise TypeError(f"a bytes-like object is required, not '{type(buffer).__name__}'")
    return buffer


def _unpack(format: Any, buffer: Any, /) -> tuple[Any, ...]:
    return struct.unpack(_sized(format), _buffer(buffer))


def _unpack_from(format: Any, /, buffer: Any, offset: int = 0) -> tuple[Any, ...]:
    return struct.unpack_from(_sized(format), _buffer(buffer), offset)


def _iter_unpack(format: Any, buffer: Any, /) -> Iterator[tuple[Any, ...]]:
    found = struct.iter_unpack(_sized(format), _buffer(buffer))
    made(len(buffer))
    return iter(list(found))


class Struct:
    """`struct.Struct`."""

    __module__ = "_struct"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, format: Any) -> None:
        self.size, self.format = _size(format), format

    def pack(self, *values: Any) -> bytes:
        return _pack(self.format, *values)

    def unpack(self, buffer: Any, /) -> tuple[Any, ...]:
        return _unpack(self.format, buffer)

    def unpack_from(self, buffer: Any, offset: int = 0) -> tuple[Any, ...]:
        return _unpack_from(self.format, buffer, offset)

    def iter_unpack(self, buffer: Any, /) -> Iterator[tuple[Any, ...]]:
        return _iter_unpack(self.format, buffer)


Struct.__qualname__ = "Struct"

_QUICK = ("b64encode", "b64decode", "standard_b64encode", "standard_b64decode", "urlsafe_b64encode",
          "urlsafe_b64decode", "b16encode", "encodebytes", "decodebytes")  # fmt: skip
_SLOW = "b32encode b32decode b32hexencode b32hexdecode b16decode a85encode a85decode b85encode b85decode".split()


def _coding(name: str, native: Callable[..., Any], each: int) -> Builtin:
    """`each`: the power of two of bytes that a step pays for."""
    decodes = "decode" in name and name != "decodebytes" or name == "unhexlify"

    def code(s: Any, *args: Any, **options: Any) -> Any:
        if not isinstance(s, bytes | bytearray) and not (decodes and isinstance(s, str)):
            if decodes:
                raise TypeError(f"argument should be a bytes-like object or ASCII string, not {type(s).__name__!r}")
            raise TypeError(f"a bytes-like object is required, not '{type(s).__name__}'")
        grow(8 * len(s))
        meter.charge(len(s) >> each)
        written(2 * len(s))
        return native(s, *args, **options)

    return Builtin(name, code)


MODULES: dict[str, dict[str, Any]] = {
    "struct": {
        "pack": Builtin("pack", _pack),
        "unpack": Builtin("unpack", _unpack),
        "unpack_from": Builtin("unpack_from", _unpack_from),
        "iter_unpack": Builtin("iter_unpack", _iter_unpack),
        "calcsize": Builtin("calcsize", _size),
        "Struct": Struct,
        "error": class_of(struct.error),
    },
    "base64": {
        **{name: _coding(name, getattr(base64, name), 8) for name in _QUICK},
        **{name: _coding(name, getattr(base64, name), 2) for name in _SLOW},
    },
    "binascii": {
        **{name: _coding(name, getattr(binascii, name), 8) for name in ("hexlify", "unhexlify", "crc32")},
        "Error": class_of(binascii.Error),
    },
}
