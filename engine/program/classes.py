"""Classes of the program. They are real Python classes, made of checked parts, so that special methods, inheritance,
`isinstance` and classes derived from the engine's (`nn.Module`, `autograd.Function`) behave exactly as in Python.

What makes that safe: only the names of `kinds.DEFINABLE` can be defined (none that pickle, numpy or the import
system act on; `__del__` is kept where Python never finds it), `__getattr__` never hears of other special names, and
metaclasses decide about nothing that Python looks classes up by (`metaclasses`).
"""

from __future__ import annotations

import types
from itertools import chain
from types import FunctionType, GenericAlias
from typing import Any

from engine.core.overriding import Overriding, OverridingParameter
from engine.core.tensor import Parameter, Tensor
from engine.limits import meter
from engine.program import metaclasses
from engine.program import session as sessions
from engine.program.abstract import MIXINS, Based
from engine.program.annotations import note_protocol, of_class, origin, parameters
from engine.program.attributes import member
from engine.program.calls import call
from engine.program.charges import SPREAD, made, written
from engine.program.exceptions import ExceptionValue
from engine.program.kinds import is_engine_class, kept_as
from engine.program.metaclasses import CONFLICT, AbstractMeta, MetaClass, chosen, host_of, is_meta
from engine.program.operators import CONTAINERS
from engine.program.overrides import begin
from engine.program.shared import made_here
from engine.program.stdlib import enum
from engine.program.stdlib.collections import make_namedtuple
from engine.program.stdlib.copy import with_state
from engine.program.stdlib.typing import ABC
from engine.program.text import default_repr
from engine.program.values import TYPE, Builtin, Function, Module, NativeMethod, Opaque, class_of_value

INHERITABLE: frozenset[type] = frozenset({dict, list, tuple, set, frozenset, int, float})
"""Built-in classes that a program's class may derive from."""

MAX_ANCESTORS = 200
COST = 40
"""Steps that making a class is charged."""


class Instance:
    """The invisible base of the program's plain classes."""

    __slots__ = ()
    __program__ = True
    __invisible__ = True
    __abstract__: tuple[str, ...] | None = None

    def __repr__(self) -> str:
        return default_repr(self)

    def __hash__(self) -> int:
        return sessions.active.identity(self) >> 4


SPREAD.add(Instance.__hash__)


def _base(base: Any) -> type | None:
    """The host class for one base; None for bases that mean nothing at run time."""
    if base is TYPE:
        return MetaClass
    if type(base) is Opaque and base.origin is not None:
        return base.origin
    if type(base) is Opaque and origin(base) in INHERITABLE:
        return origin(base)  # type: ignore[no-any-return]
    if type(base) is Opaque:
        return _mixin(base)
    if base is object:
        return None
    if type(base) is GenericAlias:
        return _base(base.__origin__)
    if not isinstance(base, type):
        raise _no_base(base)
    if base in INHERITABLE or "__program__" in base.__dict__ or issubclass(base, ExceptionValue):
        return base
    if base.__module__ == "collections" or (
        base.__module__.startswith("engine.program") and "__inheritable__" in base.__dict__
    ):
        return base
    if is_engine_class(base):
        return base
    raise TypeError(f"a class cannot derive from '{base.__name__}' here")


def _mixin(base: Opaque) -> type | None:
    """What classes inherit from one of `collections.abc`, whatever it is called in `typing`."""
    found = origin(base)
    room, _, name = (found if type(found) is Opaque else base).name.rpartition(".")
    return MIXINS.get(name) if room == "collections.abc" else None


def _no_base(base: Any) -> TypeError:
    """What Python says to a base that is no class: it makes an object of the base's own class instead."""
    kind = type(base)
    if kind is Module:
        return TypeError("module() takes at most 2 arguments (3 given)")
    if kind is Function:
        return TypeError("function() argument 'code' must be code, not str")
    if kind in (Builtin, NativeMethod, FunctionType):
        return TypeError("cannot create 'builtin_function_or_method' instances")
    if kind in (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, type(None)):
        try:
            kind("", (), {})
        except TypeError as error:
            return error.with_traceback(None)
    return TypeError(f"'{kind.__name__}' object cannot be used as a base class")


