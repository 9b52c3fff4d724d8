"""`dataclasses`."""

from __future__ import annotations

import inspect
import keyword
import types
from collections.abc import Callable
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.calls import call
from engine.program.charges import keyed
from engine.program.exceptions import EXCEPTIONS, host_exception
from engine.program.hashing import stable_hash
from engine.program.kinds import missing, visible_mro
from engine.program.operators import CONTAINERS, gather, guard_key, items, weighed
from engine.program.shared import made_here
from engine.program.special import VALUES
from engine.program.stdlib import enum
from engine.program.text import default_repr, represent, to_text
from engine.program.values import Builtin, HostMethod, Opaque, nested

_FrozenInstanceError: Any = type("FrozenInstanceError", (EXCEPTIONS["AttributeError"],), {"__module__": "dataclasses"})


class Missing:
    """What stands where a field has no default."""

    __module__ = "dataclasses"
    __slots__ = ()
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __repr__(self) -> str:
        return default_repr(self)

    def __copy__(self) -> Missing:
        return self

    def __deepcopy__(self, memo: Any) -> Missing:
        return self


Missing.__name__ = Missing.__qualname__ = "_MISSING_TYPE"
MISSING: Any = Missing()
_FIELD, _CLASS, _INIT, _REST = "_FIELD", "_FIELD_CLASSVAR", "_FIELD_INITVAR", "KW_ONLY"


class Field:
    """One field of a dataclass: `name`, `default`, `default_factory`, and which methods use it."""

    __module__ = "dataclasses"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(
        self, default: Any = MISSING, default_factory: Any = MISSING, init: Any = True, repr: Any = True,
        hash: Any = None, compare: Any = True, metadata: Any = None, kw_only: Any = MISSING,
    ) -> None:  # fmt: skip
        self.name: Any = None
        self.type: Any = None
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.hash, self.compare, self.kw_only = init, repr, hash, compare, kw_only
        self.metadata = {} if metadata is None else metadata
        self._field_type: Any = None

    def __repr__(self) -> str:
        parts = "name type default default_factory init repr hash compare".split()
        inside = ",".join([f"{part}={represent(getattr(self, part))}" for part in parts])
        metadata = f"mappingproxy({represent(self.metadata)})"
        return f"Field({inside},metadata={metadata},kw_only={represent(self.kw_only)},_field_type={self._field_type})"


def _has_default(field: Field) -> bool:
    return field.default is not MISSING or field.default_factory is not MISSING


def _field(
    *, default: Any = MISSING, default_factory: Any = MISSING, init: Any = True, repr: Any = True,
    hash: Any = None, compare: Any = True, metadata: Any = None, kw_only: Any = MISSING,
) -> Field:  # fmt: skip
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    if isinstance(metadata, dict):
        gather(len(metadata), metadata)
        metadata = dict(metadata)
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def _all_fields(cls: type) -> list[Field]:
    """The fields of a class, with what only looks like one."""
    found: dict[str, Field] = {}
    for base in reversed(cls.__mro__):
        for field in base.__dict__.get("__dataclass_fields__", {}).values():
            found[field.name] = field
    meter.charge(len(found) >> 3)
    return list(found.values())


def _fields_of(cls: type) -> list[Field]:
    return [field for field in _all_fields(cls) if field._field_type == _FIELD]


def _dataclass(
    cls: Any = None, /, *, init: bool = True, repr: bool = True, eq: bool = True, order: bool = False,
    unsafe_hash: bool = False, frozen: bool = False, match_args: bool = True, kw_only: bool = False,
    slots: bool = False,
) -> Any:  # fmt: skip
    def decorate(kind: Any) -> Any:
        made = _process(kind, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only)
        return _with_slots(made) if slots else made

    return Builtin("dataclass", decorate) if cls is None else decorate(cls)


def _kind_of(annotation: Any) -> str:
    """What an annotation says a name is."""
    text = annotation.name if isinstance(annotation, Opaque) else annotation
    if not isinstance(text, str):
        return _FIELD
    text = text.split("[")[0].rpartition(".")[2]
    return {"ClassVar": _CLASS, "InitVar": _INIT, "KW_ONLY": _REST}.get(text, _FIELD)


