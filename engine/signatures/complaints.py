"""Which of PyTorch's functions was called, and what it says to the call."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import cache
from types import CodeType, FunctionType, MethodType
from typing import Any

from engine import errors
from engine.codegen.publish import FFT, FUNCTIONAL, LINALG, SPECIAL, TORCH
from engine.composites.legacy import TensorType
from engine.core.node import Node
from engine.core.state import unobserved
from engine.core.tensor import Tensor
from engine.signatures import written
from engine.signatures.functional import FUNCTIONAL as WRITTEN_FUNCTIONAL
from engine.signatures.native import check, known, numbers

Place = tuple[str, str]
"""Namespace and name: ("torch", "add"), ("Tensor", "view"), ("functional", "relu")."""

SPACES = {
    "torch": "torch",
    "torch.nn.functional": "functional",
    "torch.nn.init": "init",
    "torch.linalg": "linalg",
    "torch.special": "special",
    "torch.fft": "fft",
}
"""Modules of PyTorch, and their names in the table of signatures."""

PUBLISHED = {"functional": FUNCTIONAL, "torch": TORCH, "linalg": LINALG, "special": SPECIAL, "fft": FFT}

WRITTEN = {"functional": WRITTEN_FUNCTIONAL, "torch": written.TORCH, "init": written.INIT, "Tensor": written.METHODS}

METHODS = frozenset(("Tensor", name) for name in written.METHODS)
"""Methods that are written in Python, and so take the tensor as an argument like any other."""


@cache
def _functions() -> dict[Any, list[Place]]:
    """The places of each published function, in a namespace its own name first."""
    found: dict[Any, list[Place]] = {}
    for space, functions in PUBLISHED.items():
        for name, function in sorted(functions.items(), key=lambda item: getattr(item[1], "__name__", "") != item[0]):
            found.setdefault(function, []).append((space, name))
    return found


@cache
def _methods() -> dict[Any, Place]:
    found: dict[Any, Place] = {}
    for name, function in vars(Tensor).items():
        if isinstance(function, FunctionType) and (function not in found or function.__name__ == name):
            found[function] = "Tensor", name
    return found


def _place(target: Any, owner: str, name: str) -> Place | None:
    """Where PyTorch has what was called, as `owner.name` if the call said so."""
    if type(target) is MethodType:
        if not issubclass(type(target.__self__), Tensor):
            return None
        if name and getattr(type(target.__self__), name, None) is target.__func__:
            return "Tensor", name
        return _methods().get(target.__func__)
    if target is Tensor or issubclass(type(target), TensorType):
        return "torch", "FloatTensor"
    if owner in SPACES:
        return SPACES[owner], name
    return _functions()[target][0] if type(target) is FunctionType and target in _functions() else None


def complaint(
    target: Any,
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None,
    error: Exception,
    owner: str = "",
    name: str = "",
) -> Exception | None:
    """PyTorch's refusal of a call that failed with `error`; None when it takes the arguments.

    `target` is one of the engine's functions, methods, classes or modules; `owner` is the module and `name` the name
    that the call was written with, if it was.
    """
    if type(target) is MethodType and isinstance(target.__self__, Node):
        return _of_node(target.__self__, target.__name__, args, kwargs or {}, error)
    if owner == "Tensor":
        return _of_unbound(name, args, kwargs or {})
    place = _place(target, owner, name)
    receiver: Any = target.__self__ if type(target) is MethodType else target
    if place is not None:
        return _refusal(place, (receiver, *args) if place in METHODS else args, kwargs or {})
    kind = type(receiver)
    if issubclass(kind, type):
        return _of_class(receiver, error)
    return _in_forward(error) or _of_class(_failing(error) or kind, error)


def refusal_of_parser(
    target: Any, args: Sequence[Any], kwargs: Mapping[str, Any] | None, owner: str = "", name: str = ""
) -> Exception | None:
    """What PyTorch says to the arguments of a call before it is made; None when it takes them."""
    place = None if owner == "Tensor" else _place(target, owner, name)
    if place is None:
        return None
    return _refusal(place, (target.__self__, *args) if place in METHODS else args, kwargs or {})


def refusal_of_out(target: Any, args: Sequence[Any], kwargs: Mapping[str, Any] | None) -> Exception | None:
    """The same for a call with `out`, which a function may take in one namespace and not in another."""
    refusals = [_refusal(place, args, kwargs or {}) for place in _functions()[target]]
    return None if None in refusals else refusals[0]


def numbers_among(target: Any, args: Sequence[Any], kwargs: Mapping[str, Any] | None) -> Collection[int | str]:
    """The places and names of the arguments of a call that PyTorch's parser reads as numbers."""
    place = _place(target, "", "")
    return numbers(*place, args, kwargs or {}) if place is not None and known(*place) else ()


def written_in_python(target: Any, owner: str = "", name: str = "") -> bool:
    """Whether PyTorch has no parser of arguments for what was called: then its words may be Python's."""
    place = ("Tensor", name) if owner == "Tensor" else _place(target, owner, name)
    return place is not None and not known(*place)


_TAKES = {"name": 0, "_sequence_nr": 0, "register_hook": 1, "register_prehook": 1, "_set_sequence_nr": 1}
"""Methods of nodes, and how many arguments they take."""


