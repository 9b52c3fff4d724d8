"""`functools`."""

from __future__ import annotations

import functools
from types import FunctionType, MethodType, UnionType
from typing import Any

from engine.program.annotations import members
from engine.program.attributes import read, write
from engine.program.calls import CALLERS, call, callable_value
from engine.program.charges import made, probed
from engine.program.kinds import OWN, check_owner, check_value, is_dunder, kind_of, missing
from engine.program.methods import CLOSED
from engine.program.operators import finite, guard_key, iterable_value
from engine.program.stdlib.collections import make_namedtuple
from engine.program.stdlib.typing import get_type_hints
from engine.program.tables import READERS
from engine.program.text import represent
from engine.program.values import TYPE, UNSET, Builtin, Function, HostMethod, class_of_value, fake_address, name_as

_MAX_PARTIALS = 60


class Partial(HostMethod):
    """`functools.partial`."""

    __slots__ = ("args", "depth", "keywords", "target")

    def __init__(self, target: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        super().__init__("partial", self._run)
        self.target, self.args, self.keywords = target, args, keywords
        self.depth: int = target.depth + 1 if isinstance(target, Partial) else 1
        if self.depth > _MAX_PARTIALS:
            raise RecursionError("maximum recursion depth exceeded: too many partials inside each other")

    def _run(self, *args: Any, **kwargs: Any) -> Any:
        return call(self.target, (*self.args, *args), {**self.keywords, **kwargs} or None)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self

    def __repr__(self) -> str:
        parts = [represent(self.target), *map(represent, self.args)]
        parts += [f"{name}={represent(value)}" for name, value in self.keywords.items()]
        return f"functools.partial({', '.join(parts)})"


name_as(Partial, "partial")
Partial.__module__ = "functools"


def _partial(*given: Any, **keywords: Any) -> Partial:
    if not given:
        raise TypeError("type 'partial' takes at least one argument")
    func, *args = given
    if not callable_value(func):
        raise TypeError("the first argument must be callable")
    return Partial(func, tuple(args), keywords)


def _read_partial(value: Partial, name: str) -> Any:
    if name == "func":
        return value.target
    if name in ("args", "keywords"):
        return getattr(value, name)
    raise missing(value, name)


READERS[Partial] = _read_partial
CALLERS[Partial] = CALLERS[Builtin]


def _reduce(function: Any, iterable: Any, initial: Any = UNSET, /) -> Any:
    if not iterable_value(iterable):
        raise TypeError("reduce() arg 2 must support iteration")
    iterator = iter(finite(iterable))
    if initial is UNSET:
        initial = next(iterator, UNSET)
        if initial is UNSET:
            raise TypeError("reduce() of empty iterable with no initial value")
    for value in iterator:
        initial = call(function, (initial, value), None)
    return initial


def _wraps(wrapped: Any, *args: Any, **kwargs: Any) -> Builtin:
    def decorate(wrapper: Any) -> Any:
        if isinstance(wrapper, Function):
            if isinstance(wrapped, Function):
                wrapper.name, wrapper.qualname, wrapper.doc = wrapped.name, wrapped.qualname, wrapped.doc
                wrapper.module, wrapper.annotations = wrapped.module, wrapped.annotations
                made(len(wrapped.attributes or ()))
                wrapper.attributes = {**(wrapper.attributes or {}), **(wrapped.attributes or {})}
            elif isinstance(wrapped, FunctionType | MethodType | Builtin):
                wrapper.name, wrapper.qualname = read(wrapped, "__name__"), read(wrapped, "__qualname__")
                wrapper.doc = read(wrapped, "__doc__")
            wrapper.attributes = {**(wrapper.attributes or {}), "__wrapped__": wrapped}
        elif kind_of(type(wrapper)) == OWN and not isinstance(wrapper, type):
            for name in ("__name__", "__qualname__", "__doc__", "__module__"):
                write(wrapper, name, read(wrapped, name))
            write(wrapper, "__wrapped__", wrapped)
        return wrapper

    return Builtin("wraps", decorate)


class Cached(HostMethod):
    """What `functools.lru_cache` makes of a function: it remembers the results last asked for."""

    __slots__ = ("hits", "known", "limit", "misses", "typed")

    def __init__(self, target: Any, limit: int | None, typed: bool = False) -> None:
        super().__init__(getattr(target, "__name__", "function"), self._run, target)
        self.limit, self.typed = limit, typed
        self.clear()

    def clear(self) -> None:
        self.known: dict[Any, Any] = {}
        self.hits = self.misses = 0

    def parameters(self) -> dict[str, Any]:
        return {"maxsize": self.limit, "typed": self.typed}

    def info(self) -> Any:
        return CACHE_INFO(self.hits, self.misses, self.limit, len(self.known))

    def _run(self, *args: Any, **kwargs: Any) -> Any:
        key: Any = (args, tuple(kwargs.items())) if kwargs else args
        if self.typed:
            key = (key, tuple(map(type, (*args, *kwargs.values()))))
        guard_key(key)
        hash(key)  # which says what cannot be a key
        if len(self.known) > 63:
            probed(key, 3 * len(self.known))
        found = self.known.pop(key, UNSET)
        if found is UNSET:
            self.misses += 1
            found = call(self.wrapped, args, kwargs or None)
            self.known.pop(key, None)
            if self.limit is not None and len(self.known) >= self.limit:
                if self.limit == 0:
                    return found
                self.known.pop(next(iter(self.known)))
        else:
            self.hits += 1
        self.known[key] = found
        return found


    def __repr__(self) -> str:
        return f"<functools._lru_cache_wrapper object at {fake_address(self)}>"


name_as(Cached, "_lru_cache_wrapper")
CACHE_INFO: Any = make_namedtuple("CacheInfo", ["hits", "misses", "maxsize", "currsize"], {})


def _read_cached(value: Cached, name: str) -> Any:
    if name == "cache_info":
        return Builtin(name, value.info)
    if name == "cache_clear":
        return Builtin(name, value.clear)
    if name == "cache_parameters":
        return Builtin(name, value.parameters)
    raise missing(value, name)


READERS[Cached] = _read_cached
CALLERS[Cached] = CALLERS[Builtin]


def _lru_cache(maxsize: Any = 128, typed: Any = False) -> Any:
    typed = bool(typed)
    if isinstance(maxsize, int | None):
        limit = None if maxsize is None else max(maxsize, 0)
        return Builtin("lru_cache", lambda function: Cached(function, limit, typed))
    if not callable_value(maxsize):
        raise TypeError("Expected first argument to be an integer, a callable, or None")
    return Cached(maxsize, 128, typed)


class Dispatched(HostMethod):
    """What `functools.singledispatch` makes of a function: the type of the first argument chooses who answers."""

    __slots__ = ("registry",)

    def __init__(self, target: Any) -> None:
        super().__init__(getattr(target, "__name__", "function"), self._run, target)
        self.registry: dict[Any, Any] = {object: target}

    def _run(self, *args: Any, **kwargs: Any) -> Any:
        if not args:
            raise TypeError(f"{self.name} requires at least 1 positional argument")
        return call(self.dispatch(class_of_value(args[0])), args, kwargs or None)

    def dispatch(self, cls: Any) -> Any:
        bases = (TYPE, object) if cls is TYPE else cls.__mro__
        return next((self.registry[base] for base in bases if base in self.registry), self.wrapped)

    def register(self, cls: Any, func: Any = None) -> Any:
        if isinstance(cls, type) or cls is TYPE:
            if func is None:
                return Builtin("register", lambda function: self.register(cls, function))
            self.registry[cls] = func
            return func
        if isinstance(cls, UnionType):
            for kind in members(cls):
                self.register(kind, func)
            return func if func is not None else Builtin("register", lambda function: self.register(cls, function))
        kinds = list(get_type_hints(cls).values()) if isinstance(cls, Function) and func is None else []
        if not kinds:
            raise TypeError(
                f"Invalid first argument to `register()`: {represent(cls)}. Use either `@register(some_class)` or plain"
                " `@register` on an annotated function."
            )
        if not isinstance(kinds[0], type | UnionType):
            name = next(iter(cls.annotations or {}))
            raise TypeError(f"Invalid annotation for {name!r}. {represent(kinds[0])} is not a class.")
        return self.register(kinds[0], cls)


name_as(Dispatched, "function")


def _read_dispatched(value: Dispatched, name: str) -> Any:
    if name in ("register", "dispatch"):
        return Builtin(name, getattr(value, name))
    if name == "registry":
        return dict(value.registry)
    raise missing(value, name)


READERS[Dispatched] = _read_dispatched
CALLERS[Dispatched] = CALLERS[Builtin]


class DispatchedMethod:
    """`functools.singledispatchmethod`: the same for methods, by the argument after `self`."""

    __module__ = "functools"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, func: Any) -> None:
        if not callable_value(func) and not hasattr(func, "__get__"):
            raise TypeError(f"{represent(func)} is not callable or a descriptor")
        self.func = func
        self.dispatcher = Dispatched(func)

    def register(self, cls: Any, method: Any = None) -> Any:
        return self.dispatcher.register(cls, method)

    def __get__(self, instance: Any, owner: Any = None) -> HostMethod:
        def run(*args: Any, **kwargs: Any) -> Any:
            if not args:
                raise IndexError("tuple index out of range")
            method = self.dispatcher.dispatch(class_of_value(args[0]))
            return call(method.__get__(instance, owner), args, kwargs or None)

        return HostMethod(self.dispatcher.name, run, self.func)


