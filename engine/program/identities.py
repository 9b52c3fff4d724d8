"""Numbers that stand for the addresses of objects: the same for the same object, and in every run of the program."""

from __future__ import annotations

import weakref
from typing import Any

NOWHERE, FIRST, APART = 0x7EF0, 0x7F00, 0x10
"""What `id()` gives, and reprs have for addresses: when no program runs, for the first object, from one to the next."""


class Identities:
    """Objects are numbered as they are first asked for, and no number is given twice, whatever becomes of its object.

    `over`: the program has ended, and nothing new gets a number.
    """

    __slots__ = ("identified", "identities", "over")

    def __init__(self) -> None:
        self.identities: dict[int, tuple[int, Any]] = {}
        self.identified = 0
        self.over = False

    def identity(self, value: Any) -> int:
        """A number for `id()` and addresses in reprs."""
        key = id(value)
        known = self.identities.get(key)
        if known is None:
            if self.over:
                return NOWHERE
            try:
                held: Any = _Mark(value, self.identities, key)
            except TypeError:
                held = value  # so that nothing else gets its address
            known = self.identities[key] = (FIRST + APART * self.identified, held)
            self.identified += 1
        return known[0]

    def identify(self, value: Any) -> int:
        """The same for the engine, which may still ask when the program has ended: then, what it never saw has its
        address."""
        return self.identity(value) if not self.over or id(value) in self.identities else id(value)


class _Mark(weakref.ref[Any]):
    """Forgets the identity of an object that has died, so that another one at its address gets one of its own."""

    __slots__ = ()

    def __new__(cls, value: Any, identities: dict[int, Any], key: int) -> _Mark:
        return super().__new__(cls, value, lambda dead: identities.pop(key, None))

    def __init__(self, value: Any, identities: dict[int, Any], key: int) -> None:
        pass
