"""The table of signatures, and the verdict on a call of one of its functions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from engine import errors
from engine.core.tensor import Tensor
from engine.signatures.combination import invalid
from engine.signatures.parser import NUMBERS_AS_TENSORS, Refusal, Signature


def _read() -> dict[str, dict[str, list[str]]]:
    table: dict[str, dict[str, list[str]]] = {}
    space = name = ""
    for line in Path(__file__).with_suffix(".txt").read_text().splitlines():
        if line.startswith("["):
            space = line[1:-1]
        elif line.startswith("  "):
            table.setdefault(space, {}).setdefault(name, []).append(line.strip())
        elif not line.startswith("#"):
            name = line
    return table


TABLE = _read()
"""The lines of the table, by namespace and function. Read at once: a locked-down process opens no files later."""


def known(space: str, name: str) -> bool:
    """Whether the parser guards this function. Spaces: torch, Tensor, functional, nn, linalg, special, fft."""
    return name in TABLE.get(space, {})


@cache
def _signatures(space: str, name: str) -> list[Signature]:
    lines = TABLE[space][name]
    return [Signature(name + line if line.startswith("(") else line) for line in lines]


def check(space: str, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Raises TypeError in PyTorch's words when its parser refuses the call."""
    lines = TABLE[space][name]
    if "." in lines[0].partition("(")[0]:  # it takes nothing, and the parser is not asked
        shown, one, _ = lines[0].partition("(object)")
        if kwargs:
            raise TypeError(f"{shown.removesuffix('()')}() takes no keyword arguments")
        if one and len(args) != 1:
            raise TypeError(f"{shown}() takes exactly one argument ({len(args)} given)")
        if args and not one:
            raise TypeError(f"{shown} takes no arguments ({len(args)} given)")
        return
    signatures = _signatures(space, name)
    refusals = []
    for signature in signatures:
        try:
            signature.check(args, kwargs)
            return
        except Refusal as refusal:
            if refusal.final:
                raise TypeError(str(refusal)) from None
            refusals.append(str(refusal))
    count = len(args) + len(kwargs)
    plausible = [
        text
        for text, s in zip(refusals, signatures, strict=True)
        if len(signatures) == 1 or s.least <= count <= len(s.parameters) and not s.hidden
    ]
    if len(plausible) == 1:
        raise TypeError(plausible[0])
    raise TypeError(invalid(signatures[0].name, [s for s in signatures if not s.hidden], args, kwargs))


def numbers(space: str, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Collection[int | str]:
    """The places and names of the arguments that the parser reads as numbers, for the first overload that fits."""
    for signature in _signatures(space, name):
        try:
            signature.check(args, kwargs)
        except Refusal:
            continue
        kinds = ("Scalar", "double", "Tensor") if name in NUMBERS_AS_TENSORS else ("Scalar", "double")
        named = {key for p in signature.parameters if p.type in kinds for key in p.names}
        return named.union(at for at, p in enumerate(signature.positional) if p.type in kinds)
    return ()


def deprecated(space: str, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, Any] | None:
    """The arguments by name of a call that only a deprecated overload takes, after its warning; else None."""
    signatures = _signatures(space, name)
    for signature in signatures:
        try:
            signature.check(args, kwargs)
        except Refusal:
            continue
        if not signature.deprecated:
            return None
        shown = [name + s.shown for s in signatures if not s.hidden]
        errors.warn_deprecated_overload(name + signature.shown, shown)
        return {p.name: value for p, value in zip(signature.positional, args, strict=False)} | dict(kwargs)
    return None


class Parsed:
    """A namespace whose functions do nothing but check their arguments."""

    def __init__(self, space: str) -> None:
        self._space = space

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **kwargs: check(self._space, name, args, kwargs)


def of(value: Any) -> Any:
    """The methods of a value: the parser's for a tensor, else its own."""
    return Parsed("Tensor") if isinstance(value, Tensor) else value