DispatchedMethod.__name__ = DispatchedMethod.__qualname__ = "singledispatchmethod"


def _partialmethod(func: Any, /, *args: Any, **keywords: Any) -> HostMethod:
    def run(self: Any, *more: Any, **options: Any) -> Any:
        return call(func, (self, *args, *more), {**keywords, **options} or None)

    return HostMethod(getattr(func, "__name__", "partialmethod"), run)


class CachedProperty:
    """`functools.cached_property`: what its function gives becomes an attribute of the object."""

    __module__ = "functools"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, func: Any) -> None:
        self.func = func
        self.attrname: str | None = None
        doc = getattr(func, "doc", None)
        self.__doc__ = doc if isinstance(doc, str) else None

    def __set_name__(self, owner: Any, name: str) -> None:
        if self.attrname is None:
            self.attrname = name

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        name = self.attrname
        if not isinstance(name, str):
            raise TypeError("Cannot use cached_property instance without calling __set_name__ on it.")
        held = getattr(instance, "__dict__", None)
        if held is None:
            kind = type(instance).__name__
            raise TypeError(f"No '__dict__' attribute on {kind!r} instance to cache {name!r} property.")
        found = call(self.func, (instance,), None)
        if not is_dunder(name):
            check_owner(instance, name)
            check_value(instance, name)
            held[name] = found
        return found