def _process(
    cls: Any, init: bool, repr: bool, eq: bool, order: bool, unsafe_hash: bool, frozen: bool, match_args: bool,
    kw_only: bool,
) -> Any:  # fmt: skip
    if not isinstance(cls, type) or not made_here(cls):
        raise TypeError("dataclass() should be called on a class of the program")
    own: dict[str, Field] = {}
    rest = False
    for name, annotation in cls.__dict__.get("__annotations__", {}).items():
        kind = _kind_of(annotation)
        if kind == _REST:
            if rest:
                raise TypeError(f"{represent(name)} is KW_ONLY, but KW_ONLY has already been specified")
            rest = True
            continue
        default = cls.__dict__.get(name, MISSING)
        if isinstance(default, list | dict | set):
            raise ValueError(f"mutable default {type(default)} for field {name} is not allowed: use default_factory")
        if isinstance(default, types.MemberDescriptorType):  # of its __slots__
            default = MISSING
        field = default if isinstance(default, Field) else Field(default)
        if kind != _FIELD and field.default_factory is not MISSING:
            raise TypeError(f"field {name} cannot have a default factory")
        field.name, field.type, field._field_type = name, annotation, kind
        if kind == _CLASS:
            if field.kw_only is not MISSING:
                raise TypeError(f"field {name} is a ClassVar but specifies kw_only")
        elif field.kw_only is MISSING:
            field.kw_only = kw_only or rest
        own[name] = field
        if isinstance(default, Field):
            if default.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, default.default)
    type.__setattr__(cls, "__dataclass_fields__", own)
    taken = [field for field in _all_fields(cls) if field._field_type != _CLASS]
    fields = [field for field in taken if field._field_type == _FIELD]
    _check_order(taken)
    members: dict[str, Any] = {}
    if init and "__init__" not in cls.__dict__:
        members["__init__"] = _init(cls, taken)
    if repr and "__repr__" not in cls.__dict__:
        members["__repr__"] = _repr(fields)
    if eq and "__eq__" not in cls.__dict__:
        members["__eq__"] = _comparison(cls, fields, "__eq__")
        members["__hash__"] = _hash(fields) if frozen else None
    if unsafe_hash:
        members["__hash__"] = _hash(fields)
    if order:
        if not eq:
            raise ValueError("eq must be true if order is true")
        members.update({name: _comparison(cls, fields, name) for name in ("__lt__", "__le__", "__gt__", "__ge__")})
    if frozen:
        members["__setattr__"] = HostMethod("__setattr__", _frozen)
        members["__delattr__"] = HostMethod("__delattr__", _frozen_delete)
    if match_args:
        members["__match_args__"] = tuple(field.name for field in taken if field.init and not field.kw_only)
    for name, member in members.items():
        setattr(cls, name, member)
    return cls


def _with_slots(cls: Any) -> Any:
    """The class again, with a slot for each of its fields."""
    if "__slots__" in cls.__dict__:
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    meter.charge(40 + len(cls.__dict__))
    names = [field.name for field in _fields_of(cls)]
    inherited = {slot for base in cls.__mro__[1:] for slot in base.__dict__.get("__slots__", ())}
    body = {key: value for key, value in cls.__dict__.items() if key not in ("__dict__", "__weakref__", *names)}
    body["__slots__"] = tuple([name for name in names if name not in inherited])
    made = type(cls)(cls.__name__, cls.__bases__, body)
    if not CONTAINERS.isdisjoint(made.__mro__):
        sessions.active.contains(made)
    return made


def _check_order(fields: list[Field]) -> None:
    seen = False
    for field in fields:
        if not field.init or field.kw_only:
            continue
        has_default = _has_default(field)
        if seen and not has_default:
            raise TypeError(f"non-default argument '{field.name}' follows default argument")
        seen = seen or has_default


