"""`torch.overrides`: `__torch_function__`, which classes and modes have asked before PyTorch's functions run.

Nothing asks until there is somebody to ask: a class derived from Tensor, a mode that is entered, an object with the
method in a call. From then on every function and method asks first (`begin`); until then it costs nothing.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import FunctionType, MethodType
from typing import Any

from engine import errors, settings
from engine.codegen.deferred import Pending
from engine.composites.bindings import MEETS, WITHIN
from engine.composites.bindings import __name__ as GUARDS
from engine.composites.subclasses import as_subclass
from engine.core.tensor import Parameter, Tensor, TensorMeta
from engine.torch import overridable
from engine.torch.overridable import BINARY, CALLED, NAME, NAMED
from engine.types.return_types import NamedResult

FOR_USERS = (GUARDS, "engine.program.printing")
"""Modules whose calls are those of who calls them."""
NOBODY, DEFAULT, OWN = "nobody", "default", "own"


class Asked:
    """One function that asks: as it is known, as it runs, and what errors call it."""

    __slots__ = ("default", "factory", "func", "in_c", "operator", "plain", "public", "reflected")

    def __init__(self, func: Any, plain: Callable[..., Any], public: str, in_c: bool) -> None:
        self.func, self.plain, self.public, self.in_c = func, plain, public, in_c
        self.factory = self.operator = self.reflected = False
        self.default = True  # whether results become objects of a class that defines nothing

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if _state.off or _state.subclasses_off and not _state.modes:
            return self.plain(*args, **kwargs)
        name = sys._getframe(2).f_globals.get("__name__")
        if name is None or name.startswith(WITHIN) and name not in FOR_USERS:
            return self.plain(*args, **kwargs)
        given = args
        if self.reflected and isinstance(args[1], Tensor):
            given = args[::-1]
        found = [] if _state.subclasses_off or self.factory else overloaded((*given, *kwargs.values()))
        if not found and not _state.modes:
            return self.plain(*args, **kwargs)
        if self.operator and not isinstance(args[1], Tensor | int | float | complex):
            if how(type(args[1])) is NOBODY:
                return self.plain(*args, **kwargs)
        result = ask(self, lambda: self.plain(*args, **kwargs), found, given, kwargs)
        if result is NotImplemented and not self.operator:
            raise self.nobody(found)
        return result

    def nobody(self, found: list[Any]) -> TypeError:
        """What is said where all that were asked have returned NotImplemented."""
        kinds = [type(value) for value in found]
        if not self.in_c:
            return errors.not_overridden(self.public, kinds)
        mode = f"mode object {_state.modes[-1]!r}" if _state.modes else None
        return errors.multiple_dispatch(self.public, mode, kinds)


class _State:
    """Modes, the innermost last; how often all, or classes alone, are off; who asks; what is known of classes."""

    def __init__(self) -> None:
        self.modes: list[Any] = settings.contents([])
        self.off = self.subclasses_off = 0
        self.asking: dict[Any, Asked] = {}
        self.kinds: dict[type, str] = settings.contents({})


_state = _State()
settings.variable(_state, "off")
settings.variable(_state, "subclasses_off")


def _disabled_torch_function_impl(func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """A class that has it for its `__torch_function__` is not asked."""
    with _off("subclasses_off"):
        return func(*args, **(kwargs or {}))


def how(kind: type) -> str:
    """Whether a class is asked, and how."""
    known = _state.kinds.get(kind)
    if known is None:
        found = next((base.__dict__[NAME] for base in kind.__mro__ if NAME in base.__dict__), None)
        nobody = found is None or found is _disabled_torch_function_impl or kind is Tensor or issubclass(kind, type)
        known = NOBODY if nobody else DEFAULT if found is Tensor.__dict__[NAME] else OWN
        _state.kinds[kind] = known
    return known


def overloaded(values: Iterable[Any]) -> list[Any]:
    """Of values, and the items of lists among them, those that are asked: one of each class, derived ones first."""
    found: list[Any] = []
    for value in values:
        kind = type(value)
        if kind is list or kind is tuple:
            for item in value:
                _consider(item, found)
        elif kind is not Tensor:
            _consider(value, found)
    return found


def _consider(value: Any, found: list[Any]) -> None:
    kind = type(value)
    if how(kind) is NOBODY or any(type(other) is kind for other in found):
        return
    place = next((i for i, other in enumerate(found) if issubclass(kind, type(other))), len(found))
    found.insert(place, value)


@contextmanager
def _off(switch: str) -> Iterator[None]:
    setattr(_state, switch, getattr(_state, switch) + 1)
    try:
        yield
    finally:
        setattr(_state, switch, getattr(_state, switch) - 1)


def ask(
    asked: Asked, plain: Callable[[], Any], found: list[Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Any:
    """What the innermost mode, or else the first of the objects found, makes of a call; NotImplemented if none does."""
    func, kinds = asked.func, [type(value) for value in found]
    given: dict[str, Any] | None = dict(kwargs) if kwargs else None
    if not asked.in_c:
        args, given = _named(asked, args, given or {})
        if any(type(value) is Tensor for value in (*args, *given.values())):
            kinds.append(Tensor)  # functions written in Python name it, too
    elif not found and isinstance(func, FunctionType) and overridable.takes_nothing(func.__name__):
        kinds = [type(value) for value in args[:1]]
    elif not found and not isinstance(func, FunctionType):
        kinds = [type(args[0])]
    types = tuple(kinds)
    if _state.modes:
        mode = _state.modes.pop()
        try:
            return getattr(mode, NAME)(func, types, args, given)
        finally:
            _state.modes.append(mode)
    for value in found:
        kind = type(value)
        if how(kind) is DEFAULT:
            result = _by_default(kind, types, plain, asked.default)
        else:
            result = _handler(value, kind)(func, types, args, given)
        if result is not NotImplemented:
            return result
    return NotImplemented


def _named(asked: Asked, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments as PyTorch's functions in Python hand them on: by name, with defaults, but for those without one."""
    if asked.func not in _state.asking or asked.func.__name__.startswith("__"):
        return args, kwargs
    return by_name(asked.func, args, kwargs)


