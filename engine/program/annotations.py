"""What stands in annotations: `Optional[int]`, `Callable[[Tensor], Tensor]`, type variables, and their parts.

None of it does anything when a program runs; it can be shown, compared and taken apart again.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator
from types import GenericAlias, UnionType
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.charges import compared
from engine.program.text import REPRS, represent, to_text
from engine.program.values import TYPE, UNSET, Builtin, Function, Opaque

WRITTEN = "annotation"
"""With the text of an annotation, the setting of the session that gives what the text stands for."""
PROTOCOLS = "typing", "protocols"
"""The setting of the session that has the program's protocols: names of members, and whether to check them."""
_LARGEST = 256
"""Parts of one annotation, however they stand inside each other: its text and its hash look at all of them."""

_ONE = "List Set FrozenSet Iterable Iterator Sequence Collection Container Deque Type Counter AbstractSet MutableSet"
_TWO = "Dict Mapping MutableMapping DefaultDict OrderedDict ChainMap"
_PARAMETERS: dict[str, int] = {
    **dict.fromkeys(f"{_ONE} MutableSequence Reversible KeysView ValuesView".split(), 1),
    **dict.fromkeys(_TWO.split(), 2),
    "Generator": 3,
}
"""How many types stand in the brackets after a name of `typing`."""
_SINGLE = frozenset({"Optional", "ClassVar", "Final", "Required", "NotRequired", "TypeGuard"})


_named: dict[str, Opaque] = {}


def named(name: str, make: Callable[..., Any] | None = None) -> Opaque:
    """What a module has under a name; always the same."""
    return _named.setdefault(name, Opaque(name, make))


def _known(name: str) -> Opaque:
    return _named.get(name) or Opaque(name)


class TypeVar(Opaque):
    """`typing.TypeVar`."""

    __slots__ = ("bound", "constraints", "variance")

    def __init__(self, name: Any, /, *constraints: Any, bound: Any = None, covariant: Any = False,
                 contravariant: Any = False) -> None:  # fmt: skip
        if type(name) is not str:
            raise TypeError(f"TypeVar() argument 1 must be str, not {type(name).__name__}")
        if covariant and contravariant:
            raise ValueError("Bivariant types are not supported.")
        if constraints and bound is not None:
            raise TypeError("Constraints cannot be combined with bound=...")
        if len(constraints) == 1:
            raise TypeError("A single constraint is not allowed")
        super().__init__(name)
        self.constraints, self.bound = tuple(map(as_type, constraints)), bound if bound is None else as_type(bound)
        self.variance = "+" if covariant else "-" if contravariant else "~"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("'TypeVar' object is not callable")

    def __repr__(self) -> str:
        return self.variance + self.name

    __eq__ = object.__eq__
    __hash__ = object.__hash__


TypeVar.__module__ = "typing"


class NewType(Builtin):
    """`typing.NewType`: gives back what it is given."""

    __slots__ = ("supertype",)

    def __init__(self, name: str, tp: Any) -> None:
        super().__init__(name, lambda x, /: x)
        self.supertype = tp

    def __or__(self, other: Any) -> Any:
        return union((self, other))

    def __ror__(self, other: Any) -> Any:
        return union((other, self))

    def __repr__(self) -> str:
        return f"__main__.{to_text(self.name)}"


NewType.__module__ = "typing"


def _forward(text: str) -> Opaque:
    """What a text in the brackets stands for, until somebody asks for it."""
    return Opaque(f"ForwardRef({text!r})", args=(text,))


def is_forward(value: Any) -> bool:
    return type(value) is Opaque and value.name.startswith("ForwardRef(")


def as_type(value: Any) -> Any:
    return type(None) if value is None else _forward(value) if type(value) is str else value


_NO_MEMBERS = frozenset(
    f"__{name}__" for name in "doc annotations module init new slots class_getitem match_args qualname dict".split()
)


def note_protocol(cls: type, namespace: dict[str, Any]) -> None:
    """Remember what the members of a protocol of the program are."""
    known: dict[type, tuple[frozenset[str], bool]] = sessions.active.settings.setdefault(PROTOCOLS, {})
    names = {*namespace, *namespace.get("__annotations__", ())} - _NO_MEMBERS
    for base in cls.__mro__:
        names |= known[base][0] if base in known else frozenset()
    meter.charge(len(names) >> 3)
    known[cls] = frozenset(names), False


