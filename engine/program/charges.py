"""What Python's own operations cost, per item: declared once, charged before the work is done.

A step of fuel pays for at most 10 µs of CPU and 256 bytes of memory, so that a program that spends all its fuel on one
thing stays within ten seconds and 256 MiB. Small containers are free beyond the step of their statement.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from engine.limits import meter

STEP: dict[str, int] = {
    "copied": 32,  # references copied from one container to another
    "made": 8,  # numbers, texts and tuples made
    "keyed": 2,  # entries put into a dict or set
    "compared": 32,  # items compared or passed over one by one
    "called": 32,  # items that C code takes from an iterator
    "sorted": 32,  # comparisons of a sort
    "chars": 64,  # characters made: up to four bytes each
    "scanned": 1024,  # characters looked at
    "bits": 2048,  # bits of a long integer made
    "square": 1 << 17,  # products of bits that a multiplication or division of long integers takes
    "digits": 1 << 22,  # products of bits that a long integer takes on its way to decimal digits
    "clashes": 64,  # comparisons of different keys with equal hashes
}
"""How many of each one step pays for."""

_COPIED, _MADE, _KEYED, _COMPARED, _SORTED = (STEP[name] for name in "copied made keyed compared sorted".split())
_CHARS, _SCANNED, _SQUARE, _BITS, _CLASHES = (STEP[name] for name in "chars scanned square bits clashes".split())
_DIGITS = STEP["digits"]


def copied(count: int) -> None:
    """Charge for references that are copied."""
    if count >= _COPIED:
        meter.charge(count // _COPIED)


def made(count: int) -> None:
    """Charge for objects that are made."""
    if count >= _MADE:
        meter.charge(count // _MADE)


def keyed(count: int) -> None:
    """Charge for entries of a dict or set."""
    if count >= _KEYED:
        meter.charge(count // _KEYED)


def compared(count: int) -> None:
    """Charge for items that are looked at one by one."""
    if count >= _COMPARED:
        meter.charge(count // _COMPARED)


def ordered(count: int) -> None:
    """Charge for a sort of so many items."""
    if count > 8:
        meter.charge(count * count.bit_length() // _SORTED)


def scanned(count: int, pattern: int = 1) -> None:
    """Charge for looking at characters; `pattern`: the length of what is looked for at each of them."""
    if count >= 256:
        meter.charge(count * (8 + min(pattern, 128)) // (8 * _SCANNED))


def written(count: int) -> None:
    """Charge for characters that are made."""
    if count >= _CHARS:
        meter.charge(count // _CHARS)


_FAST = frozenset("utf-8 utf8 utf_8 ascii latin-1 latin1 latin_1 utf-16 utf-32".split())


def coded(length: int, encoding: Any = "utf-8") -> None:
    """Charge for characters that become bytes, or bytes that become characters: most encodings are tables in Python,
    and those of domain names take the square of a name."""
    written(length)
    if not isinstance(encoding, str) or (name := encoding[:64].lower()) in _FAST:
        return
    meter.charge(10 + (length >> 4))
    if "".join(filter(str.isalnum, name)) in ("punycode", "idna"):
        meter.charge(length * length)


def multiplied(a: int, b: int) -> None:
    """Charge for an operation on two long integers of `a` and `b` bits: a product, a quotient, a remainder."""
    meter.charge(a * b // _SQUARE + (a + b) // _BITS)


def digits(value: int) -> None:
    """Charge for writing an integer in decimal digits."""
    bits = value.bit_length()
    if bits > 1024:
        meter.charge(bits * bits // _DIGITS)


def as_integer(value: Any) -> Any:
    """The integer that functions of C make of a value that stands for one, so that guards see how large it is."""
    kind = type(value)
    if kind is int or not hasattr(kind, "__index__"):
        return value
    try:
        return operator.index(value)
    except TypeError:  # it stands for none: that is theirs to say
        return value


def grow(length: int) -> None:
    """Before a sequence of this length is built: check and charge it."""
    meter.check_length(length)
    if length > 63:
        meter.charge(length >> 6)


def len_of_range(values: range) -> int:
    """Length of a range, also when it does not fit `len`."""
    return max(0, (values.stop - values.start + values.step - (1 if values.step > 0 else -1)) // values.step)


# --- keys

SPREAD: set[Any] = {object.__hash__, type.__hash__, str.__hash__, float.__hash__, bytes.__hash__}
"""`__hash__` of types whose objects, where they differ, a program cannot give one hash."""
_FAR, _NEAR = 1 << 60, 1 << 50


def scatters(key: Any) -> bool:
    """Whether a program cannot choose many different keys of this kind that have one hash."""
    kind = type(key)
    if kind is str or kind is float or kind is bool or key is None:
        return True
    if kind is int:
        return bool(-_FAR < key < _FAR)
    if kind is tuple:
        plain = [type(i) in (str, float) or type(i) is int and -_NEAR < i < _NEAR or _plain(i) for i in key[:9]]
        return all(plain) if len(plain) <= 8 else _holds_little(key)
    ours = bool(kind.__module__.startswith("engine."))
    return bool(kind.__hash__ in SPREAD) or ours and not isinstance(key, tuple)


def _plain(item: Any) -> bool:
    return item is None or type(item) is not int and type(item) is not tuple and scatters(item)


_LITTLE = 64
"""Bits of what tuples hold that can have one hash only by chance."""


def _holds_little(key: tuple[Any, ...]) -> bool:
    """Whether a longer tuple is the board of a game: small numbers, or one character in each place."""
    if len(key) > _LITTLE:
        return False
    kinds = set(map(type, key))
    if kinds == {str}:
        return all([len(item) == 1 and item.isascii() for item in key]) and 7 * len(key) <= _LITTLE
    return kinds <= {int, bool} and -2 not in key and sum(map(int.bit_length, key)) + len(key) <= _LITTLE


_TRUSTED: frozenset[type] = frozenset({str, float, bool, type(None)})


def probed(key: Any, count: int) -> None:
    """Charge for looking up a key among `count` others, which it may all have to be compared with."""
    if count >= _CLASHES and type(key) not in _TRUSTED and not scatters(key):
        meter.charge(count // _CLASHES)


def clashed(keys: Iterable[Any], count: int) -> None:
    """Charge for putting all these keys into one dict or set."""
    if count < 32:
        return
    kinds = set(map(type, keys))
    if kinds <= _TRUSTED:
        return
    if kinds == {int}:
        if -_FAR < min(keys) and max(keys) < _FAR:
            return
        far = [key for key in keys if not -_FAR < key < _FAR]
        groups: dict[int, int] = {}
        for value in map(hash, far):
            groups[value] = groups.get(value, 0) + 1
        meter.charge(sum([size * size for size in groups.values()]) // (2 * _CLASHES))
        return
    wild = count - sum(map(scatters, keys))
    meter.charge(wild * wild // (2 * _CLASHES))
