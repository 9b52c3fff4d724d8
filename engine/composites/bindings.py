"""Functions and methods as their callers meet them: PyTorch's words for a wrong call, `out=`, and numpy's keywords.

A binding stands for each published function. A call that succeeds is the function's own; only one that fails is looked
at, and only if it comes from outside of the rooms that compute: those call each other with what they made themselves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import update_wrapper
from inspect import CO_VARKEYWORDS
from types import FunctionType
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.publish import FUNCTIONAL
from engine.composites.out_argument import ALIASES, into, renamed, takes_out
from engine.core.tensor import Tensor
from engine.signatures.complaints import PUBLISHED, Place, refusal_at, worded
from engine.signatures.native import known
from engine.types.devices import layout, memory_format

_ROOMS = "autograd batching codegen composites core findings gradcheck kernels ops program signatures trace".split()
_WITHIN = tuple(f"engine.{room}." for room in _ROOMS)
"""Rooms that compute: to their calls of each other PyTorch says nothing."""

_BOOL = bool, np.bool_
TYPED: Mapping[str, tuple[type, ...]] = {
    "keepdim": (*_BOOL, Tensor), "keepdims": (*_BOOL, Tensor), "unbiased": (*_BOOL, Tensor),
    "layout": (layout,), "memory_format": (memory_format,),
    "diagonal": (int, np.integer), "num_classes": (int, np.integer),
} | dict.fromkeys(
    "as_tuple stable descending non_blocking copy largest sorted compute_uv some return_inverse return_counts right"
    " out_int32 equal_nan full_matrices hermitian left upper unitriangular ceil_mode count_include_pad log_target"
    " training onesided return_complex normalized center periodic accumulate include_self adjoint pivot unpack_data"
    " unpack_pivots density assume_unique invert".split(),
    _BOOL,
)  # fmt: skip
"""Options of which functions look at no more than what they say, and their types."""

_KEYWORDS = frozenset({"out", *ALIASES, *TYPED})


def mistyped(kwargs: Mapping[str, Any]) -> bool:
    """Whether an option has a type that its function would take and PyTorch does not."""
    return any(
        key in TYPED and value is not None and not isinstance(value, TYPED[key]) for key, value in kwargs.items()
    )


def _within(depth: int) -> bool:
    """Whether a caller is of a room that computes; functions made by `codegen` have no module."""
    name = sys._getframe(depth).f_globals.get("__name__")
    return name is None or name.startswith(_WITHIN)


def bound(plain: FunctionType, place: Place) -> FunctionType:
    """What stands for a function that PyTorch has at a place."""
    code = plain.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    strict = code.co_flags & CO_VARKEYWORDS or not _KEYWORDS.isdisjoint(names)
    binding = (_strict if strict else _plainly)(plain, place)
    update_wrapper(binding, plain)
    return binding


def _plainly(plain: FunctionType, place: Place) -> Any:
    """Of a function without those keywords: Python refuses the call that has one before it begins."""

    def binding(*args: Any, **kwargs: Any) -> Any:
        try:
            return plain(*args, **kwargs) if kwargs else plain(*args)
        except Exception:
            if _within(2):
                raise
            if _KEYWORDS.isdisjoint(kwargs):
                said = refusal_at(place, args, kwargs)
                if said is None:
                    raise
                raise said from None
        return _by_keyword(binding, plain, place, args, kwargs)

    return binding


def _strict(plain: FunctionType, place: Place) -> Any:
    def binding(*args: Any, **kwargs: Any) -> Any:
        if kwargs and not _KEYWORDS.isdisjoint(kwargs) and not _within(2):
            return _by_keyword(binding, plain, place, args, kwargs)
        try:
            return plain(*args, **kwargs) if kwargs else plain(*args)
        except Exception:
            said = None if _within(2) else refusal_at(place, args, kwargs)
            if said is None:
                raise
            raise said from None

    return binding


def _by_keyword(
    binding: Any, plain: FunctionType, place: Place, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A call with keywords that PyTorch's parser knows of every function, or is strict about."""
    given = renamed(plain, kwargs)
    writes = "out" in given and takes_out(binding)
    if (writes or mistyped(kwargs)) and (said := refusal_at(place, args, kwargs)) is not None:
        raise said
    if writes:
        return into(given.pop("out"), binding, args, given)
    try:
        return plain(*args, **given)
    except Exception:
        said = refusal_at(place, args, kwargs)
        if said is None:
            raise
        raise said from None


def bind() -> None:
    """Put a binding in the place of every published function whose refusals are known.

    One that PyTorch has under several names or in several modules has a binding for each, unless modules share it.
    """
    for space, functions in PUBLISHED.items():
        for name, plain in list(functions.items()):
            if type(plain) is FunctionType and worded((space, name)):
                other = FUNCTIONAL.get(name)
                shared = space == "torch" and known("functional", name) and _plain(other) is plain
                functions[name] = other if shared else _named(bound(plain, (space, name)), name, functions)
    methods = vars(Tensor)
    for name, plain in list(methods.items()):
        if type(plain) is FunctionType and worded(("Tensor", name)) and not name.startswith("__"):
            setattr(Tensor, name, _named(bound(plain, ("Tensor", name)), name, methods))
        elif isinstance(plain, property) and plain.fset is None:
            setattr(Tensor, name, property(plain.fget, *_refusing(name), plain.__doc__))


def _refusing(name: str) -> tuple[Callable[..., None], Callable[..., None]]:
    """The setter and the deleter of an attribute that can only be read."""

    def not_writable(*args: Any) -> None:
        raise errors.not_writable(name)

    return not_writable, not_writable


def _named(binding: FunctionType, name: str, functions: Mapping[str, Any]) -> FunctionType:
    """The binding, by its own name if another one of the same function has that of the function."""
    own = binding.__name__
    if own != name and _plain(functions.get(own)) is _plain(binding):
        binding.__name__ = binding.__qualname__ = name
    return binding


def _plain(binding: Any) -> Any:
    return getattr(binding, "__wrapped__", binding)


def bind_module(space: str, names: dict[str, Any]) -> None:
    """The same for the functions that a module defines itself; `names`: its own."""
    for name, plain in list(names.items()):
        if type(plain) is FunctionType and "__wrapped__" not in plain.__dict__ and worded((space, name)):
            names[name] = bound(plain, (space, name))