def checkable(cls: Any) -> Any:
    """`typing.runtime_checkable`. Raises TypeError."""
    known = sessions.active.settings.get(PROTOCOLS, {})
    if not isinstance(cls, type) or cls not in known:
        raise TypeError(
            f"@runtime_checkable can be only applied to protocol classes, got {represent(cls)}"
        )
    known[cls] = known[cls][0], True
    return cls


# --- how large they are


def _parts(value: Any) -> tuple[Any, ...]:
    kind = type(value)
    if kind is GenericAlias or kind is UnionType:
        return tuple(value.__args__)
    return value.args or () if isinstance(value, Opaque) else tuple(value) if kind in (tuple, list) else ()


def weighed(args: Any) -> None:
    """Charge for the parts of an annotation. Raises ValueError where there are too many."""
    todo, seen = [args], 0
    while todo:
        parts = _parts(todo.pop())
        seen += len(parts)
        if seen > _LARGEST:
            raise ValueError(f"an annotation of more than {_LARGEST} parts cannot be made here")
        todo += parts
    compared(4 * seen)


# --- making them


def members(value: UnionType) -> tuple[Any, ...]:
    """What `a | b` was made of, as the program knows it."""
    return tuple([TYPE if member is type else member for member in value.__args__])


def union(given: tuple[Any, ...]) -> Any:
    """`Union[…]`: its members once each, those of unions among them for themselves."""
    flat: list[Any] = []
    for member in map(as_type, given):
        inner = isinstance(member, Opaque) and member.name == "typing.Union" and member.args
        flat += member.args if inner else members(member) if type(member) is UnionType else (member,)
    weighed(tuple(flat))
    kept: list[Any] = []
    for member in flat:
        if not any(_same(member, other) for other in kept):
            kept.append(member)
    return kept[0] if len(kept) == 1 else Opaque("typing.Union", args=tuple(kept))


_COMPARED = (Opaque, type, GenericAlias, UnionType, str, int, bytes, Builtin, type(None))


def _same(a: Any, b: Any) -> bool:
    """Whether two parts are one and the same type."""
    return a is b or isinstance(a, _COMPARED) and isinstance(b, _COMPARED) and bool(a == b)


def subscripted(generic: Opaque, item: Any) -> Any:
    """`generic[item]`. Raises TypeError."""
    name = generic.name.rpartition(".")[2]
    if generic.args is not None:
        return _filled(generic, item)
    if isinstance(generic, TypeVar) or generic.name.startswith(("abc.", "numbers.")):
        raise TypeError(f"'{type(generic).__name__}' object is not subscriptable")
    weighed(item)
    given = item if type(item) is tuple else (item,)
    if name == "Literal":
        return Opaque(generic.name, args=_literals(given))
    if name == "Annotated":
        if type(item) is not tuple or len(item) < 2:
            raise TypeError(
                "Annotated[...] should be used with at least two arguments (a type and an annotation)."
            )
        return Opaque(generic.name, args=(as_type(item[0]), *item[1:]))
    if name in ("Generic", "Protocol"):
        if not given or not all(isinstance(each, TypeVar) or _is(each, "typing.Unpack") for each in given):
            raise TypeError(
                f"Parameters to {name}[...] must all be type variables or parameter specification variables."
            )
        if len(set(given)) < len(given):
            raise TypeError(f"Parameters to {name}[...] must all be unique")
    if name == "Callable":
        return _callable(generic, item)
    if name == "Union":
        if item == ():
            raise TypeError("Cannot take a Union of no types.")
        return union(given)
    if name in _SINGLE:
        if type(item) is tuple:
            raise TypeError(f"{generic.name} {_REQUIRED.get(name, 'accepts only single type.')} Got {represent(item)}.")
        return union((item, None)) if name == "Optional" else Opaque(generic.name, args=(as_type(item),))
    expected = _PARAMETERS.get(name)
    if expected is not None and len(given) != expected and generic.name.startswith("typing."):
        many = "many" if len(given) > expected else "few"
        raise TypeError(f"Too {many} arguments for {generic.name}; actual {len(given)}, expected {expected}")
    if generic.name.startswith("collections.abc."):
        return Opaque(generic.name, args=given)
    return Opaque(generic.name, args=tuple(map(as_type, given)))