def _init(cls: type, fields: list[Field]) -> HostMethod:
    positional = [field.name for field in fields if field.init and not field.kw_only]
    taken = frozenset([field.name for field in fields if field.init])
    many = len(fields) >> 3

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        if many:
            meter.charge(many)
        if len(args) > len(positional):
            most, given = len(positional) + 1, len(args) + 1
            least = 1 + sum(not _has_default(f) for f in fields if f.name in positional)
            takes = f"from {least} to {most}" if least < most else f"{most}"
            plural = "s" if most != 1 or least < most else ""
            raise TypeError(
                f"{cls.__qualname__}.__init__() takes {takes} positional argument{plural} but {given} were given"
            )
        values = dict(zip(positional, args, strict=False))
        for name, value in kwargs.items():
            if name in values:
                raise TypeError(f"{cls.__qualname__}.__init__() got multiple values for argument '{name}'")
            if name not in taken:
                raise TypeError(f"{cls.__qualname__}.__init__() got an unexpected keyword argument '{name}'")
            values[name] = value
        lacking: list[str] = []
        passed: list[Any] = []
        for field in fields:
            if field.name in values:
                value = values[field.name]
            elif field.default is not MISSING:
                value = field.default
            elif field.default_factory is not MISSING:
                value = call(field.default_factory, (), None)
            elif field.init:
                lacking.append(f"'{field.name}'")
                continue
            else:
                continue
            if field._field_type == _INIT:
                passed.append(value)
            else:
                object.__setattr__(self, field.name, value)
        if lacking:
            listed = (
                lacking[0]
                if len(lacking) == 1
                else " and ".join(lacking)
                if len(lacking) == 2
                else ", ".join(lacking[:-1]) + ", and " + lacking[-1]
            )
            plural = "s" if len(lacking) > 1 else ""
            raise TypeError(
                f"{cls.__qualname__}.__init__() missing {len(lacking)} required positional argument{plural}: {listed}"
            )
        after = getattr(self, "__post_init__", None)
        if after is not None:
            call(after, passed, None)

    __init__.fields = fields  # type: ignore[attr-defined]
    return HostMethod("__init__", __init__)


def signature_of(fields: list[Field]) -> inspect.Signature:
    """What the `__init__` of a dataclass takes."""
    kinds = inspect.Parameter
    first = "__dataclass_self__" if any(field.name == "self" for field in fields) else "self"
    given = [kinds(first, kinds.POSITIONAL_OR_KEYWORD)]
    for field in sorted(fields, key=lambda field: field.kw_only):
        made = field.default_factory is not MISSING
        default = Opaque("<factory>") if made else kinds.empty if field.default is MISSING else field.default
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
    return tuple([getattr(value, field.name) for field in fields])


def _comparison(cls: type, fields: list[Field], name: str) -> HostMethod:
    compared = [field for field in fields if field.compare]

    def compare(self: Any, other: Any) -> Any:
        if type(self) is not type(other):
            return NotImplemented
        ours, theirs = _values(self, compared), _values(other, compared)
        weighed(ours)
        weighed(theirs)
        return getattr(ours, name)(theirs)

    return HostMethod(name, compare)


def _hash(fields: list[Field]) -> HostMethod:
    hashed = [field for field in fields if (field.compare if field.hash is None else field.hash)]

    def __hash__(self: Any) -> int:
        values = _values(self, hashed)
        guard_key(values)
        return stable_hash(values)

    return HostMethod("__hash__", __hash__)


def _frozen(self: Any, name: str, value: Any) -> None:
    raise host_exception(_FrozenInstanceError(f"cannot assign to field '{name}'"))


def _frozen_delete(self: Any, name: str) -> None:
    raise host_exception(_FrozenInstanceError(f"cannot delete field '{name}'"))


def _is_instance(value: Any) -> bool:
    return not isinstance(value, type) and hasattr(type(value), "__dataclass_fields__")


def _as_dict(obj: Any, *, dict_factory: Any = dict) -> Any:
    if not _is_instance(obj):
        raise TypeError("asdict() should be called on dataclass instances")
    return _converted(obj, lambda pairs: dict(pairs) if dict_factory is dict else call(dict_factory, (pairs,), None))


def _as_tuple(obj: Any, *, tuple_factory: Any = tuple) -> Any:
    if not _is_instance(obj):
        raise TypeError("astuple() should be called on dataclass instances")
    return _converted(obj, lambda pairs: call(tuple_factory, ([value for _, value in pairs],), None))


def _converted(value: Any, make: Callable[[list[tuple[str, Any]]], Any]) -> Any:
    meter.charge(4)
    if _is_instance(value):
        with nested():
            fields = _fields_of(type(value))
            return make([(field.name, _converted(getattr(value, field.name), make)) for field in fields])
    if type(value) in (list, tuple):
        with nested():
            return type(value)([_converted(item, make) for item in value])
    if type(value) is dict:
        with nested():
            return {key: _converted(item, make) for key, item in value.items()}
    return value