def _of_node(
    node: Node, name: str, args: Sequence[Any], kwargs: Mapping[str, Any], error: Exception
) -> TypeError | None:
    """What PyTorch says to a method of a node that was given too much or too little."""
    if not isinstance(error, TypeError) or name not in _TAKES:
        return None
    if kwargs:
        return errors.node_keywords(type(node).__name__, name)
    return None if len(args) == _TAKES[name] else errors.node_arguments(type(node).__name__, name, len(args))


def _of_unbound(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Exception | None:
    """What PyTorch says to `torch.Tensor.name(…)`, which takes the tensor first."""
    if ("Tensor", name) in METHODS:
        return _refusal(("Tensor", name), args, kwargs)
    if not known("Tensor", name):
        return None
    if not args:
        return errors.unbound_without_tensor(name)
    if not isinstance(args[0], Tensor):
        return errors.unbound_of_other(name, args[0])
    return _refusal(("Tensor", name), args[1:], kwargs)


def _refusal(place: Place, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Exception | None:
    """What PyTorch says to a call of one of its functions."""
    space, name = place
    function = WRITTEN.get(space, {}).get(name)
    try:
        if function is not None:
            with unobserved():
                function(*args, **kwargs)
        elif known(space, name):
            check(space, name, args, kwargs)
    except (TypeError, AttributeError) as refusal:
        return refusal.with_traceback(None)
    except Exception:  # about the values: the engine knows better
        return None
    return None


def _in_forward(error: Exception) -> Exception | None:
    """What PyTorch says to the first published function that the `forward` of a module of the engine called."""
    trace, caller, module = error.__traceback__, "", None
    while trace is not None:
        frame = trace.tb_frame
        code = frame.f_code
        if caller in ("forward", "_conv_forward"):
            place = _called(code, type(module).__name__)
            if place is not None:
                given = inspect.getargvalues(frame)
                args = [given.locals[key] for key in given.args[: code.co_argcount]]
                rest = given.locals[given.varargs] if given.varargs else ()
                return _refusal(place, [*args, *rest], given.locals[given.keywords] if given.keywords else {})
        trace, caller, module = trace.tb_next, code.co_name, frame.f_locals.get("self")
    return None


def _failing(error: Exception) -> type | None:
    """The class of the innermost module that was being called."""
    trace, kind = error.__traceback__, None
    while trace is not None:
        owner = type(trace.tb_frame.f_locals.get("self"))
        if trace.tb_frame.f_code.co_name == "__call__" and hasattr(owner, "forward"):
            kind = owner
        trace = trace.tb_next
    return kind


def _called(code: CodeType, module: str) -> Place | None:
    """The function that the forward pass of a module called, by its code, which several functions may have."""
    if module in ("Sigmoid", "Tanh"):
        return "torch", module.lower()
    places = _codes().get(_identity(code), [])
    alike = [place for place in places if place[1].replace("_", "") == module.lower()]
    return next(iter(alike or places), None)


@cache
def _codes() -> dict[Hashable, list[Place]]:
    found: dict[Hashable, list[Place]] = {}
    for function, places in _functions().items():
        if isinstance(function, FunctionType):
            found.setdefault(_identity(function.__code__), []).extend(places)
    return found


def _identity(code: CodeType) -> Hashable:
    """What a function's code has in common with the one it has before its first call (`engine.codegen.deferred`)."""
    arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return code.co_filename, code.co_firstlineno, code.co_qualname, arguments


def refusal_of_method(
    function: FunctionType, cls: type, args: Sequence[Any], names: Collection[str]
) -> Exception | None:
    """What is said to a method that was read from a class and called with too few arguments: without its object.
    None when they are enough."""
    try:
        inspect.signature(function, follow_wrapped=False).bind(*args, **dict.fromkeys(names))
    except TypeError:
        try:
            function(*args, **dict.fromkeys(names))  # which Python refuses before the function begins
        except TypeError as error:
            return _of_class(cls, error) or error.with_traceback(None)
    return None


_WHOLE = "_AvgPoolNd _Conv _ConvTransposeNd _FractionalMaxPoolNd _MaxUnpoolNd _ConstantPadNd _PadNd".split()
_WHOLE.append("_LazyConvXdMixin")
_OURS = frozenset(
    [f"{base}.__init__()" for base in _WHOLE]
    + [f"{base}.forward()" for base in [*_WHOLE, "_AdaptiveAvgPoolNd", "_AdaptiveMaxPoolNd", "_LPPoolNd", "_MaxPoolNd"]]
    + ["Optimizer.step()"]
)
"""Methods of bases that PyTorch writes in each of the derived classes instead."""

_NOT_WRITTEN = ("__main__", "torch.nn.utils.parametrize")
"""Modules of the classes that a program derives, itself or by a parametrization."""

_WITH_OWN_INIT = ("MultiplicativeLR", "NLLLoss2d", "SyncBatchNorm")
"""Classes that have a constructor of their own in PyTorch only."""


def _of_class(cls: type, error: Exception) -> TypeError | None:
    """A complaint about a method of a base that PyTorch does not have, as one about the class that was called."""
    method, blank, rest = str(error).partition(" ")
    inherited = cls.__name__ in _WITH_OWN_INIT and method.endswith(".__init__()")
    if not isinstance(error, TypeError) or method not in _OURS and not inherited:
        return None
    name = next((kind.__name__ for kind in cls.__mro__ if kind.__module__ not in _NOT_WRITTEN), cls.__name__)
    if method in ("_PadNd.forward()", "_ConstantPadNd.forward()"):
        name = f"_{name.replace('Zero', 'Constant')[:-2]}Nd"
    return TypeError(f"{name}.{method.partition('.')[2]}{blank}{rest}")
