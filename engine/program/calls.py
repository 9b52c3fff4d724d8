"""Calling things. A call goes by the exact type of what is called; a type that is not known here is not callable."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from engine import errors
from engine.composites.bindings import TYPED, mistyped
from engine.composites.out_argument import ALIASES, into, renamed, takes_out
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.nn.container import ParameterDict, ParameterList
from engine.nn.module import Module
from engine.program import session as sessions
from engine.program import unworded
from engine.program.admission import admit
from engine.program.arity import reword
from engine.program.arrays import CONVERTED, python_float, python_number, sequence, unwrap, wrapped
from engine.program.exceptions import ExceptionValue
from engine.program.kinds import ENGINE, MIXED, OTHER, OWN, defines, kind_of
from engine.program.layouts import refuse_sparse
from engine.program.operators import NESTING, filling, inside, weigh
from engine.program.overrides import DOING, asked, worded
from engine.program.values import (
    UNSET,
    Accessor,
    Builtin,
    Constructor,
    Function,
    HostMethod,
    NativeMethod,
    Opaque,
    Silent,
    SuperOf,
    TypeMethod,
    TypeOf,
    Unbound,
    out_of_fuel,
)
from engine.signatures.complaints import complaint, numbers_among, refusal_of_out, refusal_of_parser, written_in_python
from engine.torch.utils import data

Arguments = Sequence[Any]
Keywords = dict[str, Any] | None


def call(target: Any, args: Arguments, kwargs: Keywords) -> Any:
    """`target(*args, **kwargs)`. Raises TypeError when it cannot be called."""
    caller = _CALLERS.get(type(target))
    if caller is not None:
        return caller(target, args, kwargs)
    if isinstance(target, type):
        return construct(target, args, kwargs)
    return _call_instance(target, args, kwargs)


def _call_function(function: Function, args: Arguments, kwargs: Keywords) -> Any:
    return function.code(function, tuple(args), kwargs)


def _call_method(method: MethodType, args: Arguments, kwargs: Keywords) -> Any:
    function = method.__func__
    if type(function) is Function:
        return function.code(function, (method.__self__, *args), kwargs)
    if type(function) is TypeMethod:
        return _call_type_method(function, (method.__self__, *args), kwargs)
    return call_engine(method, args, kwargs)


def _call_builtin(builtin: Builtin, args: Arguments, kwargs: Keywords) -> Any:
    _charge()
    function = builtin.function
    try:
        return function(*args, **kwargs) if kwargs else function(*args)
    except TypeError as error:
        reword(error, builtin.name, function, args, kwargs)
        raise


def _call_type_method(method: TypeMethod, args: Arguments, kwargs: Keywords) -> Any:
    method.check(args)
    _charge()
    try:
        return method.function(*args, **kwargs) if kwargs else method.function(*args)
    except TypeError as error:
        reword(error, method.name, MethodType(method.function, args[0]), args[1:], kwargs)
        raise


def _call_plain(target: Any, args: Arguments, kwargs: Keywords) -> Any:
    return target(*args, **kwargs) if kwargs else target(*args)


def _charge() -> None:
    session = sessions.active
    budget = session.budget
    budget[0] -= 1
    if budget[0] < 0:
        out_of_fuel(session)


def call_engine(target: Callable[..., Any], args: Arguments, kwargs: Keywords) -> Any:
    """Call into the engine: arrays go in as the engine knows them, results come out as the program may hold them."""
    session = sessions.active
    budget = session.budget
    budget[0] -= 1
    if budget[0] < 0:
        out_of_fuel(session)
    if session.overrides is not None:
        answer = asked(target, args, kwargs)
        if answer is not UNSET:
            return answer
    doubtful = weigh_arguments(args)
    if kwargs:
        weigh_arguments(kwargs.values())
    if state.sparse:
        refuse_sparse(target, args, kwargs)
    if session.arrays and not _hands_on(target):
        args, kwargs = _unwrapped(args, kwargs)
    given = args, kwargs
    if session.arrays and (convert := _conversion_for(target)) is not None:
        if convert is python_number and not _FOREIGN.isdisjoint(map(type, (*args, *(kwargs or {}).values()))):
            args, kwargs = _foreign_as_floats(target, args, kwargs)
        args, kwargs = [convert(arg) for arg in args], _each_of(convert, kwargs)
    checked = False
    try:
        if doubtful:
            check_arguments(target, *given)
        if not kwargs:
            result = target(*args)
        elif not TYPED.keys().isdisjoint(kwargs) and (refusal := _mistyped(target, *given)) is not None:
            raise refusal
        elif not ALIASES.keys().isdisjoint(kwargs):
            result = target(*args, **renamed(target, kwargs))
        elif "out" in kwargs and takes_out(target):
            refusal = refusal_of_out(target, *given)
            if refusal is not None:
                raise refusal
            checked = True
            result = into(kwargs["out"], target, args, {key: value for key, value in kwargs.items() if key != "out"})
        else:
            result = target(*args, **kwargs)
    except Exception as error:
        if not checked:
            refuse(error, target, *given)
        raise
    if session.arrays and _of_numpy(result):
        _check_no_array(target, *given)
    if session.arrays and type(result) in CONVERTED:
        result = wrapped(result)
    if type(result) in session.closed:
        return result
    return admit_result(target, result)


def _of_numpy(result: Any) -> bool:
    """Whether the engine gave what only numpy calculates."""
    if type(result) in (tuple, list) and result:
        result = result[0]
    return isinstance(result, np.ndarray | np.generic)


def _check_no_array(target: Any, args: Arguments, kwargs: Keywords) -> None:
    """Raises what PyTorch says to an array in place of a tensor, with which some functions of the engine get along."""
    if not any([isinstance(arg, np.ndarray) for arg in (*args, *(kwargs or {}).values())]):
        return
    check_arguments(target, args, kwargs)
    function = target.__func__ if type(target) is MethodType else target
    room = room_of(function) if type(function) is FunctionType else getattr(function, "__module__", None)
    if isinstance(target, Module) or room is None or room.startswith(_ROOMS_OF_OPS):
        name = type(target).__name__.lower() if isinstance(target, Module) else _name(target)
        raise TypeError(f"{name}(): argument 'input' (position 1) must be Tensor, not numpy.ndarray")


def _hands_on(target: Any) -> bool:
    """Whether the engine hands arguments on to the program, or keeps them for it, as they are: the constructor of a
    class derived from one of the engine's, the `forward` of a module, datasets and their loaders, lists and dicts of
    parameters, what our own classes define."""
    if isinstance(target, type):
        if type(getattr(target, "__init__")) is Function:  # noqa: B009 - an instance may have another
            return type(target.__new__) in (Function, type(_OBJECT_NEW))
        return issubclass(target, _keeping)
    if type(target) is MethodType:
        return isinstance(target.__self__, _keeping)
    if isinstance(target, Module):
        return type(type(target).forward) is Function
    if type(target) is FunctionType and (target.__module__ or "").startswith("engine.program."):
        return True
    return target is data.random_split


_keeping: tuple[type, ...] = (data.Dataset, data.DataLoader, data.Sampler, ParameterList, ParameterDict)


def keep(*kinds: type) -> None:
    """Classes of a module made here with methods that hand on what they are given."""
    global _keeping
    _keeping += kinds


def room_of(function: FunctionType) -> str | None:
    """The module that a function is written in, whatever it says of that; rows of ops have none."""
    plain = inspect.unwrap(function)
    return plain.__globals__.get("__name__") if type(plain) is FunctionType else function.__module__


def _conversion_for(target: Any) -> Callable[[Any], Any] | None:
    """How arguments go into what is called, if not as they are: numpy's numbers as Python's into all ops but those that
    take data, which look into deques; into layers, which show the integers that they are given, only floats."""
    if isinstance(target, type):
        return python_float if issubclass(target, Module) else None
    function = target.__func__ if type(target) is MethodType else target
    if type(function) is not FunctionType:
        return None
    if function.__name__ in _TAKING_DATA:
        return _data
    room = room_of(function)
    return python_number if room is None or room.startswith(_ROOMS_OF_OPS) else None


_FOREIGN = frozenset((np.bool_, np.complex64))
"""Numbers of numpy's that PyTorch knows as none of Python's kinds."""


def _foreign_as_floats(target: Any, args: Arguments, kwargs: Keywords) -> tuple[Arguments, Keywords]:
    """Such numbers as floats, where PyTorch takes any number."""
    meter.charge(20)
    found = numbers_among(target, args, kwargs)
    given = [float(arg) if at in found and type(arg) in _FOREIGN else arg for at, arg in enumerate(args)]
    named = {
        key: float(value) if key in found and type(value) in _FOREIGN else value
        for key, value in (kwargs or {}).items()
    }
    return given, named or kwargs


def _data(value: Any) -> Any:
    return unwrap(sequence(value))


_TAKING_DATA = frozenset("tensor as_tensor asarray new_tensor from_dlpack from_numpy frombuffer typename split".split())
"""And `split`, to which numpy's integers are none."""
_ROOMS_OF_OPS = "engine.composites.", "engine.autograd.inplace"