_REQUIRED = {"Optional": "requires a single type."}


def _literals(given: tuple[Any, ...]) -> tuple[Any, ...]:
    flat: list[Any] = []
    for value in given:
        inner = isinstance(value, Opaque) and value.name == "typing.Literal" and value.args
        for each in inner or (value,):
            if not any(type(each) is type(other) and _same(each, other) for other in flat):
                flat.append(each)
    return tuple(flat)


def _callable(generic: Opaque, item: Any) -> Opaque:
    if type(item) is not tuple or len(item) != 2:
        raise TypeError("Callable must be used as Callable[[arg, ...], result].")
    arguments, result = item
    if type(arguments) is list:
        return Opaque(generic.name, args=(*map(as_type, arguments), as_type(result)))
    return Opaque(generic.name, args=(arguments, as_type(result)))


def _variables(value: Any) -> Iterator[TypeVar]:
    for part in _parts(value):
        if isinstance(part, TypeVar):
            yield part
        else:
            yield from _variables(part)


def parameters(value: Any) -> tuple[TypeVar, ...]:
    """The type variables in an annotation."""
    return tuple(dict.fromkeys(_variables(value)))


def _filled(generic: Opaque, item: Any) -> Any:
    """`List[T][int]`."""
    variables = parameters(generic)
    if not variables:
        raise TypeError(f"{represent(generic)} is not a generic class")
    given = item if type(item) is tuple else (item,)
    if len(given) != len(variables):
        many = "many" if len(given) > len(variables) else "few"
        raise TypeError(
            f"Too {many} arguments for {represent(generic)}; actual {len(given)}, expected {len(variables)}"
        )
    filled = _replaced(generic, dict(zip(variables, map(as_type, given), strict=True)))
    weighed(filled)
    return filled


def _replaced(value: Any, by: dict[TypeVar, Any]) -> Any:
    if isinstance(value, TypeVar):
        return by.get(value, value)
    if type(value) is GenericAlias:
        cls: Any = value.__origin__
        return GenericAlias(cls, tuple([_replaced(part, by) for part in value.__args__]))
    if type(value) is not Opaque or not value.args or is_forward(value):
        return value
    args = tuple([_replaced(part, by) for part in value.args])
    return union(args) if value.name == "typing.Union" else Opaque(value.name, value.make, value.origin, args)


def of_class(cls: type, item: Any) -> Opaque:
    """`Box[int]`, of a class of the program: its objects are those of the class."""
    weighed(item)
    given = item if type(item) is tuple else (item,)
    return Opaque(f"{cls.__module__}.{cls.__qualname__}", origin=cls, args=tuple(map(as_type, given)))


def parted(args: tuple[Any, ...], name: str) -> tuple[Any, ...]:
    """The parts as `typing.get_args` gives them: those of a Callable are a list and what it returns."""
    if name.endswith(".Callable") and args and args[0] is not ...:
        return [*args[:-1]], args[-1]
    return args


# --- their texts


def shown(value: Any) -> str:
    """A part of an annotation inside its brackets."""
    if isinstance(value, type):
        return represent(value).removeprefix("<class '").removesuffix("'>")
    return "..." if value is ... else value.name if type(value) is Function else represent(value)


def _listed(parts: Any) -> str:
    return ", ".join(map(shown, parts))


def _represent(value: Opaque) -> str:
    name, args = value.name, value.args
    if isinstance(value, TypeVar):
        return repr(value)
    if args is None or is_forward(value):
        return f"<class '{name}'>" if name.startswith(_CLASSES) else name
    if name == "typing.Union":
        rest = [part for part in args if part is not type(None)]
        if len(rest) == 1 and len(args) == 2:
            return f"typing.Optional[{shown(rest[0])}]"
    if name in ("typing.Literal", "typing.Annotated"):
        first = 0 if name == "typing.Literal" else 1
        return f"{name}[{', '.join([*map(shown, args[:first]), *map(represent, args[first:])])}]"
    if name.endswith(".Callable"):
        given = "..." if args[0] is ... else f"[{_listed(args[:-1])}]"
        return f"{name}[{given}, {shown(args[-1])}]"
    return f"{name}[{_listed(args) or '()'}]"


