"""Which of PyTorch's functions was called, and what it says to the call."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from types import FunctionType, MethodType
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
    return None


def refusal_of_parser(
    target: Any, args: Sequence[Any], kwargs: Mapping[str, Any] | None, owner: str = "", name: str = ""
) -> Exception | None:
    """What PyTorch says to the arguments of a call before it is made; None when it takes them."""
    place = None if owner == "Tensor" else _place(target, owner, name)
    if place is None:
        return None
    return _refusal(place, (target.__self__, *args) if place in METHODS else args, kwargs or {})


def worded(place: Place) -> bool:
    """Whether it is known what PyTorch says to a wrong call of what it has there."""
    space, name = place
    return known(space, name) or name in WRITTEN.get(space, {})


def place_of(function: FunctionType) -> Place | None:
    """Where PyTorch has a published function."""
    places = _functions().get(function)
    return places[0] if places else None


def refusal_at(place: Place, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Exception | None:
    """What PyTorch says to a call of what it has there, a method with its tensor first; None when it takes it."""
    space, name = place
    return _of_unbound(name, args, kwargs) if space == "Tensor" else _refusal(place, args, kwargs)


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


def refusal_of_method(function: FunctionType, args: Sequence[Any], names: Collection[str]) -> Exception | None:
    """What is said to a method that was read from a class and called with too few arguments: without its object.
    None when they are enough."""
    plain = inspect.unwrap(function, stop=lambda each: each not in _methods())
    try:
        inspect.signature(plain, follow_wrapped=False).bind(*args, **dict.fromkeys(names))
    except TypeError:
        try:
            plain(*args, **dict.fromkeys(names))  # which Python refuses before the function begins
        except TypeError as error:
            return error.with_traceback(None)
    return None