def make_class(
    name: str, qualname: str, bases: list[Any], namespace: dict[str, Any], keywords: dict[str, Any], meta: Any = None
) -> Any:
    """What a `class` statement does. Raises TypeError, as Python does, when the parts do not fit.

    `meta`: the program's metaclass that asks for it.
    """
    if any(type(base) is Opaque and base.name == "typing.NamedTuple" for base in bases):
        return _named_tuple(name, namespace)
    if bases and not isinstance(bases[0], type) and made_here(type(bases[0])):
        return call(type(bases[0]), (name, tuple(bases), namespace), None)
    if any(isinstance(base, Module) for base in bases[1:]):
        raise TypeError(CONFLICT)
    if any([is_meta(host_of(base) or base) for base in bases]):
        metaclasses.check(bases, namespace)
        bases = [host_of(base) or base for base in bases]
    if len(bases) > 1:
        bases = enum.mixed_bases(bases)
    hosts = [Overriding if host is Tensor else host for host in map(_base, bases) if host is not None]
    if "__torch_function__" in namespace:
        hosts = [OverridingParameter if host is Parameter else host for host in hosts]
    if "__torch_function__" in namespace or Overriding in hosts:
        begin()
    typed: dict[str, Any] = {}
    if any(type(base) is Opaque and base.name == "typing.TypedDict" for base in bases):
        hosts.append(dict)
        namespace = {"__init_subclass__": classmethod(_typed), **namespace}
        typed = _keys(namespace, bases, keywords)
        keywords = {key: value for key, value in keywords.items() if key != "total"}
    elif any([isinstance(base, type) and _REQUIRED in base.__dict__ for base in bases]):
        typed = _keys(namespace, bases, keywords)
    if not hosts or all(host in INHERITABLE and host is not dict for host in hosts):
        hosts.append(Instance)
    if sum(len(host.__mro__) for host in hosts) > MAX_ANCESTORS:
        raise TypeError(f"a class with more than {MAX_ANCESTORS} ancestors cannot be made here")
    meter.charge(COST)
    body: dict[str, Any] = {
        "__module__": "__main__",
        "__qualname__": qualname,
        "__program__": sessions.active,
    }
    if any(type(base) is Opaque and base.name in _GENERIC for base in bases):
        body["__class_getitem__"] = classmethod(of_class)
    variables = dict.fromkeys(each for base in bases if type(base) is Opaque for each in parameters(base))
    if variables or any([_PARAMETERS in host.__dict__ for host in hosts]):
        body[_PARAMETERS] = tuple(variables)
    for key, value in namespace.items():
        body[kept_as(key)] = member(kept_as(key), value)
    if "__del__" in namespace:
        sessions.active.notice("__del__ is never called here: objects go when the run ends.")
    body |= {"__abstract__": None, **typed}
    if "__eq__" in body and "__hash__" not in body:
        body["__hash__"] = None
    with_state(body, tuple(hosts))
    if meta is None:
        made = types.new_class(name, tuple(hosts), keywords, lambda into: into.update(body))
    else:
        made = type.__new__(meta, name, tuple(hosts), body, **keywords)
    if any(type(base) is Opaque and base.name == "typing.Protocol" for base in bases):
        note_protocol(made, namespace)
    inherited = [names for host in hosts if (names := getattr(host, "__abstract__", None)) is not None]
    marked = any(type(base) is Opaque and base.name.startswith(_ABSTRACT) for base in bases)
    if inherited or marked or issubclass(type(made), AbstractMeta):
        names = {*(key for key in namespace if is_abstract(namespace[key])), *chain.from_iterable(inherited)}
        type.__setattr__(made, "__abstract__", tuple(sorted(name for name in names if _lacks(made, name))))
    if not CONTAINERS.isdisjoint(made.__mro__):
        sessions.active.contains(made)
    for special in ("__repr__", "__hash__"):
        owners = [base for base in made.__mro__[:-1] if special in base.__dict__]
        if len(owners) > 1 and owners[0] in _ROOTS:  # a mixin's, which stands before what the others inherit
            type.__setattr__(made, special, owners[1].__dict__[special])
    return made


_ROOTS = (Instance, ABC, Based)
enum.make_class = make_class


def _by_meta(meta: Any, name: Any, bases: Any, namespace: Any, **keywords: Any) -> Any:
    """`type.__new__(meta, name, bases, namespace)`."""
    bases = _checked(name, bases, namespace)
    if chosen(meta, bases) is not meta:
        raise TypeError(CONFLICT)
    members = dict(namespace)
    qualname = members.pop("__qualname__", name)
    if type(qualname) is not str:
        raise TypeError(f"type __qualname__ must be a str, not {type(qualname).__name__}")
    return make_class(name, qualname, bases, members, keywords, meta)