_CLASSES = (
    "collections.abc.", "numbers.", "abc.", "typing.Generic", "typing.Protocol", "typing.Annotated", "typing.Supports",
)  # fmt: skip


def _write(text: Callable[[Any], str]) -> Callable[[Any, Any], str]:
    def write(writer: Any, value: Any) -> str:
        meter.charge(1)
        found = text(value)
        writer.count(len(found))
        return found

    return write


Opaque.subscripted, Opaque.union, Opaque.same = subscripted, union, _same
REPRS[Opaque] = REPRS[TypeVar] = _write(_represent)
REPRS[GenericAlias] = _write(lambda value: f"{shown(value.__origin__)}[{_listed(value.__args__) or '()'}]")
REPRS[UnionType] = _write(
    lambda value: " | ".join(["None" if part is type(None) else shown(part) for part in value.__args__])
)


# --- taking them apart

_BUILT_IN: dict[str, Any] = {
    "List": list, "Dict": dict, "Tuple": tuple, "Set": set, "FrozenSet": frozenset, "Deque": deque, "Type": TYPE,
    "DefaultDict": defaultdict, "OrderedDict": OrderedDict, "Counter": Counter,
}  # fmt: skip
_FORMS = frozenset("Union Literal Annotated ClassVar Final Generic Protocol Concatenate Required NotRequired".split())
_RENAMED = {"AbstractSet": "Set"}


def origin(value: Any) -> Any:
    """What stands before the brackets, as `typing.get_origin` gives it; None where there are none."""
    if type(value) is GenericAlias:
        return TYPE if value.__origin__ is type else value.__origin__
    if type(value) is UnionType:
        return UnionType
    if type(value) is not Opaque or is_forward(value):
        return None
    name = value.name.rpartition(".")[2]
    if value.origin is not None:
        return value.origin
    if value.args is None:
        return _BUILT_IN.get(name) if value.name.startswith("typing.") else None
    if name in _FORMS:
        return _known(value.name)
    return _BUILT_IN.get(name) or _known(f"collections.abc.{_RENAMED.get(name, name)}")


def _variable(read: Callable[[TypeVar], Any]) -> Callable[[Any], Any]:
    return lambda value: read(value) if isinstance(value, TypeVar) else UNSET


def _args(value: Any) -> Any:
    if isinstance(value, Opaque):
        return UNSET if value.args is None or is_forward(value) else value.args
    if type(value) is UnionType:
        return members(value)
    return UNSET if isinstance(value, Builtin) else value.__args__


def _name(value: Any) -> Any:
    return value.name.rpartition(".")[2] if isinstance(value, Opaque | NewType) else UNSET


_READ: dict[str, Callable[[Any], Any]] = {
    "__args__": _args,
    "__origin__": lambda value: found if (found := origin(value)) is not None else UNSET,
    "__parameters__": lambda value: UNSET if isinstance(value, Builtin) else parameters(value),
    "__name__": _name,
    "__qualname__": _name,
    "__bound__": _variable(lambda value: value.bound),
    "__constraints__": _variable(lambda value: value.constraints),
    "__covariant__": _variable(lambda value: value.variance == "+"),
    "__contravariant__": _variable(lambda value: value.variance == "-"),
    "__metadata__": lambda value: value.args[1:] if _is(value, "typing.Annotated") else UNSET,
    "__supertype__": lambda value: value.supertype if isinstance(value, NewType) else UNSET,
    "__forward_arg__": lambda value: value.args[0] if is_forward(value) else UNSET,
}


def _is(value: Any, name: str) -> bool:
    return type(value) is Opaque and value.name == name and bool(value.args)


_KINDS = frozenset({Opaque, TypeVar, NewType, GenericAlias, UnionType})


def read_part(value: Any, name: str) -> Any:
    """A special attribute of what stands in annotations, or UNSET."""
    read = _READ.get(name) if type(value) in _KINDS else None
    return UNSET if read is None else read(value)
