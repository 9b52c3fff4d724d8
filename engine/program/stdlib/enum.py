"""`enum`: classes whose attributes are named constants."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from types import MethodType
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.arrays import Standing
from engine.program.attributes import read
from engine.program.calls import call
from engine.program.charges import clashed, compared, keyed, made, written
from engine.program.items import subscript
from engine.program.kinds import is_dunder, missing
from engine.program.operators import against, guard_key, items
from engine.program.shared import made_here
from engine.program.special import GUARDED, VALUES
from engine.program.text import format_value, represent, to_text
from engine.program.values import Builtin, Function

_DEEPEST = 100
make_class: Any = None
"""What a `class` statement does: `engine.program.classes` puts it here."""

_NOT_CONSTANTS = (Function, Builtin, MethodType, property, staticmethod, classmethod)


class Auto:
    """`enum.auto()`: the next value, known when the class is made. `depth`: of what stands in it."""

    value: Any
    depth = 0

    def __or__(self, other: Any) -> Any:
        return Together(operator.or_, self, other)

    def __and__(self, other: Any) -> Any:
        return Together(operator.and_, self, other)

    def __xor__(self, other: Any) -> Any:
        return Together(operator.xor, self, other)

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__


class Together(Auto):
    """Flags of a class that is being made, put together."""

    def __init__(self, operation: Any, left: Any, right: Any) -> None:
        self.parts: Any = (operation, left, right)
        self.depth = 1 + max([part.depth for part in (left, right) if isinstance(part, Auto)], default=0)
        if self.depth > _DEEPEST:
            raise TypeError(f"no more than {_DEEPEST} flags can be put together here")

    @property
    def value(self) -> Any:
        if self.parts is not None:  # each is looked at once, however often it takes part
            operation, *parts = self.parts
            self.found = operation(*[part.value if isinstance(part, Auto) else part for part in parts])
            self.parts = None
        return self.found


for _class in (Auto, Together):
    _class.__module__, _class.__name__, _class.__qualname__ = "enum", "auto", "auto"


def _members(cls: type) -> list[Any]:
    """The members of an enumeration, each once."""
    made(len(cls.__dict__.get("__members__", ())))
    return list({id(member): member for member in cls.__dict__.get("__members__", {}).values()}.values())


def _listed(cls: type) -> list[Any]:
    """The members, of flags those that are one bit."""
    members = _members(cls)
    return [member for member in members if member.value.bit_count() == 1] if issubclass(cls, Flag) else members


_OPTIONS = frozenset({"start", "module", "qualname", "type", "boundary"})


def _publish(cls: type, members: dict[str, Any]) -> None:
    """What else programs look for in an enumeration."""
    keyed(4 * len(members))
    by_value = {}
    for member in members.values():
        if type(member.value).__hash__ is not None:
            guard_key(member.value)
            by_value[member.value] = member
    clashed(by_value, len(by_value))
    type.__setattr__(cls, "_member_map_", dict(members))
    type.__setattr__(cls, "_member_names_", [member.name for member in _members(cls)])
    type.__setattr__(cls, "_value2member_map_", by_value)


class EnumMeta(type):
    """Lets a class of constants be iterated, indexed by name and called with a value."""

    __module__ = "enum"

    def __iter__(cls) -> Iterator[Any]:
        return iter(_listed(cls))

    def __len__(cls) -> int:
        return len(_listed(cls))

    def __contains__(cls, value: object) -> bool:
        if not isinstance(value, Enum):
            raise TypeError(f"unsupported operand type(s) for 'in': '{type(value).__qualname__}' and 'EnumType'")
        return isinstance(value, cls)

    def __getitem__(cls, name: str) -> Any:
        return cls.__dict__["__members__"][name]

    def __getattr__(cls, name: str) -> Any:
        raise AttributeError(name)

    def __reversed__(cls) -> Iterator[Any]:
        backwards: Iterator[Any] = reversed(_listed(cls))
        return backwards

    def __call__(cls, value: Any, names: Any = None, **options: Any) -> Any:
        unknown = next((name for name in options if name not in _OPTIONS), None)
        if unknown is not None:
            raise TypeError(f"EnumType.__call__() got an unexpected keyword argument '{unknown}'")
        if names is not None:
            return _functional(cls, value, names, **options)
        members = _members(cls)
        if not members:
            raise TypeError(f"{cls!r} has no members defined")
        against(value, len(members))
        for member in members:
            if member is value or member.value == value:
                return member
        if issubclass(cls, Flag) and type(value) is int:
            return cls._of(value)
        found = cls._instead(value)
        if found is not None:
            return found
        if isinstance(value, str | bytes):
            written(len(value))
        raise ValueError(f"{represent(value)} is not a valid {cls.__qualname__}")

    def _instead(cls, value: Any) -> Any:
        """What the program's `_missing_` gives for a value that no member has."""
        if not any("_missing_" in base.__dict__ and made_here(base) for base in cls.__mro__):
            return None
        found = call(cls._missing_, (value,), None)
        if found is None or isinstance(found, cls):
            return found
        raise TypeError(
            f"error in {cls.__name__}._missing_: returned {represent(found)} instead of None or a valid member"
        )

    def __repr__(cls) -> str:
        return f"<{'flag' if issubclass(cls, Flag) else 'enum'} {cls.__name__!r}>"

    def __setattr__(cls, name: str, value: Any) -> None:
        if name in cls.__dict__.get("__members__", {}):
            raise AttributeError(f"cannot reassign member {name!r}")
        super().__setattr__(name, value)

    def __delattr__(cls, name: str) -> None:
        if name in cls.__dict__.get("__members__", {}):
            raise AttributeError(f"{cls.__name__!r} cannot delete member {name!r}.")
        super().__delattr__(name)


