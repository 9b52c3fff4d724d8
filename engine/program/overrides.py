"""`__torch_function__`: classes and modes of the program that are asked before PyTorch's functions run.

A function or method asks where the program calls it; modules ask where they call `torch.nn.functional`. Tensors of the
program's classes (`Overriding`) ask in every method. What is asked is given the function as the program knows it, so
that `func is torch.add` holds. All of it belongs to one run: nothing asks when no program has such a class or mode.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FunctionType, MethodType, ModuleType
from typing import Any

from engine import errors
from engine.composites.subclasses import as_subclass
from engine.core.overriding import Overriding, OverridingParameter
from engine.core.tensor import Parameter, Tensor
from engine.limits import meter
from engine.nn import functional
from engine.program import session as sessions
from engine.program import surface
from engine.program.values import UNSET, Accessor, Builtin, Function, Unbound, fake_address, nested, unbound
from engine.torch.overridable import (
    BINARY,
    CALLED,
    FACTORIES,
    NAME,
    NAMED,
    NEVER_METHODS,
    OTHERS,
    SPACES,
    method_in_c,
    path_in_c,
    paths,
    public_method,
    public_name,
    takes_nothing,
)
from engine.torch.overrides import by_name
from engine.types.return_types import NamedResult

Arguments = Sequence[Any]
Keywords = Mapping[str, Any] | None

DOING: dict[str, Callable[..., Any]] = {}
"""How programs `call`, `read` and `write`; `calls` and `attributes` have it."""


class Overrides:
    """What a run has of this: its modes, the innermost last, and which classes are asked.

    `off` and `subclasses_off`: how often all of it, or only classes, are switched off at the moment.
    """

    __slots__ = ("kinds", "modes", "off", "subclasses_off")

    def __init__(self) -> None:
        self.kinds: dict[type, str] = {}
        self.modes: list[Any] = []
        self.off = 0
        self.subclasses_off = 0

    def how(self, kind: type) -> str:
        """Whether a class is asked, and how."""
        known = self.kinds.get(kind)
        if known is None:
            known = self.kinds[kind] = _how(kind)
        return known


def begin() -> Overrides:
    """From now on until the end of the run, functions ask."""
    session = sessions.active
    if session.overrides is None:
        session.overrides = Overrides()
        functional.__class__ = _Asking
    found: Overrides = session.overrides
    return found


def end() -> None:
    """Nothing asks any more."""
    functional.__class__ = ModuleType


# --- who is asked

NOBODY, DEFAULT, OWN = "nobody", "default", "own"


def _disabled(cls: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    with subclasses_off():
        return DOING["call"](func, tuple(args), kwargs)


DISABLED = Builtin("_disabled_torch_function_impl", _disabled)
"""A class that has it for its `__torch_function__` is not asked."""


def _how(kind: type) -> str:
    found = next((base.__dict__[NAME] for base in kind.__mro__ if NAME in base.__dict__), None)
    if found is None or found is DISABLED or found in (Tensor.__dict__[NAME], Parameter.__dict__[NAME]):
        return NOBODY
    if issubclass(kind, Overriding) and found is Overriding.__dict__[NAME]:
        return DEFAULT
    return OWN if any("__program__" in base.__dict__ for base in kind.__mro__) else NOBODY


def overloaded(own: Overrides, args: Arguments, kwargs: Keywords) -> list[Any]:
    """Of the arguments, and the items of lists among them, those that are asked: one of each class, derived classes
    before the others."""
    found: list[Any] = []
    for value in (*args, *kwargs.values()) if kwargs else args:
        kind = type(value)
        if kind is Tensor:
            continue
        if kind is list or kind is tuple:
            meter.charge(len(value) >> 4)
            for item in value:
                _consider(own, item, found)
        else:
            _consider(own, value, found)
    return found


def _consider(own: Overrides, value: Any, found: list[Any]) -> None:
    kind = type(value)
    if kind is Tensor or own.how(kind) is NOBODY or any([type(other) is kind for other in found]):
        return
    place = next((i for i, other in enumerate(found) if issubclass(kind, type(other))), len(found))
    found.insert(place, value)


# --- asking


@contextmanager
def subclasses_off() -> Iterator[None]:
    """Within, no class is asked; modes are."""
    own = begin()
    own.subclasses_off += 1
    try:
        yield
    finally:
        own.subclasses_off -= 1


def ask(
    own: Overrides, func: Any, plain: Callable[[], Any], found: list[Any], args: Arguments, kwargs: Keywords
) -> Any:
    """What the innermost mode, or else the first of the objects found, makes of a call; NotImplemented if none does."""
    meter.charge(2)
    given: dict[str, Any] | None = dict(kwargs) if kwargs else None
    kinds = [type(value) for value in found]
    if not _in_c(func):
        args, given = _named(func, args, given or {})
        kinds += _plain_kinds(args, given)
    elif not found and _takes_nothing(func):
        kinds = [type(args[0])]
    types = tuple(kinds)
    with nested():
        if own.modes:
            mode = own.modes.pop()
            try:
                return DOING["call"](getattr(mode, NAME), (func, types, tuple(args), given), None)
            finally:
                own.modes.append(mode)
        for value in found:
            kind = type(value)
            if own.how(kind) is DEFAULT:
                result = _default(own, kind, func, types, plain)
            else:
                result = DOING["call"](_handler(value, kind), (func, types, tuple(args), given), None)
            if result is not NotImplemented:
                return result
    return NotImplemented


def _plain_kinds(args: Arguments, kwargs: Mapping[str, Any]) -> list[type]:
    """Functions written in Python name Tensor, too, among the classes of their arguments."""
    return [Tensor] if any([type(value) is Tensor for value in (*args, *kwargs.values())]) else []


def _takes_nothing(func: Any) -> bool:
    """Whether a method has no parser of arguments, which would look for those that are asked."""
    return type(func) is Accessor or type(func) is Unbound and takes_nothing(func.name)


def _named(func: Any, args: Arguments, kwargs: dict[str, Any]) -> tuple[Arguments, dict[str, Any]]:
    """Arguments as PyTorch's functions in Python hand them on: by name, with defaults, but for those without one."""
    function = func.function if type(func) is Unbound else func if func in PATHS else None
    if function is None or func.__name__.startswith("__"):
        return args, kwargs
    meter.charge(4)
    return by_name(function, tuple(args), kwargs)