def check_arguments(target: Any, args: Arguments, kwargs: Keywords, owner: str = "", name: str = "") -> None:
    """Raises what PyTorch says to True or None for a number or a tensor, which functions of the engine may take."""
    meter.charge(20)
    refusal = refusal_of_parser(target, args, kwargs, owner, name)
    if refusal is not None:
        raise refusal


def weigh_arguments(values: Iterable[Any]) -> bool:
    """Charge for looking through containers, and for those inside each other, which the engine walks as often as they
    occur. Whether a value is a bool or None, which may pass for something else."""
    doubtful = False
    for value in values:
        kind = type(value)
        if kind is Tensor:
            continue
        if kind is bool or value is None:
            doubtful = True
        elif kind in NESTING:
            found = inside(value)
            if len(found) > 255:
                meter.charge(len(found) >> 8)
            if not NESTING.isdisjoint(map(type, found)):
                meter.charge(weigh(value) >> 2)
    return doubtful


def _mistyped(target: Any, args: Arguments, kwargs: Keywords) -> Exception | None:
    """What PyTorch says to an option of the wrong type that the engine would take."""
    if not kwargs or not mistyped(kwargs):
        return None
    meter.charge(20)
    return complaint(target, args, kwargs, TypeError())


def _unwrapped(args: Arguments, kwargs: Keywords) -> tuple[Arguments, Keywords]:
    """Arguments as the engine knows them."""
    return [unwrap(arg) for arg in args], _each_of(unwrap, kwargs)