EnumMeta.__name__ = EnumMeta.__qualname__ = "EnumType"
EnumMeta.__call__.__qualname__ = "EnumType.__call__"
_OWN_NEXT, _OWN_VALUE = "_generate_next_value_", "_value_"


class Enum(metaclass=EnumMeta):
    """The base of the program's enumerations."""

    __module__ = "enum"
    __program__ = True
    __invisible__ = False
    __abstract__: tuple[str, ...] = ()
    name: str
    value: Any

    def __init_subclass__(cls, **options: Any) -> None:
        if cls.__dict__["__program__"] is True:  # one of those here
            return
        extended = next((base for base in cls.__mro__[1:] if base.__dict__.get("__members__")), None)
        if extended is not None:
            raise TypeError(f"{cls!r} cannot extend {extended!r}")
        members: dict[str, Any] = {}
        number = 0
        for name in cls._ignored():
            if name in cls.__dict__:
                type.__delattr__(cls, name)
        for name, value in list(cls.__dict__.items()):
            if is_dunder(name) or isinstance(value, _NOT_CONSTANTS) or hasattr(type(value), "__set_name__"):
                continue
            if isinstance(value, Auto):
                if not hasattr(value, "value"):
                    if isinstance(value, Together):
                        raise TypeError("unsupported operand type(s) for |: 'auto' and 'int'")
                    value.value = cls._next(name, number, members)
                held = value.value
            else:
                held = value
            held = cls._converted(held)
            number = held if isinstance(held, int) else number
            compared(4 * len(members))
            against(held, len(members))
            known = next((member for member in members.values() if member.value == held), None)
            if known is None:
                known = cls._member(name, held)
                if "__init__" in vars(cls) or any("__init__" in vars(base) for base in cls.__mro__[1:-1]):
                    known.__init__(*(held if type(held) is tuple else (held,)))
            members[name] = known
            type.__setattr__(cls, name, known)
        type.__setattr__(cls, "__members__", members)
        _publish(cls, members)

    @classmethod
    def _next(cls, name: str, number: int, members: dict[str, Any]) -> Any:
        """The value of a member that is `auto()`, by the program's own `_generate_next_value_` if it has one."""
        own = next((vars(base)[_OWN_NEXT] for base in cls.__mro__ if _OWN_NEXT in vars(base)), None)
        if own is None:
            return cls._automatic(name, number)
        made(len(members))
        own = own.__func__ if isinstance(own, staticmethod) else own
        return call(own, (name, 1, len(members), [member.value for member in members.values()]), None)

    @classmethod
    def _ignored(cls) -> list[str]:
        """The names that `_ignore_` says are no members, and its own."""
        given = cls.__dict__.get("_ignore_")
        if given is None:
            return []
        names = given.replace(",", " ").split() if type(given) is str else items(given)
        meter.charge(1 + len(names))
        return ["_ignore_", *(name for name in names if type(name) is str and not is_dunder(name))]

    @classmethod
    def _member(cls, name: str | None, value: Any) -> Any:
        maker = next((base.__dict__["__new__"] for base in cls.__mro__ if "__new__" in base.__dict__), None)
        maker = getattr(maker, "__func__", maker)
        if type(maker) is Function:
            made = call(maker, (cls, *(value if type(value) is tuple else (value,))), None)
            value = made.__dict__.get(_OWN_VALUE, value)
        else:
            made = object.__new__(cls)
        made.__dict__.update(name=name, value=value, _name_=name, _value_=value)
        return made

    @staticmethod
    def _automatic(name: str, number: int) -> Any:
        """The value of a member that is `auto()`; `number` is the one before it."""
        return number + 1

    @staticmethod
    def _converted(value: Any) -> Any:
        """What a member holds that was given this."""
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("name", "value"):
            raise AttributeError(f"<enum 'Enum'> cannot set attribute {name!r}")
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}.{self.name}: {represent(self.value)}>"

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __format__(self, spec: str) -> str:
        return format_value(str(self), spec)

    def __hash__(self) -> int:
        return hash(self.name)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self