metaclasses.make_class = _by_meta


def _type(*args: Any, **keywords: Any) -> Any:
    """`type(value)`, or `type(name, bases, namespace)`, which makes a class."""
    if len(args) == 1 and not keywords:
        return class_of_value(args[0])
    if len(args) != 3:
        raise TypeError("type() takes 1 or 3 arguments")
    name, bases, namespace = args
    parents = _checked(name, bases, namespace)
    meta = chosen(None, parents)
    if meta is not None:
        return call(meta, args, keywords)
    return make_class(name, name, parents, dict(namespace), keywords)


def _checked(*args: Any) -> list[Any]:
    """The bases, after a look at what classes are made of."""
    for place, (given, kind) in enumerate(zip(args, (str, tuple, dict), strict=True), 1):
        if not isinstance(given, kind):
            raise TypeError(f"type.__new__() argument {place} must be {kind.__name__}, not {type(given).__name__}")
    name, bases, namespace = args
    written(len(name))
    made(len(bases) + len(namespace))
    if any(type(key) is not str for key in namespace):
        raise TypeError("a class whose members are not named by strings cannot be made here")
    return list(bases)


TYPE.function = _type

_ABSTRACT = ("abc.ABCMeta", "typing.Protocol", "collections.abc.", "numbers.")
"""Bases with the metaclass that looks for abstract methods, which are only marked without it."""


def _lacks(cls: type, name: str) -> bool:
    """Whether what a class has under the name of an abstract method is that method still."""
    owner = next((base for base in cls.__mro__ if name in base.__dict__), None)
    return owner is None or is_abstract(owner.__dict__[name]) or name in (owner.__dict__.get("__abstract__") or ())


_PARAMETERS = "__parameters__"
_GENERIC = frozenset({"typing.Generic", "typing.Protocol"})


def _typed(cls: type, total: Any = True) -> None:
    """What a class derived from a TypedDict is told: whether all its keys must be there, which nothing looks at."""


_REQUIRED, _OPTIONAL = "__required_keys__", "__optional_keys__"


def _keys(namespace: dict[str, Any], bases: list[Any], keywords: dict[str, Any]) -> dict[str, Any]:
    """What a TypedDict says of its keys."""
    total, known = bool(keywords.get("total", True)), [base for base in bases if isinstance(base, type)]
    required = {key for base in known for key in base.__dict__.get(_REQUIRED, ())}
    optional = {key for base in known for key in base.__dict__.get(_OPTIONAL, ())}
    for key, kind in namespace.get("__annotations__", {}).items():
        marked = kind.name if type(kind) is Opaque and kind.args else ""
        needed = marked == "typing.Required" or total and marked != "typing.NotRequired"
        (required if needed else optional).add(key)
    meter.charge(len(required) + len(optional) >> 2)
    kinds = [base.__dict__.get("__annotations__", {}) for base in known] + [namespace.get("__annotations__", {})]
    annotations = {key: kind for notes in kinds for key, kind in notes.items()}
    said = {_REQUIRED: frozenset(required), _OPTIONAL: frozenset(optional)}
    return {"__annotations__": annotations, "__total__": total, **said}


def _named_tuple(name: str, namespace: dict[str, Any]) -> type:
    """`class Name(NamedTuple)`: the annotated names are the fields."""
    fields = list(namespace.get("__annotations__", {}))
    defaults = {field: namespace[field] for field in fields if field in namespace}
    late = next((f for i, f in enumerate(fields) if f not in defaults and i and fields[i - 1] in defaults), None)
    if late is not None:
        shown = ", ".join(defaults)
        raise TypeError(
            f"non-default namedtuple field {late} cannot follow default field{'s' * (len(defaults) > 1)} {shown}"
        )
    members = {key: member(key, value) for key, value in namespace.items() if key not in defaults}
    meter.charge(COST)
    return make_namedtuple(name, fields, defaults, members)


def is_abstract(value: Any) -> bool:
    """Whether a member was marked with `abc.abstractmethod`."""
    if isinstance(value, property):
        value = value.fget
    elif isinstance(value, staticmethod | classmethod):
        value = value.__func__
    return isinstance(value, Function) and bool(value.attributes) and "__isabstractmethod__" in (value.attributes or {})
