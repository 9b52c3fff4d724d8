"""`hashlib`, and what `secrets` and `uuid` draw: of a generator of their own, the same in every run."""

from __future__ import annotations

import base64
import hashlib
import random
import uuid
from collections.abc import Callable
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.charges import as_integer, grow
from engine.program.stdlib.random import drawn
from engine.program.text import to_text
from engine.program.values import Builtin, fake_address

_NAMES = tuple(sorted(hashlib.algorithms_guaranteed))


class Hash:
    """What `hashlib.md5()` gives."""

    __module__ = "_hashlib"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, name: str, hashed: Any) -> None:
        self.name, self._hash = name, hashed

    def update(self, obj: Any, /) -> None:
        self._hash.update(_bytes(obj))

    def digest(self, *length: Any) -> bytes:
        return bytes(self._hash.digest(*_lengths(length)))

    def hexdigest(self, *length: Any) -> str:
        return str(self._hash.hexdigest(*_lengths(length)))

    def copy(self) -> Hash:
        return Hash(self.name, self._hash.copy())

    @property
    def digest_size(self) -> int:
        return int(self._hash.digest_size)

    @property
    def block_size(self) -> int:
        return int(self._hash.block_size)

    def __repr__(self) -> str:
        return f"<{self.name} _hashlib.HASH object @ {fake_address(self)}>"


Hash.__name__ = Hash.__qualname__ = "HASH"


def _bytes(data: Any) -> Any:
    """Bytes to be hashed, paid for. Raises TypeError for what is none."""
    if isinstance(data, str):
        raise TypeError("Strings must be encoded before hashing")
    if not isinstance(data, bytes | bytearray):
        raise TypeError("object supporting the buffer API required")
    meter.charge(1 + (len(data) >> 11))
    return data


def _lengths(given: tuple[Any, ...]) -> list[Any]:
    lengths = [as_integer(length) for length in given]
    for length in lengths:
        if isinstance(length, int):
            grow(2 * length)
            meter.charge(max(0, length) >> 10)
    return lengths


def _hash(name: str, native: Callable[..., Any]) -> Builtin:
    def make(data: Any = b"", /, *, string: Any = b"", usedforsecurity: bool = True) -> Hash:
        return Hash(name, native(_bytes(data or string)))

    return Builtin(name if name.startswith(("blake", "sha3", "shake")) else f"openssl_{name}", make)


_MADE = {name: _hash(name, getattr(hashlib, name)) for name in _NAMES}


def _new(name: Any, data: Any = b"", **options: Any) -> Any:
    known = name.lower() if isinstance(name, str) else ""
    if known not in _MADE:
        raise ValueError(f"unsupported hash type {to_text(name)}")
    return _MADE[known].function(data, **options)


# --- numbers that nobody can guess


def _drawing() -> random.Random:
    made: random.Random = sessions.active.settings.setdefault(("secrets", "generator"), random.Random("secrets"))
    return made


def _token_bytes(nbytes: Any = None) -> bytes:
    count = 32 if nbytes is None else as_integer(nbytes)
    drawn(count)
    return _drawing().randbytes(count)


def _token_urlsafe(nbytes: Any = None) -> str:
    return base64.urlsafe_b64encode(_token_bytes(nbytes)).rstrip(b"=").decode()


def _randbelow(exclusive_upper_bound: Any) -> int:
    bound = as_integer(exclusive_upper_bound)
    if isinstance(bound, int):
        meter.charge(bound.bit_length() >> 10)
    if bound <= 0:
        raise ValueError("Upper bound must be positive.")
    return _drawing().randrange(bound)


def _randbits(k: Any) -> int:
    bits = as_integer(k)
    if isinstance(bits, int):
        meter.check_bits(bits)
    return _drawing().getrandbits(bits)


def _choice(sequence: Any) -> Any:
    return sequence[_drawing().randrange(len(sequence))] if len(sequence) else sequence[0]


_SECRETS: dict[str, Any] = {
    "token_bytes": _token_bytes, "token_hex": lambda nbytes=None: _token_bytes(nbytes).hex(),
    "token_urlsafe": _token_urlsafe, "randbelow": _randbelow, "randbits": _randbits, "choice": _choice,
    "compare_digest": lambda a, b: bool(a == b),
}  # fmt: skip


# --- uuid


class UUID:
    """`uuid.UUID`."""

    __module__ = "uuid"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(
        self, hex: Any = None, bytes: Any = None, bytes_le: Any = None, fields: Any = None, int: Any = None,
        version: Any = None,
    ) -> None:  # fmt: skip
        if isinstance(hex, str):
            meter.charge(len(hex) >> 6)
        self._uuid = uuid.UUID(hex, bytes, bytes_le, fields, int, version)

    hex = property(lambda self: self._uuid.hex)
    bytes = property(lambda self: self._uuid.bytes)
    int = property(lambda self: self._uuid.int)
    urn = property(lambda self: self._uuid.urn)
    version = property(lambda self: self._uuid.version)
    variant = property(lambda self: self._uuid.variant)
    fields = property(lambda self: self._uuid.fields)
    node = property(lambda self: self._uuid.node)

    def __str__(self) -> str:
        return str(self._uuid)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __int__(self) -> Any:
        return self._uuid.int

    def __eq__(self, other: object) -> bool:
        return self._uuid == other._uuid if isinstance(other, UUID) else NotImplemented

    def __lt__(self, other: Any) -> bool:
        return self._uuid < other._uuid if isinstance(other, UUID) else NotImplemented

    def __hash__(self) -> Any:
        return hash(self._uuid)


def _named(make: Callable[[uuid.UUID, str], uuid.UUID]) -> Callable[[Any, Any], UUID]:
    def of_name(namespace: Any, name: Any) -> UUID:
        meter.charge(1 + (len(name) >> 8))
        return UUID(int=make(namespace._uuid, name).int)

    return of_name


def _of_version(version: int) -> Callable[..., UUID]:
    return lambda *args, **kwargs: UUID(int=_drawing().getrandbits(128), version=version)


_UUID: dict[str, Any] = {
    "uuid1": _of_version(1), "uuid4": _of_version(4), "uuid3": _named(uuid.uuid3), "uuid5": _named(uuid.uuid5),
}  # fmt: skip

MODULES: dict[str, dict[str, Any]] = {
    "hashlib": {
        **_MADE,
        "new": Builtin("new", _new),
        "algorithms_guaranteed": set(_NAMES),
        "algorithms_available": set(_NAMES),
    },
    "secrets": {name: Builtin(name, function) for name, function in _SECRETS.items()},
    "uuid": {
        **{name: Builtin(name, function) for name, function in _UUID.items()},
        **{name: UUID(int=getattr(uuid, name).int)
           for name in ("NAMESPACE_DNS", "NAMESPACE_URL", "NAMESPACE_OID", "NAMESPACE_X500")},
        "UUID": UUID,
    },
}
