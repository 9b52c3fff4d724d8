"""How PyTorch words a call that fits none of several signatures: what was given, and each signature with its verdict.

The words are put together from the printed signatures alone, with all the oddities that has: what is after a blank
counts as a parameter's name, so one with a default is named by its default, and `*` is a parameter too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors.wording import type_name
from engine.signatures.parser import Signature


def invalid(name: str, signatures: Sequence[Signature], args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """The whole text."""
    text = f"{name}() received an invalid combination of arguments - got "
    if len(signatures) == 1:
        only = signatures[0]
        unknown = _unmatched(only, kwargs)
        if unknown:
            return f"{text}unrecognized keyword arguments: {', '.join(unknown)}"
        same = len(args) + len(kwargs) == len(only.words)
        given = _marked(only, args, kwargs) if same else _described(args, kwargs)
        return f"{text}{given}, but expected {only.shown}"
    text += f"{_described(args, kwargs)}, but expected one of:\n"
    for signature in signatures:
        text += f" * {signature.shown}\n"
        if len(args) + len(kwargs) != len(signature.words):
            continue
        unknown = _unmatched(signature, kwargs)
        if unknown:
            text += f"      didn't match because some of the keywords were incorrect: {', '.join(unknown)}\n"
        else:
            marks = _marked(signature, args, kwargs)
            text += f"      didn't match because some of the arguments have invalid types: {marks}\n"
    return text


def _ordered(kwargs: Mapping[str, Any]) -> list[str]:
    """The keywords as C++'s hash table of so few lists them: the newest first, but beside those of its bucket."""
    order: list[str] = []
    for key in kwargs:
        bucket = _hash(key.encode()) % _BUCKETS
        place = next((i for i, other in enumerate(order) if _hash(other.encode()) % _BUCKETS == bucket), 0)
        order.insert(place, key)
    return order


_BUCKETS, _MULTIPLIER, _WORD = 13, 0xC6A4A7935BD1E995, (1 << 64) - 1


def _hash(text: bytes) -> int:
    """MurmurHash 64A as GNU's library computes it of strings (Appleby, 2008)."""

    def mixed(value: int) -> int:
        return value ^ value >> 47

    found = 0xC70F6907 ^ len(text) * _MULTIPLIER & _WORD
    whole = len(text) & ~7
    for start in range(0, whole, 8):
        word = int.from_bytes(text[start : start + 8], "little")
        found ^= mixed(word * _MULTIPLIER & _WORD) * _MULTIPLIER & _WORD
        found = found * _MULTIPLIER & _WORD
    if len(text) & 7:
        found = (found ^ int.from_bytes(text[whole:], "little")) * _MULTIPLIER & _WORD
    return mixed(mixed(found) * _MULTIPLIER & _WORD)


def _described(args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    text = "".join(f"{type_name(value)}, " for value in args)
    text += "".join(f"{key}={type_name(kwargs[key])}, " for key in _ordered(kwargs))
    return f"({text[:-2] if args else text})"


def _split(word: str) -> tuple[str, str]:
    """(type, name) of a printed parameter."""
    kind, _, name = word.rpartition(" ")
    return kind or word, name


def _unmatched(signature: Signature, kwargs: Mapping[str, Any]) -> list[str]:
    known = {_split(word)[1] for word in signature.words[max(0, len(signature.words) - len(kwargs)) :]}
    return [key for key in _ordered(kwargs) if key not in known]


def _matches(kind: str, value: Any) -> bool:
    return type_name(value) in ("float", "int") if kind == "float" else type_name(value) == kind


def _marked(signature: Signature, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """The types of the arguments, those that differ from the signature's word for them between exclamation marks."""
    shown = []
    for index, word in enumerate(signature.words):
        kind, name = _split(word)
        value = args[index] if index < len(args) else kwargs[name]
        text = type_name(value)
        if isinstance(value, tuple | list):
            inside = ", ".join(map(type_name, value))
            inside += "," if isinstance(value, tuple) and len(value) == 1 else ""
            text += f" of ({inside})" if isinstance(value, tuple) else f" of [{inside}]"
        text = text if index < len(args) else f"{name}={text}"
        shown.append(text if _matches(kind, value) else f"!{text}!")
    return f"({', '.join(shown)}{'' if args else ', '})"