def _each_of(convert: Callable[[Any], Any], kwargs: Keywords) -> Keywords:
    return {key: convert(value) for key, value in kwargs.items()} if kwargs else kwargs


def refuse(
    error: Exception, target: Any, args: Arguments, kwargs: Keywords, owner: str = "", name: str = ""
) -> None:
    """Raises what PyTorch says to a call that failed, if its arguments are the reason. See `engine.signatures`.

    What PyTorch's signatures leave to Python's words about the engine's own code comes in ours.
    """
    # What to say is looked up in every signature of the function, and numpy may have looked at every element before.
    meter.charge(
        20 + sum([arg._array.size for arg in (*args, *(kwargs or {}).values()) if isinstance(arg, Tensor)]) // 8
    )
    if _went_through_program(error) or worded(error):
        return
    if sessions.active.arrays:
        args, kwargs = _unwrapped(args, kwargs)
    refusal = complaint(target, args, kwargs, error, owner, name)
    if refusal is not None:
        raise refusal from None
    if written_in_python(target, owner, name):
        unworded.keep(error)
    if unworded.worded_by_python(error):
        raise unworded.in_our_words(error, name or _name(target), args, kwargs) from None


def _name(target: Any) -> str:
    name: str = getattr(target, "__name__", None) or type(target).__name__
    return name


def _went_through_program(error: Exception) -> bool:
    """Whether an error comes from a function of the program that the engine called: a hook, a `backward`."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code is _INTO_PROGRAM:
            return True
        trace = trace.tb_next
    return False


_INTO_PROGRAM = Function.__call__.__code__


def admit_result(target: Any, result: Any) -> Any:
    """A result on its way to the program. Raises TypeError for a kind of object that programs cannot hold."""
    admitted = admit(result)
    if admitted is UNSET:
        name = getattr(target, "__name__", type(target).__name__)
        raise TypeError(f"{name}() gave a '{type(result).__name__}', which programs cannot use here")
    return admitted


def _call_native(method: NativeMethod, args: Arguments, kwargs: Keywords) -> Any:
    return call_engine(method.function, args, kwargs)


def _call_unbound(method: Unbound, args: Arguments, kwargs: Keywords) -> Any:
    method.check(args, kwargs)
    if sessions.active.overrides is not None:
        answer = asked(method, args, kwargs)
        if answer is not UNSET:
            return answer
    return call_engine(method.function, args, kwargs)


_CALLERS: dict[type, Callable[[Any, Arguments, Keywords], Any]] = {
    Function: _call_function,
    MethodType: _call_method,
    FunctionType: call_engine,
    Accessor: _call_builtin,
    Builtin: _call_builtin,
    HostMethod: _call_builtin,
    Constructor: _call_builtin,
    TypeMethod: _call_type_method,
    TypeOf: _call_builtin,
    SuperOf: _call_builtin,
    NativeMethod: _call_native,
    Unbound: _call_unbound,
    Silent: _call_plain,
    Opaque: _call_plain,
}
CALLERS = _CALLERS
DOING["call"] = call


CONSTRUCTORS: dict[Any, Callable[..., Any]] = {}
"""Class → what a call of it does, where that is not what Python does; `builtins` has Python's types."""