CachedProperty.__name__ = CachedProperty.__qualname__ = "cached_property"


def _total_ordering(cls: Any) -> Any:
    def derived(name: str, result: Any) -> HostMethod:
        return HostMethod(name, result)

    have = {name for name in ("__lt__", "__le__", "__gt__", "__ge__") if name in cls.__dict__}
    if not have:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    if "__lt__" in have:
        write(cls, "__gt__", derived("__gt__", lambda a, b: b < a))
        write(cls, "__le__", derived("__le__", lambda a, b: a < b or a == b))
        write(cls, "__ge__", derived("__ge__", lambda a, b: not a < b))
    elif "__gt__" in have:
        write(cls, "__lt__", derived("__lt__", lambda a, b: b > a))
        write(cls, "__ge__", derived("__ge__", lambda a, b: a > b or a == b))
        write(cls, "__le__", derived("__le__", lambda a, b: not a > b))
    elif "__le__" in have:
        write(cls, "__ge__", derived("__ge__", lambda a, b: b <= a))
        write(cls, "__lt__", derived("__lt__", lambda a, b: a <= b and not a == b))
        write(cls, "__gt__", derived("__gt__", lambda a, b: not a <= b))
    else:
        write(cls, "__le__", derived("__le__", lambda a, b: b >= a))
        write(cls, "__gt__", derived("__gt__", lambda a, b: a >= b and not a == b))
        write(cls, "__lt__", derived("__lt__", lambda a, b: not a >= b))
    return cls


def _cmp_to_key(compare: Any) -> Builtin:
    return Builtin("K", functools.cmp_to_key(lambda a, b: call(compare, (a, b), None)))


MODULES: dict[str, dict[str, Any]] = {
    "functools": {
        "partial": Builtin("partial", _partial),
        "reduce": Builtin("reduce", _reduce),
        "wraps": Builtin("wraps", _wraps),
        "partialmethod": Builtin("partialmethod", _partialmethod),
        "singledispatch": Builtin("singledispatch", Dispatched),
        "singledispatchmethod": DispatchedMethod,
        "update_wrapper": Builtin("update_wrapper", lambda wrapper, wrapped: _wraps(wrapped)(wrapper)),
        "lru_cache": Builtin("lru_cache", _lru_cache),
        "WRAPPER_ASSIGNMENTS": functools.WRAPPER_ASSIGNMENTS[:5],
        "WRAPPER_UPDATES": functools.WRAPPER_UPDATES,
        "cache": Builtin("cache", lambda function: Cached(function, None)),
        "cached_property": CachedProperty,
        "total_ordering": Builtin("total_ordering", _total_ordering),
        "cmp_to_key": Builtin("cmp_to_key", _cmp_to_key),
    },
}
assert Builtin in CLOSED