def by_name(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call by the names of its parameters, with defaults, but for those without one; as they are
    where a parameter cannot be given both ways."""
    signature = inspect.signature(function)
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:
        return args, kwargs
    bound.apply_defaults()
    parts = signature.parameters.values()
    if any(part.kind is not part.POSITIONAL_OR_KEYWORD for part in parts):
        return args, kwargs
    given = bound.arguments
    return (
        tuple([given[part.name] for part in parts if part.default is part.empty]),
        {part.name: given[part.name] for part in parts if part.default is not part.empty},
    )


def _handler(value: Any, kind: type) -> Any:
    member = next(base.__dict__[NAME] for base in kind.__mro__ if NAME in base.__dict__)
    if type(member) is FunctionType:
        errors.warn_torch_function_method()
        return MethodType(member, value)
    return getattr(kind, NAME)


def _by_default(cls: type, types: Iterable[type], run: Callable[[], Any], default: bool) -> Any:
    """What a class does that defines nothing: results become its objects."""
    if not all(issubclass(cls, kind) for kind in types):
        return NotImplemented
    with _off("subclasses_off"):
        result = run()
        return converted(result, cls) if default else result


def converted(result: Any, cls: type) -> Any:
    """A result with its tensors as objects of a class."""
    if isinstance(result, Tensor):
        return result if isinstance(result, cls) else as_subclass(result, cls)
    kind = type(result)
    if kind is tuple or kind is list or isinstance(result, NamedResult):
        return kind([converted(item, cls) for item in result])
    return result


def __torch_function__(cls: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """`super().__torch_function__(func, types, args, kwargs)` of classes derived from Tensor."""
    return _by_default(cls, types, lambda: func(*args, **(kwargs or {})), func not in _as_they_are)


setattr(Tensor, NAME, classmethod(__torch_function__))
setattr(Parameter, NAME, _disabled_torch_function_impl)


_as_they_are: list[Any] = []
"""What gives results that are not converted."""


def begin() -> None:
    """From now on, functions and methods ask."""
    if _state.asking:
        return
    for function, path in overridable.paths().items():
        asked = _asking(function, overridable.public_name(path), overridable.path_in_c(path))
        asked.factory = path.rpartition(".")[2] in overridable.FACTORIES and path.count(".") == 1
    members = overridable.members()
    for name, member in members.items():
        if type(member) is FunctionType and name not in CALLED:
            if name in NAMED or members.get(member.__name__) is not member:
                member.__name__ = NAMED.get(name, name)
    for name, member in members.items():
        if isinstance(member, property):
            _ask_to_read(name, member)
        elif type(member) is FunctionType and name != "__array__":
            func = members[CALLED.get(name, name)]
            known = NAMED.get(name, CALLED.get(name, name))
            asked = _asking(member, overridable.public_method(known), overridable.method_in_c(known), func)
            asked.operator = name in BINARY
            turned = name.startswith("__r") and name != "__rshift__" and member is not members.get(f"__{name[3:]}")
            asked.reflected = asked.operator and turned
    copied, deep = Tensor.__dict__["__copy__"], Tensor.__dict__["__deepcopy__"]
    _asking(deep, "torch._tensor.__deepcopy__", False).plain = _deep_copy(_twin(deep))
    plain = _twin(copied)
    copied.__code__ = _code(copied, lambda args, kwargs: _disabled_torch_function_impl(plain, (), args, kwargs))
    items = Tensor.__dict__["__iter__"]
    iterate = _twin(items)
    items.__code__ = _code(items, lambda args, kwargs: _items(iterate, *args))


def _asking(function: FunctionType, public: str, in_c: bool, func: Any = None) -> Asked:
    """Have a function ask before it runs."""
    found = _state.asking.get(function)
    if found is None:
        twin = _twin(function)
        found = _state.asking[function] = Asked(func or function, twin, public, in_c)
        function.__dict__.setdefault("__wrapped__", twin)  # whose signature it has
        function.__code__ = _code(function, found)
    return found


def _twin(function: FunctionType) -> FunctionType:
    """A function that does what another one does at the moment, or will do once it is compiled."""
    code = function.__code__
    twin = FunctionType(code, function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    twin.__kwdefaults__ = function.__kwdefaults__
    for constant in code.co_consts:
        if type(constant) is Pending:
            constant.function = twin
    return twin


def _code(function: FunctionType, asked: Callable[[tuple[Any, ...], dict[str, Any]], Any]) -> Any:
    """Code for a function that has whoever it is called by ask."""
    old = function.__code__
    constants = tuple([asked if value == "asked" else value for value in _template.__code__.co_consts])
    return _template.__code__.replace(
        co_consts=constants, co_name=old.co_name, co_qualname=old.co_qualname, co_freevars=old.co_freevars
    )


def _template(*args: Any, **kwargs: Any) -> Any:
    asked: Any = "asked"
    return asked(args, kwargs)


def _ask_to_read(name: str, plain: property) -> None:
    """Have a computed attribute ask where it is read and written."""

    def getter(self: Any) -> Any:
        return reading((self,), {})

    def setter(self: Any, value: Any) -> None:
        writing((self, value), {})

    assert plain.fget is not None
    made = property(getter, setter if plain.fset else None, plain.fdel, plain.__doc__)
    setattr(Tensor, name, made)
    reading = Asked(made.__get__, plain.fget, f"torch.Tensor.{name}.__get__", True)
    reading.default = name not in ("grad", "_base")
    if not reading.default:
        _as_they_are.append(made.__get__)
    if plain.fset:
        writing = Asked(made.__set__, plain.fset, f"torch.Tensor.{name}.__set__", True)
    _attributes[name] = made


_attributes: dict[str, property] = {}


def _items(plain: Callable[..., Any], self: Any) -> Iterator[Any]:
    if type(self) is Tensor or not self.dim():
        return plain(self)  # type: ignore[no-any-return]
    return iter(self.unbind(0))


def _deep_copy(plain: Callable[..., Any]) -> Callable[..., Any]:
    """A copy of a leaf; RuntimeError where `new_empty` makes no objects of the class, as it does unless defined."""

    def __deepcopy__(self: Any, memo: Any) -> Any:
        derived = type(self) is not Tensor and not issubclass(type(self), Parameter)
        if derived and self.is_leaf and type(self.new_empty([])) is not type(self):
            raise errors.deepcopy_of_subclass()
        return plain(self, memo)

    return __deepcopy__


def _derived(cls: type) -> None:
    if how(cls) is not NOBODY:
        begin()


TensorMeta._derived = staticmethod(_derived)


def _meets(args: Iterable[Any], kwargs: Mapping[str, Any]) -> bool:
    """Whether a call that failed has somebody to ask, who was not asked."""
    if _state.asking or not overloaded((*args, *kwargs.values())):
        return False
    begin()
    return True


MEETS.append(_meets)


class TorchFunctionMode:
    """`with` it, every call of a function of PyTorch asks it."""

    def __init__(self) -> None:
        pass

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise NotImplementedError

    def __enter__(self) -> Any:
        begin()
        _state.modes.append(self)
        return self

    def __exit__(self, *exception: object) -> None:
        if _state.modes:
            _state.modes.pop()


class _Switch:
    """A context in which nobody, or no class, is asked."""

    _counter = "off"

    def __enter__(self) -> None:
        setattr(_state, self._counter, getattr(_state, self._counter) + 1)

    def __exit__(self, *exception: object) -> None:
        setattr(_state, self._counter, max(0, getattr(_state, self._counter) - 1))


class DisableTorchFunction(_Switch):
    """`torch._C.DisableTorchFunction`."""


class DisableTorchFunctionSubclass(_Switch):
    """`torch._C.DisableTorchFunctionSubclass`."""

    _counter = "subclasses_off"


for _cls in (DisableTorchFunction, DisableTorchFunctionSubclass):
    _cls.__module__ = "torch._C"
TorchFunctionMode.__module__ = "torch.overrides"


def has_torch_function(relevant_args: Iterable[Any]) -> bool:
    """Whether a call with these arguments has somebody to ask."""
    if _state.off:
        return False
    return bool(_state.modes) or not _state.subclasses_off and bool(overloaded(tuple(relevant_args)))


def handle_torch_function(public_api: Any, relevant_args: Iterable[Any], *args: Any, **kwargs: Any) -> Any:
    """Ask for a function of the user's own."""
    name = f"{getattr(public_api, '__module__', 'torch')}.{getattr(public_api, '__name__', '')}"
    asked = _state.asking.get(public_api) or Asked(public_api, public_api, name, False)
    found = [] if _state.subclasses_off else overloaded(tuple(relevant_args))
    result = ask(asked, lambda: public_api(*args, **kwargs), found, args, kwargs)
    if result is NotImplemented:
        raise asked.nobody(found)
    return result


def is_tensor_like(inp: Any) -> bool:
    """Whether it is a tensor, or stands for one in calls."""
    return isinstance(inp, Tensor) or how(type(inp)) is not NOBODY


def is_tensor_method_or_property(func: Any) -> bool:
    """Whether it is what tensors have, rather than `torch`."""
    begin()
    return resolve_name(func) is not None and str(resolve_name(func)).startswith("torch.Tensor.")


def resolve_name(f: Any) -> str | None:
    """The name of one of PyTorch's functions, with where it is."""
    begin()
    for name, made in _attributes.items():
        if f in (made.__get__, made.__set__):
            return f"torch.Tensor.{name}.{f.__name__}"
    for name, member in vars(Tensor).items():
        if member is f:
            return f"torch.Tensor.{'__rtruediv__' if name == '__rdiv__' else name}"
    return overridable.paths().get(f) if isinstance(f, FunctionType) else None