def _plain(value: Any) -> Any:
    """What a member that is of another type, too, is there; anything else as it is."""
    return value.value if isinstance(value, Mixed) else value


class Mixed(Enum, Standing):
    """Constants of another type, too: they compare, calculate and have the methods of their values."""

    __module__ = "enum"
    __program__ = True
    __mixed__: type[Any]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__dict__["__program__"] is not True:
            sessions.active.arrays = True

    @classmethod
    def _converted(cls, value: Any) -> Any:
        return value if type(value) is cls.__mixed__ else cls.__mixed__(value)

    def __getattr__(self, name: str) -> Any:
        if name in ("name", "value") or is_dunder(name):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        try:
            return read(self.value, name)
        except AttributeError:
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'") from None

    def __hash__(self) -> int:
        guard_key(self.value)
        return hash(self.value)

    def __bool__(self) -> bool:
        return bool(self.value)


def _calculated(name: str) -> Any:
    operation = GUARDED[name]
    return lambda self, other: operation(self.value, _plain(other))


def _reflected(name: str) -> Any:
    operation = GUARDED[name]
    return lambda self, other: operation(other, self.value)


for _name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"):
    setattr(Mixed, _name, _calculated(_name))
for _name in "add sub mul truediv floordiv mod pow lshift rshift or and xor".split():
    setattr(Mixed, f"__{_name}__", _calculated(f"__{_name}__"))
    setattr(Mixed, f"__r{_name}__", _reflected(f"__{_name}__"))
for _name in ("__neg__", "__pos__", "__invert__"):
    setattr(Mixed, _name, lambda self, _operation=GUARDED[_name]: _operation(self.value))


