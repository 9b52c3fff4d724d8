"""`enum`: classes whose attributes are named constants."""

from __future__ import annotations

from collections.abc import Iterator
from types import MethodType
from typing import Any

from engine.program.charges import compared, made, written
from engine.program.kinds import is_dunder, missing
from engine.program.operators import against
from engine.program.special import VALUES
from engine.program.text import represent
from engine.program.values import Builtin, Function

_NOT_CONSTANTS = (Function, Builtin, MethodType, property, staticmethod, classmethod)


class Auto:
    """`enum.auto()`: the next whole number, known when the class is made."""

    value: Any


Auto.__module__, Auto.__name__, Auto.__qualname__ = "enum", "auto", "auto"


class EnumMeta(type):
    """Lets a class of constants be iterated, indexed by name and called with a value."""

    def _members(cls) -> list[Any]:
        made(len(cls.__dict__.get("__members__", ())))
        return list({id(member): member for member in cls.__dict__.get("__members__", {}).values()}.values())

    def __iter__(cls) -> Iterator[Any]:
        return iter(cls._members())

    def __len__(cls) -> int:
        return len(cls._members())

    def __contains__(cls, value: object) -> bool:
        members = cls._members()
        against(value, len(members))
        return any(member is value or member.value == value for member in members)

    def __getitem__(cls, name: str) -> Any:
        return cls.__dict__["__members__"][name]

    def __call__(cls, value: Any) -> Any:
        members = cls._members()
        against(value, len(members))
        for member in members:
            if member is value or member.value == value:
                return member
        if isinstance(value, str | bytes):
            written(len(value))
        raise ValueError(f"{represent(value)} is not a valid {cls.__qualname__}")

    def __repr__(cls) -> str:
        return f"<enum {cls.__qualname__!r}>"

    def __setattr__(cls, name: str, value: Any) -> None:
        if name in cls.__dict__.get("__members__", {}):
            raise AttributeError(f"cannot reassign member {name!r}")
        super().__setattr__(name, value)


class Enum(metaclass=EnumMeta):
    """The base of the program's enumerations."""

    __module__ = "enum"
    __program__ = True
    __invisible__ = False
    __abstract__: tuple[str, ...] = ()
    name: str
    value: Any

    def __init_subclass__(cls, **options: Any) -> None:
        members: dict[str, Any] = {}
        number = 0
        for name, value in list(cls.__dict__.items()):
            if is_dunder(name) or isinstance(
                value, Function | Builtin | MethodType | property | staticmethod | classmethod
            ):
                continue
            if isinstance(value, Auto):
                if not hasattr(value, "value"):
                    number += 1
                    value.value = cls._automatic(name, number)
                held = value.value
            else:
                number = value if isinstance(value, int) else number
                held = value
            compared(4 * len(members))
            against(held, len(members))
            known = next((member for member in members.values() if member.value == held), None)
            if known is None:
                known = object.__new__(cls)
                known.name, known.value = name, held
            members[name] = known
            type.__setattr__(cls, name, known)
        type.__setattr__(cls, "__members__", members)

    @staticmethod
    def _automatic(name: str, number: int) -> Any:
        """The value of a member that is `auto()`."""
        return number

    def __repr__(self) -> str:
        return f"<{type(self).__name__}.{self.name}: {represent(self.value)}>"

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __hash__(self) -> int:
        return hash(self.name)


def _ordered(name: str) -> Any:
    def compare(self: Any, other: Any) -> Any:
        left, right = self.value, other.value if isinstance(other, Enum) else other
        return getattr(left, name)(right)

    return compare


class IntEnum(Enum):
    """Constants that compare and count as their numbers."""

    __module__ = "enum"
    __program__ = True

    def __int__(self) -> int:
        return int(self.value)

    __index__ = __int__

    def __hash__(self) -> int:
        return hash(self.value)

    def __str__(self) -> str:
        return str(self.value)


class TextEnum(Enum):
    """What `class Name(str, Enum)` derives from: constants that compare, and can be looked up, as their texts."""

    __module__ = "enum"
    __program__ = True
    __mixed__ = str

    @staticmethod
    def _automatic(name: str, number: int) -> Any:
        return name.lower()

    def __hash__(self) -> int:
        return hash(self.value)

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, index: Any) -> Any:
        return self.value[index]

    def __contains__(self, part: Any) -> bool:
        return part in self.value

    def __radd__(self, other: Any) -> Any:
        return other + self.value


class StrEnum(TextEnum):
    """`enum.StrEnum`: prints as its text, too."""

    __module__ = "enum"
    __program__ = True

    def __str__(self) -> str:
        return str(self.value)


for _name in ("__eq__", "__lt__", "__le__", "__gt__", "__ge__", "__add__"):
    setattr(TextEnum, _name, _ordered(_name))
for _name in ("__eq__", "__lt__", "__le__", "__gt__", "__ge__", "__add__", "__sub__", "__mul__"):
    setattr(IntEnum, _name, _ordered(_name))


def mixed_bases(bases: list[Any]) -> list[Any]:
    """The bases of a class with `str` or `int` before `Enum` replaced by what stands for both."""
    if not any(isinstance(base, EnumMeta) for base in bases) or not any(base in (str, int) for base in bases):
        return bases
    kind = TextEnum if str in bases else IntEnum
    return [kind, *(base for base in bases if base not in (str, int, Enum))]


def _members_of(value: Any) -> Any:
    if not isinstance(value, EnumMeta):
        raise missing(value, "__members__")
    return dict(value.__dict__.get("__members__", {}))


VALUES["__members__"] = _members_of

MODULES: dict[str, dict[str, Any]] = {
    "enum": {
        "Enum": Enum,
        "IntEnum": IntEnum,
        "StrEnum": StrEnum,
        "auto": Builtin("auto", Auto),
        "unique": Builtin("unique", lambda cls: cls),
    }
}