def _replace(value: Any, /, **changes: Any) -> Any:
    if not _is_instance(value):
        raise TypeError("replace() should be called on dataclass instances")
    given = {}
    every = _all_fields(type(value))
    meter.charge(len(every) >> 3)
    for field in every:
        if field._field_type == _INIT and field.default is MISSING and field.name not in changes:
            raise ValueError(f"InitVar {field.name!r} must be specified with replace()")
        if not field.init and field.name in changes:
            raise ValueError(
                f"field {field.name} is declared with init=False, it cannot be specified with replace()"
            )
        if field.init and field._field_type == _FIELD:
            given[field.name] = getattr(value, field.name)
    return call(type(value), (), {**given, **changes})


def _is_dataclass(value: Any) -> bool:
    kind = value if isinstance(value, type) else type(value)
    return any("__dataclass_fields__" in base.__dict__ for base in visible_mro(kind))


def _fields(class_or_instance: Any) -> tuple[Field, ...]:
    if not _is_dataclass(class_or_instance):
        raise TypeError("must be called with a dataclass type or instance")
    kind = class_or_instance if isinstance(class_or_instance, type) else type(class_or_instance)
    return tuple(_fields_of(kind))


def _make_dataclass(
    cls_name: Any, fields: Any, *, bases: Any = (), namespace: Any = None, module: Any = None, **options: Any
) -> Any:
    members = dict(namespace) if isinstance(namespace, dict) else {}
    annotations: dict[str, Any] = {}
    for item in items(fields):
        parts = (item,) if isinstance(item, str) else tuple(items(item))
        if len(parts) not in (1, 2, 3):
            raise TypeError(f"Invalid field: {represent(item)}")
        name = parts[0]
        if not isinstance(name, str) or not name.isidentifier():
            raise TypeError(f"Field names must be valid identifiers: {represent(name)}")
        if keyword.iskeyword(name):
            raise TypeError(f"Field names must not be keywords: {name!r}")
        if name in annotations:
            raise TypeError(f"Field name duplicated: {name!r}")
        meter.charge(2)
        annotations[name] = parts[1] if len(parts) > 1 else "typing.Any"
        if len(parts) == 3:
            members[name] = parts[2]
    meter.charge(len(members) >> 1)
    members["__annotations__"] = annotations
    name = to_text(cls_name)
    return _dataclass(**options)(enum.make_class(name, name, list(items(bases)), members, {}))


def _dict_of_fields(value: Any) -> dict[str, Field]:
    if not _is_dataclass(value):
        raise missing(value, "__dataclass_fields__")
    fields = _all_fields(value if isinstance(value, type) else type(value))
    keyed(len(fields))
    return {field.name: field for field in fields}


def _doc_of(value: Any) -> Any:
    cls = value if isinstance(value, type) else type(value)
    if "__dataclass_fields__" not in cls.__dict__ or cls.__dict__.get("__doc__") is not None:
        return _plain_doc(value)
    parts, rest = [], False
    for field in sorted(_all_fields(cls), key=lambda field: bool(field.kw_only)):
        if field._field_type == _CLASS or not field.init:
            continue
        meter.charge(1)
        if field.kw_only and not rest:
            rest = True
            parts.append("*")
        kind = field.type
        shown = kind.__name__ if isinstance(kind, type) and kind.__module__ == "builtins" else represent(kind)
        if isinstance(kind, type) and kind.__module__ != "builtins":
            shown = f"{kind.__module__}.{kind.__qualname__}"
        default = "<factory>" if field.default_factory is not MISSING else represent(field.default)
        parts.append(f"{field.name}: {shown.removeprefix('typing.')}" + f" = {default}" * _has_default(field))
    return f"{cls.__name__}({', '.join(parts)})"


_plain_doc = VALUES["__doc__"]
VALUES |= {"__doc__": _doc_of, "__dataclass_fields__": _dict_of_fields}


MODULES: dict[str, dict[str, Any]] = {
    "dataclasses": {
        "dataclass": Builtin("dataclass", _dataclass),
        "field": Builtin("field", _field),
        "fields": Builtin("fields", _fields),
        "make_dataclass": Builtin("make_dataclass", _make_dataclass),
        "Field": Field,
        "InitVar": Opaque("dataclasses.InitVar"),
        "KW_ONLY": Opaque("dataclasses.KW_ONLY"),
        "MISSING": MISSING,
        "asdict": Builtin("asdict", _as_dict),
        "astuple": Builtin("astuple", _as_tuple),
        "replace": Builtin("replace", _replace),
        "FrozenInstanceError": _FrozenInstanceError,
        "is_dataclass": Builtin("is_dataclass", _is_dataclass),
    },
}
