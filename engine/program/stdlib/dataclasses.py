"""`dataclasses`."""

from __future__ import annotations

import inspect
from typing import Any

from engine.limits import meter
from engine.program.calls import call
from engine.program.exceptions import EXCEPTIONS, host_exception
from engine.program.hashing import stable_hash
from engine.program.kinds import visible_mro
from engine.program.operators import guard_key, weighed
from engine.program.shared import made_here
from engine.program.text import represent
from engine.program.values import UNSET, Builtin, HostMethod, Opaque

_FrozenInstanceError: Any = type("FrozenInstanceError", (EXCEPTIONS["AttributeError"],), {"__module__": "dataclasses"})


class Field:
    """One field of a dataclass: `name`, `default`, `default_factory`, and which methods use it."""

    __module__ = "dataclasses"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(
        self, default: Any, default_factory: Any, init: bool, repr: bool, compare: bool, kw_only: bool
    ) -> None:
        self.name = ""
        self.type: Any = None
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.compare, self.kw_only = init, repr, compare, kw_only


def _field(
    *, default: Any = UNSET, default_factory: Any = UNSET, init: bool = True, repr: bool = True,
    hash: Any = None, compare: bool = True, metadata: Any = None, kw_only: bool = False,
) -> Field:  # fmt: skip
    if default is not UNSET and default_factory is not UNSET:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, bool(init), bool(repr), bool(compare), bool(kw_only))


def _fields_of(cls: type) -> list[Field]:
    found: dict[str, Field] = {}
    for base in reversed(cls.__mro__):
        for field in base.__dict__.get("__dataclass_fields__", {}).values():
            found[field.name] = field
    return list(found.values())


def _dataclass(
    cls: Any = None, /, *, init: bool = True, repr: bool = True, eq: bool = True, order: bool = False,
    unsafe_hash: bool = False, frozen: bool = False, match_args: bool = True, kw_only: bool = False,
    slots: bool = False,
) -> Any:  # fmt: skip
    def decorate(kind: Any) -> Any:
        return _process(kind, init, repr, eq, order, frozen, kw_only)

    return Builtin("dataclass", decorate) if cls is None else decorate(cls)


def _process(cls: Any, init: bool, repr: bool, eq: bool, order: bool, frozen: bool, kw_only: bool) -> Any:
    if not isinstance(cls, type) or not made_here(cls):
        raise TypeError("dataclass() should be called on a class of the program")
    own: dict[str, Field] = {}
    for name, annotation in cls.__dict__.get("__annotations__", {}).items():
        kind = annotation.name if isinstance(annotation, Opaque) else annotation
        if isinstance(kind, str) and kind.removeprefix("typing.").startswith("ClassVar"):
            continue
        default = cls.__dict__.get(name, UNSET)
        if isinstance(default, list | dict | set):
            raise ValueError(f"mutable default {type(default)} for field {name} is not allowed: use default_factory")
        field = default if isinstance(default, Field) else Field(default, UNSET, True, True, True, False)
        field.name, field.type, field.kw_only = name, annotation, field.kw_only or kw_only
        own[name] = field
        if isinstance(default, Field):
            if default.default is UNSET:
                delattr(cls, name)
            else:
                setattr(cls, name, default.default)
    type.__setattr__(cls, "__dataclass_fields__", own)
    fields = _fields_of(cls)
    _check_order(fields)
    members: dict[str, Any] = {}
    if init and "__init__" not in cls.__dict__:
        members["__init__"] = _init(cls, fields)
    if repr and "__repr__" not in cls.__dict__:
        members["__repr__"] = _repr(fields)
    if eq and "__eq__" not in cls.__dict__:
        members["__eq__"] = _comparison(cls, fields, "__eq__")
        members["__hash__"] = _hash(fields) if frozen else None
    if order:
        members.update({name: _comparison(cls, fields, name) for name in ("__lt__", "__le__", "__gt__", "__ge__")})
    if frozen:
        members["__setattr__"] = HostMethod("__setattr__", _frozen)
        members["__delattr__"] = HostMethod("__delattr__", _frozen_delete)
    members["__match_args__"] = tuple(field.name for field in fields if field.init and not field.kw_only)
    for name, member in members.items():
        setattr(cls, name, member)
    return cls


def _check_order(fields: list[Field]) -> None:
    seen = False
    for field in fields:
        if not field.init or field.kw_only:
            continue
        has_default = field.default is not UNSET or field.default_factory is not UNSET
        if seen and not has_default:
            raise TypeError(f"non-default argument '{field.name}' follows default argument")
        seen = seen or has_default