class RealEnum(Mixed):
    """What `class Name(float, Enum)` derives from."""

    __module__ = "enum"
    __program__ = True
    __mixed__: type[Any] = float

    def __float__(self) -> float:
        return float(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __abs__(self) -> Any:
        return abs(self.value)


class NumberEnum(RealEnum):
    """What `class Name(int, Enum)` derives from."""

    __module__ = "enum"
    __program__ = True
    __mixed__: type[Any] = int

    def __index__(self) -> int:
        return int(self.value)


class IntEnum(NumberEnum):
    """Constants that compare, count and print as their numbers."""

    __module__ = "enum"
    __program__ = True

    def __str__(self) -> str:
        return str(self.value)

    def __format__(self, spec: str) -> str:
        return format_value(self.value, spec)


class RowEnum(Mixed):
    """What `class Name(tuple, Enum)` derives from."""

    __module__ = "enum"
    __program__ = True
    __mixed__: type[Any] = tuple

    def __len__(self) -> int:
        return len(self.value)

    def __getitem__(self, index: Any) -> Any:
        return GUARDED["__getitem__"](self.value, index)

    def __contains__(self, part: Any) -> bool:
        return bool(GUARDED["__contains__"](self.value, _plain(part)))

    def __iter__(self) -> Iterator[Any]:
        return iter(self.value)


class TextEnum(RowEnum):
    """What `class Name(str, Enum)` derives from."""

    __module__ = "enum"
    __program__ = True
    __mixed__: type[Any] = str


class StrEnum(TextEnum):
    """`enum.StrEnum`: prints as its text, too."""

    __module__ = "enum"
    __program__ = True

    @staticmethod
    def _automatic(name: str, number: int) -> Any:
        return name.lower()

    def __str__(self) -> str:
        return str(self.value)

    def __format__(self, spec: str) -> str:
        return format_value(self.value, spec)


class Flag(Enum):
    """Constants that stand for bits and can be put together."""

    __module__ = "enum"
    __program__ = True
    __open__ = False
    """Whether there may be other bits than those of the members."""

    @staticmethod
    def _automatic(name: str, number: int) -> Any:
        meter.check_bits(number.bit_length() + 1)
        return 1 << number.bit_length()

    @staticmethod
    def _converted(value: Any) -> Any:
        if not isinstance(value, int):
            raise TypeError(f"members of flags are integers, not {type(value).__name__}")
        return int(value)

    @classmethod
    def _of(cls, number: int) -> Any:
        """The member of these bits, or what several are together."""
        members = _members(cls)
        known = cls.__dict__.get("__composites__")
        if known is None:
            known = {member.value: member for member in members}
            type.__setattr__(cls, "__composites__", known)
        if number in known:
            return known[number]
        rest, names = number, []
        for member in members:
            if member.value & number == member.value and member.value.bit_count() == 1:
                names.append(member.name)
                rest &= ~member.value
        if rest and not cls.__open__:
            mask = sum([member.value for member in _listed(cls)])
            bits = max(number.bit_length(), mask.bit_length())
            raise ValueError(
                f"{cls!r} invalid value {number!r}\n    given 0b0 {number:0{bits}b}\n  allowed 0b0 {mask:0{bits}b}"
            )
        if rest:
            names.append(str(rest))
        known[number] = cls._member("|".join(names) or None, number)
        return known[number]

    def _number(self, other: Any) -> Any:
        if isinstance(other, type(self)):
            return other.value
        return other if self.__open__ and isinstance(other, int) else None

    def __or__(self, other: Any) -> Any:
        number = self._number(other)
        return NotImplemented if number is None else self._of(self.value | number)

    def __and__(self, other: Any) -> Any:
        number = self._number(other)
        return NotImplemented if number is None else self._of(self.value & number)

    def __xor__(self, other: Any) -> Any:
        number = self._number(other)
        return NotImplemented if number is None else self._of(self.value ^ number)

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __invert__(self) -> Any:
        return self._of(sum([member.value for member in _listed(type(self))]) & ~self.value)

    def __contains__(self, other: Any) -> bool:
        if not isinstance(other, type(self)):
            raise TypeError(
                f"unsupported operand type(s) for 'in': {type(other).__qualname__!r} and {type(self).__qualname__!r}"
            )
        return bool(other.value & self.value == other.value)

    def __iter__(self) -> Iterator[Any]:
        return iter([member for member in _listed(type(self)) if member.value & self.value])

    def __len__(self) -> int:
        return int(self.value.bit_count())

    def __bool__(self) -> bool:
        return bool(self.value)

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        name = type(self).__name__ if self.name is None else f"{type(self).__name__}.{self.name}"
        return f"<{name}: {self.value}>"

    def __str__(self) -> str:
        return f"{type(self).__name__}({self.value})" if self.name is None else f"{type(self).__name__}.{self.name}"


class IntFlag(Flag, IntEnum):
    """Flags that are numbers, too."""

    __module__ = "enum"
    __program__ = True
    __open__ = True

    def __str__(self) -> str:
        return str(self.value)


_MIXED: dict[type, type[Mixed]] = {str: TextEnum, int: NumberEnum, float: RealEnum, tuple: RowEnum}


def mixed_bases(bases: list[Any]) -> list[Any]:
    """The bases of a class with a type before `Enum` replaced by what stands for both."""
    kinds = [base for base in bases if base in _MIXED]
    if not any(isinstance(base, EnumMeta) for base in bases) or not kinds:
        return bases
    if any(issubclass(base, Mixed | Flag) for base in bases if isinstance(base, EnumMeta)):
        return [base for base in bases if base not in _MIXED]
    return [_MIXED[kinds[0]], *(base for base in bases if base not in (*_MIXED, Enum))]


def _functional(
    cls: EnumMeta, name: Any, names: Any, *, start: int = 1, module: Any = None, qualname: Any = None, type: Any = None,
    boundary: Any = None,
) -> Any:  # fmt: skip
    """`Enum("Color", "RED GREEN")`: a class without a `class` statement."""
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    namespace: dict[str, Any] = {}
    numbered = isinstance(names, tuple | list) and len(names) > 0 and isinstance(names[0], str)
    number = start - 1
    given = items(names)
    meter.charge(4 * len(given))
    for item in given:
        if numbered:
            key = item
            value = number = cls._automatic(key, number)
        elif isinstance(item, str):
            key, value = item, subscript(names, item)
        elif isinstance(item, tuple | list):
            key, value = item
        else:
            raise TypeError(f"cannot unpack non-iterable {item.__class__.__name__} object")
        if not isinstance(key, str):
            raise TypeError(f"names of members are texts, not {key.__class__.__name__}")
        if key in namespace:
            raise TypeError(f"{key!r} already defined as {represent(namespace[key])}")
        namespace[key] = value
    if module is not None:
        namespace["__module__"] = module
    bases = [cls] if type is None else [type, cls]
    return make_class(to_text(name), to_text(name if qualname is None else qualname), bases, namespace, {})


def _unique(cls: Any) -> Any:
    members = cls.__dict__.get("__members__", {})
    twice = [f"{name} -> {member.name}" for name, member in members.items() if name != member.name]
    if twice:
        raise ValueError(f"duplicate values found in {cls!r}: {', '.join(twice)}")
    return cls


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
        "Flag": Flag,
        "IntFlag": IntFlag,
        "auto": Builtin("auto", Auto),
        "unique": Builtin("unique", _unique),
    }
}