def _handler(value: Any, kind: type) -> Any:
    member = next(base.__dict__[NAME] for base in kind.__mro__ if NAME in base.__dict__)
    if type(member) is Function:
        errors.warn_torch_function_method()
        return MethodType(member, value)
    return getattr(kind, NAME)


def _default(own: Overrides, cls: type, func: Any, types: tuple[type, ...], run: Callable[[], Any]) -> Any:
    """What a class does that defines nothing: results become its objects."""
    if not all([issubclass(cls, kind) for kind in types]):
        return NotImplemented
    own.subclasses_off += 1
    try:
        result = run()
        return result if func in _AS_THEY_ARE else converted(result, cls)
    finally:
        own.subclasses_off -= 1


def converted(result: Any, cls: type) -> Any:
    """A result with its tensors as objects of a class."""
    if isinstance(result, Tensor):
        return result if isinstance(result, cls) else as_subclass(result, cls)
    kind = type(result)
    if (kind is tuple or kind is list or isinstance(result, NamedResult)) and any(
        [isinstance(item, Tensor | list | tuple) for item in result]
    ):
        meter.charge(len(result))
        return kind([converted(item, cls) for item in result])
    return result


def _torch_function(cls: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """`super().__torch_function__(func, types, args, kwargs)`."""
    return _default(begin(), cls, func, tuple(types), lambda: DOING["call"](func, tuple(args), kwargs))


_torch_function.__name__ = _torch_function.__qualname__ = NAME
setattr(Overriding, NAME, classmethod(_torch_function))


def _of_parameter(cls: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """The same of a class derived from Parameter: results are plain tensors."""
    return _disabled(cls, func, types, args, kwargs)


_of_parameter.__name__ = _of_parameter.__qualname__ = NAME
setattr(OverridingParameter, NAME, classmethod(_of_parameter))


def asked(target: Any, args: Arguments, kwargs: Keywords) -> Any:
    """What classes and modes make of a call of one of PyTorch's functions; UNSET where nobody is asked."""
    own = sessions.active.overrides
    if own is None or own.off or own.subclasses_off and not own.modes:
        return UNSET
    func, factory = target, False
    kind = type(target)
    if kind is FunctionType:
        name = FUNCTIONS.get(target)
        if name is None:
            return UNSET
        factory = name in FACTORIES
    elif kind is MethodType:
        func = METHODS.get(target.__func__)
        if func is None or not isinstance(target.__self__, Tensor):
            return UNSET
        args = (target.__self__, *args)
    elif kind is not Unbound or target.owner is not Tensor or target.function not in METHODS:
        return UNSET
    return answered(own, func, args, kwargs, factory)


def answered(own: Overrides, func: Any, args: Arguments, kwargs: Keywords, factory: bool = False) -> Any:
    """The same for a function that may be overridden."""
    found = [] if own.subclasses_off or factory else overloaded(own, args, kwargs)
    if not found and not own.modes:
        return UNSET
    result = ask(own, func, lambda: DOING["call"](func, tuple(args), kwargs), found, args, kwargs)
    if result is NotImplemented:
        raise _nobody(own, func, found)
    return result


def _nobody(own: Overrides, func: Any, found: list[Any]) -> TypeError:
    name, kinds = _public_name(func), [type(value) for value in found]
    if _in_c(func):
        mode = f"mode object <{_shown(own.modes[-1])}>" if own.modes else None
        error = errors.multiple_dispatch(name, mode, kinds)
    else:
        error = errors.not_overridden(name, kinds)
    error.__dict__[_WORDED] = True
    return error


_WORDED = "worded"


def worded(error: Exception) -> bool:
    """Whether an error says that nobody implements a function, which its arguments do not explain better."""
    return _WORDED in error.__dict__


def _shown(mode: Any) -> str:
    return f"{type(mode).__module__}.{type(mode).__qualname__} object at {fake_address(mode)}"


# --- PyTorch's functions, as programs know them

PATHS = paths({path: surface.module_names(path) for path in SPACES.values()})
FUNCTIONS = {function: path.rpartition(".")[2] for function, path in PATHS.items()}
"""PyTorch's functions → their names."""


GETTERS: dict[str, Accessor] = {}
SETTERS: dict[str, Accessor] = {}
METHODS: dict[Any, Unbound] = {}
"""Functions of Tensor → what a program gets that reads them from the class."""

_AS_THEY_ARE: set[Any] = set()
"""What gives results that are not converted."""


def _in_c(func: Any) -> bool:
    """Whether PyTorch has written a function in C, which tells of no keywords where there are none."""
    if type(func) is Accessor:
        return True
    return method_in_c(func.name) if type(func) is Unbound else path_in_c(PATHS.get(func, ""))


def _public_name(func: Any) -> str:
    path = PATHS.get(func)
    if path is not None:
        return public_name(path)
    if type(func) is Unbound:
        return public_method(func.name)
    module = func.module if type(func) is Function else getattr(func, "__module__", "torch")
    return f"{module}.{getattr(func, '__name__', '')}"


# --- tensors of the program's classes


def _method(plain: FunctionType, func: Any) -> Any:
    @functools.wraps(plain)
    def method(*args: Any, **kwargs: Any) -> Any:
        own = sessions.active.overrides
        if own is None or own.off or own.subclasses_off and not own.modes:
            return plain(*args, **kwargs)
        found = [] if own.subclasses_off else overloaded(own, args, kwargs)
        if not found and not own.modes:
            return plain(*args, **kwargs)
        result = ask(own, func, lambda: plain(*args, **kwargs), found, args, kwargs)
        if result is NotImplemented:
            raise _nobody(own, func, found)
        return result

    return method


def _operator(plain: FunctionType, func: Any, exchanged: bool) -> Any:
    @functools.wraps(plain)
    def operator(self: Any, other: Any) -> Any:
        own = sessions.active.overrides
        if own is None or own.off or own.subclasses_off and not own.modes:
            return plain(self, other)
        args = (other, self) if exchanged and isinstance(other, Tensor) else (self, other)
        found = [] if own.subclasses_off else overloaded(own, args, None)
        if not found and not own.modes:
            return plain(self, other)
        if not isinstance(other, Tensor | int | float | complex) and own.how(type(other)) is NOBODY:
            return plain(self, other)
        return ask(own, func, lambda: plain(self, other), found, args, None)

    return operator


def _iter(self: Any) -> Iterator[Any]:
    self.dim()
    return iter(self.unbind(0)) if self._array.ndim else Tensor.__iter__(self)


def _copied(self: Any) -> Any:
    with subclasses_off():
        return Tensor.__dict__["__copy__"](self)


def _deep_copy(self: Any, memo: Any) -> Any:
    """A copy of a leaf. RuntimeError where `new_empty` makes no objects of the class, as it does unless defined."""
    if self.is_leaf and type(self.new_empty([])) is not type(self):
        raise errors.deepcopy_of_subclass()
    return Tensor.__dict__["__deepcopy__"](self, memo)


def _publish() -> None:
    offered = surface.names_of(Tensor) - NEVER_METHODS | BINARY | OTHERS | {"__array__"}
    members = {name: Tensor.__dict__[name] for name in sorted(offered) if name in Tensor.__dict__}
    members |= {name: Tensor.__dict__[name] for name in ("_version", "_base", "_backward_hooks")}
    for name, member in members.items():
        if isinstance(member, property):
            GETTERS[name] = Accessor("__get__", _getting(name), name)
            SETTERS[name] = Accessor("__set__", _setting(name), name)
        elif type(member) is FunctionType:
            func = unbound(member, Tensor, Tensor)
            if members.get(func.name) is not member or name in NAMED:
                func.name = NAMED.get(name, name)
            func.__qualname__ = f"Tensor.{func.name}"
            METHODS[member] = func
    _AS_THEY_ARE.update(GETTERS[name] for name in ("grad", "_base"))
    for name, member in members.items():
        if type(member) is not FunctionType or name == "__array__":
            continue
        func = METHODS[members[CALLED.get(name, name)]]
        operator = name in BINARY
        setattr(Overriding, name, _operator(member, func, name[2] == "r") if operator else _method(member, func))
    deep = FunctionType(_deep_copy.__code__, globals(), "__deepcopy__")
    special = {"__iter__": _iter, "__copy__": _copied, "__hash__": Tensor.__hash__}
    special["__deepcopy__"] = _method(deep, unbound(Tensor.__dict__["__deepcopy__"], Tensor, Tensor))
    for name, function in special.items():
        setattr(Overriding, name, function)


def _getting(name: str) -> Callable[..., Any]:
    return lambda instance, owner=None: DOING["read"](_tensor(instance, name), name)


def _setting(name: str) -> Callable[..., Any]:
    return lambda instance, value: DOING["write"](_tensor(instance, name), name, value)


def _tensor(instance: Any, name: str) -> Any:
    if not isinstance(instance, Tensor):
        raise errors.unbound_of_other(name, instance)
    return instance


_publish()


def attribute(own: Overrides, value: Any, name: str) -> Any:
    """What classes and modes make of reading `value.name` of a tensor; UNSET where they are not asked."""
    getter = GETTERS.get(name)
    if getter is None or own.off or own.subclasses_off and not own.modes or _redefined(type(value), name):
        return UNSET
    found = [] if own.subclasses_off else overloaded(own, (value,), None)
    if not found and not own.modes:
        return UNSET
    result = ask(own, getter, lambda: getter.function(value), found or [], (value,), None)
    if result is NotImplemented:
        raise errors.not_overridden(f"torch.Tensor.{name}.__get__", [type(value)])
    return result


def assignment(own: Overrides, target: Any, name: str, value: Any) -> bool:
    """Whether classes or modes have been asked about `target.name = value` of a tensor, and have done it."""
    setter = SETTERS.get(name)
    if setter is None or own.off or own.subclasses_off and not own.modes or _redefined(type(target), name):
        return False
    found = [] if own.subclasses_off else overloaded(own, (target,), None)
    if not own.modes and all([own.how(type(one)) is DEFAULT for one in found]):
        return False
    result = ask(own, setter, lambda: setter.function(target, value), found, (target, value), None)
    if result is NotImplemented:
        raise errors.not_overridden(f"torch.Tensor.{name}.__set__", [type(target)])
    return True


def _redefined(kind: type, name: str) -> bool:
    """Whether a class of the program has an attribute of Tensor of its own."""
    return any([name in base.__dict__ for base in kind.__mro__ if "__program__" in base.__dict__])


# --- modules

class _Asking(ModuleType):
    """`torch.nn.functional` as modules find it while there is somebody to ask."""

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        if type(found) is FunctionType and found in FUNCTIONS:
            return functools.partial(_called_by_module, found)
        return found


def _called_by_module(function: FunctionType, *args: Any, **kwargs: Any) -> Any:
    answer = asked(function, args, kwargs)
    return function(*args, **kwargs) if answer is UNSET else answer


# --- modes


class TorchFunctionMode:
    """`torch.overrides.TorchFunctionMode`: `with` it, every call of a function of PyTorch asks it."""

    __module__ = "torch.overrides"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self) -> None:
        pass

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        raise NotImplementedError

    def __enter__(self) -> Any:
        own = begin()
        meter.charge(2)
        if len(own.modes) >= _MOST:
            raise RecursionError("maximum recursion depth exceeded")
        own.modes.append(self)
        return self

    def __exit__(self, *exception: object) -> None:
        own = begin()
        if own.modes:
            own.modes.pop()


_MOST = 500
"""Modes in each other."""


class _Switch:
    """A context in which nobody, or no class, is asked."""

    __program__ = True
    __invisible__ = True
    __abstract__ = ()
    _counter = "off"

    def __enter__(self) -> None:
        own = begin()
        setattr(own, self._counter, getattr(own, self._counter) + 1)

    def __exit__(self, *exception: object) -> None:
        own = begin()
        setattr(own, self._counter, max(0, getattr(own, self._counter) - 1))


class DisableTorchFunction(_Switch):
    """`torch._C.DisableTorchFunction`."""

    __module__ = "torch._C"
    __program__ = True
    __invisible__ = False


class DisableTorchFunctionSubclass(_Switch):
    """`torch._C.DisableTorchFunctionSubclass`."""

    __module__ = "torch._C"
    __program__ = True
    __invisible__ = False
    _counter = "subclasses_off"


# --- operators where modes may be

def in_modes(operate: Callable[..., Any], name: str) -> Callable[..., Any]:
    """An operator that asks modes first, for programs that have some; classes are asked by `Overriding`."""
    func = _function_of(f"__{name}__")
    reflected = _function_of(f"__r{name}__")

    def run(*operands: Any) -> Any:
        own = sessions.active.overrides
        if own is None or not own.modes or own.off:
            return operate(*operands)
        first = operands[0]
        if any([isinstance(operand, Overriding) for operand in operands]):
            return operate(*operands)
        if isinstance(first, Tensor) and func is not None:
            return _in_mode(own, func, operands, operate, operands)
        if len(operands) == 2 and isinstance(operands[1], Tensor) and isinstance(first, int | float | complex):
            if reflected is not None:
                return _in_mode(own, reflected, operands[::-1], operate, operands)
        return operate(*operands)

    return run


def _function_of(name: str) -> Any:
    name = CALLED.get(name, name)
    member = Tensor.__dict__.get(name)
    return METHODS.get(member)


def in_place(operate: Callable[..., Any], name: str) -> Callable[..., Any]:
    """`x += y` where `y` may be of a class of the program and `x` is not."""
    func = _function_of(f"__{name}__")

    def run(target: Any, value: Any) -> Any:
        own = sessions.active.overrides
        if own is None or not isinstance(value, Overriding) or not isinstance(target, Tensor) or func is None:
            return operate(target, value)
        if isinstance(target, Overriding) or own.off or own.subclasses_off:
            return operate(target, value)
        result = ask(own, func, lambda: operate(target, value), [value], (target, value), None)
        return operate(target, value) if result is NotImplemented else result

    return run


def _in_mode(own: Overrides, func: Any, args: Arguments, operate: Callable[..., Any], operands: Arguments) -> Any:
    result = ask(own, func, lambda: operate(*operands), [], args, None)
    return operate(*operands) if result is NotImplemented else result


def in_builtin(name: str, args: Arguments) -> Any:
    """What modes make of `len(tensor)` and its kin; UNSET where no mode is asked."""
    own = sessions.active.overrides
    if own is None or not own.modes or own.off or not args or type(args[0]) not in (Tensor, Parameter):
        return UNSET
    return answered(own, _function_of(BUILTINS[name]), args[:1], None)


def truth(value: Any) -> Any:
    """What stands for a value in an `if` where modes may be asked whether a tensor is true."""
    answer = in_builtin("bool", (value,))
    return value if answer is UNSET else answer


BUILTINS = {
    "len": "__len__", "float": "__float__", "int": "__int__", "bool": "__bool__", "repr": "__repr__",
    "str": "__repr__", "print": "__repr__", "abs": "__abs__",
}  # fmt: skip
"""Python's functions that call a method of a tensor."""


# --- `torch.overrides`


def _has_torch_function(relevant_args: Any) -> bool:
    """Whether a call with these arguments has somebody to ask."""
    own = sessions.active.overrides
    if own is None or own.off:
        return False
    return bool(own.modes) or not own.subclasses_off and bool(_overloaded(own, relevant_args))


def _overloaded(own: Overrides, relevant_args: Any) -> list[Any]:
    given: list[Any] = []
    for value in relevant_args:
        if not len(given) & 15:
            meter.charge(1)
        given.append(value)
    return overloaded(own, tuple(given), None)


def _handle_torch_function(public_api: Any, relevant_args: Any, *args: Any, **kwargs: Any) -> Any:
    """Ask for the program's own function."""
    own = begin()
    found = [] if own.subclasses_off else _overloaded(own, relevant_args)
    result = ask(own, public_api, lambda: DOING["call"](public_api, args, kwargs), found, args, kwargs)
    if result is NotImplemented:
        raise errors.not_overridden(_public_name(public_api), [type(value) for value in found])
    return result


def _is_tensor_like(inp: Any) -> bool:
    return isinstance(inp, Tensor) or begin().how(type(inp)) is not NOBODY


def _is_tensor_method_or_property(func: Any) -> bool:
    return type(func) is Accessor or type(func) is Unbound and func.owner is Tensor


def _resolve_name(f: Any) -> str | None:
    """The name of one of PyTorch's functions, with where it is."""
    if type(f) is Accessor:
        return f"torch.Tensor.{f.attribute}.{f.name}"
    if type(f) is Unbound and f.owner is Tensor:
        return f"torch.Tensor.{'__rtruediv__' if f.name == '__rdiv__' else f.name}"
    return PATHS.get(f) if type(f) is FunctionType else None


MODULE: dict[str, Any] = {
    "TorchFunctionMode": TorchFunctionMode,
    "has_torch_function": Builtin("has_torch_function", _has_torch_function),
    "handle_torch_function": Builtin("handle_torch_function", _handle_torch_function),
    "is_tensor_like": Builtin("is_tensor_like", _is_tensor_like),
    "is_tensor_method_or_property": Builtin("is_tensor_method_or_property", _is_tensor_method_or_property),
    "resolve_name": Builtin("resolve_name", _resolve_name),
}