def construct(cls: type, args: Arguments, kwargs: Keywords) -> Any:
    """`cls(*args, **kwargs)`."""
    maker = CONSTRUCTORS.get(cls)
    if maker is not None:
        _charge()
        try:
            return maker(*args, **kwargs) if kwargs else maker(*args)
        except TypeError as error:
            reword(error, cls.__name__, maker, args, kwargs)
            raise
    kind = kind_of(cls)
    if kind == ENGINE:
        if "__program__" in cls.__dict__ and cls.__abstract__:  # type: ignore[attr-defined]
            raise abstract_error(cls)
        return call_engine(cls, args, kwargs)
    if kind != OWN and kind != MIXED:
        raise TypeError(f"'{cls.__name__}' cannot be created here")
    _charge()
    if "__program__" in cls.__dict__:
        if cls.__abstract__ and kind == OWN and not issubclass(cls, ExceptionValue):  # type: ignore[attr-defined]
            raise abstract_error(cls)  # which only object.__new__ does
        if kind == OWN and type(cls) is type and cls.__new__ is _OBJECT_NEW and not issubclass(cls, ExceptionValue):
            made = object.__new__(cls)
            init = cls.__init__
            if type(init) is Function:
                result = init.code(init, (made, *args), kwargs)
                if result is not None:
                    raise TypeError(f"__init__() should return None, not '{type(result).__name__}'")
                return made
            if init is _OBJECT_INIT:
                if args or kwargs:
                    raise TypeError(f"{cls.__name__}() takes no arguments")
                return made
    if kind == MIXED and args and not (defines(cls, "__init__") or defines(cls, "__new__")):
        args = filling(cls, args)
    return cls(*args, **kwargs) if kwargs else cls(*args)


def abstract_error(cls: Any) -> TypeError:
    names = cls.__abstract__
    plural = "s" if len(names) > 1 else ""
    return TypeError(f"Can't instantiate abstract class {cls.__name__} with abstract method{plural} {', '.join(names)}")


_OBJECT_INIT: Any = object.__init__
_OBJECT_NEW: Any = object.__new__


def _call_instance(target: Any, args: Arguments, kwargs: Keywords) -> Any:
    cls = type(target)
    kind = kind_of(cls)
    method: Any = getattr(cls, "__call__", None)  # noqa: B004
    if kind == OTHER or method is None or cls.__dict__.get("__call__", method) is None:
        raise TypeError(f"'{errors.type_name(target)}' object is not callable")
    if type(method) is Function:
        return method.code(method, (target, *args), kwargs)
    if kind == ENGINE:
        return call_engine(target, args, kwargs)
    _charge()
    return target(*args, **kwargs) if kwargs else target(*args)


def callable_value(value: Any) -> bool:
    """`callable(value)`."""
    kind = type(value)
    if kind in _CALLERS:
        return True
    if isinstance(value, type):
        return True
    return kind_of(kind) != OTHER and callable(value)


def host_callable(value: Any) -> Any:
    """A function that host code (`sorted`, `map`, the engine) may call any number of times."""
    if type(value) in (Function, Builtin):
        return value
    return lambda *args, **kwargs: call(value, args, kwargs)


def as_exception(value: Any, otherwise: str) -> ExceptionValue:
    """An exception from an exception or an exception class. Raises TypeError with `otherwise` for anything else."""
    if isinstance(value, type) and issubclass(value, ExceptionValue):
        value = call(value, (), None)
    if not isinstance(value, ExceptionValue):
        raise TypeError(otherwise)
    return value