def _init(cls: type, fields: list[Field]) -> HostMethod:
    positional = [field.name for field in fields if field.init and not field.kw_only]

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if len(args) > len(positional):
            most, given = len(positional) + 1, len(args) + 1
            least = 1 + sum(f.default is UNSET and f.default_factory is UNSET for f in fields if f.name in positional)
            takes = f"from {least} to {most}" if least < most else f"{most}"
            plural = "s" if most != 1 or least < most else ""
            raise TypeError(
                f"{cls.__qualname__}.__init__() takes {takes} positional argument{plural} but {given} were given"
            )
        values = dict(zip(positional, args, strict=False))
        for name, value in kwargs.items():
            if name in values:
                raise TypeError(f"{cls.__qualname__}.__init__() got multiple values for argument '{name}'")
            if not any(field.name == name and field.init for field in fields):
                raise TypeError(f"{cls.__qualname__}.__init__() got an unexpected keyword argument '{name}'")
            values[name] = value
        missing = []
        for field in fields:
            if field.name in values:
                value = values[field.name]
            elif field.default is not UNSET:
                value = field.default
            elif field.default_factory is not UNSET:
                value = call(field.default_factory, (), None)
            elif field.init:
                missing.append(f"'{field.name}'")
                continue
            else:
                continue
            object.__setattr__(self, field.name, value)
        if missing:
            listed = (
                missing[0]
                if len(missing) == 1
                else " and ".join(missing)
                if len(missing) == 2
                else ", ".join(missing[:-1]) + ", and " + missing[-1]
            )
            plural = "s" if len(missing) > 1 else ""
            raise TypeError(
                f"{cls.__qualname__}.__init__() missing {len(missing)} required positional argument{plural}: {listed}"
            )
        after = getattr(self, "__post_init__", None)
        if after is not None:
            call(after, (), None)

    __init__.fields = fields  # type: ignore[attr-defined]
    return HostMethod("__init__", __init__)


def signature_of(fields: list[Field]) -> inspect.Signature:
    """What the `__init__` of a dataclass takes."""
    kinds = inspect.Parameter
    first = "__dataclass_self__" if any(field.name == "self" for field in fields) else "self"
    given = [kinds(first, kinds.POSITIONAL_OR_KEYWORD)]
    for field in sorted(fields, key=lambda field: field.kw_only):
        made = field.default_factory is not UNSET
        default = Opaque("<factory>") if made else kinds.empty if field.default is UNSET else field.default
        if field.init:
            how = kinds.KEYWORD_ONLY if field.kw_only else kinds.POSITIONAL_OR_KEYWORD
            given.append(kinds(field.name, how, default=default))
    return inspect.Signature(given)


def _repr(fields: list[Field]) -> HostMethod:
    def __repr__(self: Any) -> str:
        inside = ", ".join(f"{field.name}={represent(getattr(self, field.name))}" for field in fields if field.repr)
        return f"{type(self).__qualname__}({inside})"

    return HostMethod("__repr__", __repr__)


def _values(value: Any, fields: list[Field]) -> tuple[Any, ...]:
    meter.charge(1 + (len(fields) >> 4))
    return tuple(getattr(value, field.name) for field in fields if field.compare)


def _comparison(cls: type, fields: list[Field], name: str) -> HostMethod:
    def compare(self: Any, other: Any) -> Any:
        if type(self) is not type(other):
            return NotImplemented
        ours, theirs = _values(self, fields), _values(other, fields)
        weighed(ours)
        weighed(theirs)
        return getattr(ours, name)(theirs)

    return HostMethod(name, compare)


def _hash(fields: list[Field]) -> HostMethod:
    def __hash__(self: Any) -> int:
        values = _values(self, fields)
        guard_key(values)
        return stable_hash(values)

    return HostMethod("__hash__", __hash__)


def _frozen(self: Any, name: str, value: Any) -> None:
    raise host_exception(_FrozenInstanceError(f"cannot assign to field '{name}'"))


def _frozen_delete(self: Any, name: str) -> None:
    raise host_exception(_FrozenInstanceError(f"cannot delete field '{name}'"))


def _as_dict(value: Any) -> Any:
    meter.charge(4)
    if hasattr(type(value), "__dataclass_fields__"):
        return {field.name: _as_dict(getattr(value, field.name)) for field in _fields_of(type(value))}
    if type(value) in (list, tuple):
        return type(value)([_as_dict(item) for item in value])
    if type(value) is dict:
        return {key: _as_dict(item) for key, item in value.items()}
    return value


def _as_tuple(value: Any) -> Any:
    return tuple(getattr(value, field.name) for field in _fields_of(type(value)))


def _replace(value: Any, /, **changes: Any) -> Any:
    given = {field.name: getattr(value, field.name) for field in _fields_of(type(value)) if field.init}
    return call(type(value), (), {**given, **changes})


def _is_dataclass(value: Any) -> bool:
    kind = value if isinstance(value, type) else type(value)
    return any("__dataclass_fields__" in base.__dict__ for base in visible_mro(kind))


MODULES: dict[str, dict[str, Any]] = {
    "dataclasses": {
        "dataclass": Builtin("dataclass", _dataclass),
        "field": Builtin("field", _field),
        "fields": Builtin("fields", lambda value: tuple(_fields_of(value if isinstance(value, type) else type(value)))),
        "asdict": Builtin("asdict", _as_dict),
        "astuple": Builtin("astuple", _as_tuple),
        "replace": Builtin("replace", _replace),
        "FrozenInstanceError": _FrozenInstanceError,
        "is_dataclass": Builtin("is_dataclass", _is_dataclass),
    },
}
