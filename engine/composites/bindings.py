"""Functions and methods as their callers meet them: PyTorch's words for a wrong call, `out=`, and numpy's keywords.

A binding stands for each published function. A call that succeeds is the function's own; only one that fails is looked
at, and only if it comes from outside of the rooms that compute: those call each other with what they made themselves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, update_wrapper
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import FunctionType, MappingProxyType
from typing import Any

import numpy as np

from engine import errors
from engine.codegen.deferred import MISSING
from engine.codegen.publish import FUNCTIONAL, TORCH
from engine.composites.out_argument import ALIASES, into, renamed_among, takes_out
from engine.core.inherited import named as renamed_copy
from engine.core.tensor import Parameter, Tensor
from engine.signatures.complaints import PUBLISHED, Place, refusal_at, worded
from engine.signatures.native import known
from engine.types.devices import layout, memory_format

_ROOMS = "autograd batching codegen composites core findings gradcheck kernels ops program signatures trace".split()
WITHIN = tuple(f"engine.{room}." for room in _ROOMS)
"""Rooms that compute: to their calls of each other PyTorch says nothing."""

MEETS: list[Callable[[Sequence[Any], Mapping[str, Any]], bool]] = []
"""Who looks at the arguments of a call that failed, and may have all bindings answer otherwise from then on."""

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
EMPTY: Mapping[str, Any] = MappingProxyType({})


def mistyped(kwargs: Mapping[str, Any]) -> bool:
    """Whether an option has a type that its function would take and PyTorch does not."""
    return any(
        key in TYPED and value is not None and not isinstance(value, TYPED[key]) for key, value in kwargs.items()
    )


_SIMPLE = frozenset({Tensor, Parameter, bool, int, float, str, type(None)})
_TENSORS = frozenset({Tensor, Parameter})


def _kind(value: Any) -> Any:
    """The type of an argument, and for a list those of its items."""
    kind = type(value)
    return (kind, frozenset(map(type, value))) if kind is list or kind is tuple else kind


def _simple(kind: Any) -> bool:
    """Whether the parser looks at no more than the type."""
    return kind[1] <= _TENSORS if type(kind) is tuple else kind in _SIMPLE


def odd(value: Any) -> bool:
    """Whether computing may take a value for a number, or for one that was not given, and PyTorch's parser not."""
    return value is None or value is True or value is False


def _within() -> bool:
    """Whether the binding that asks was called by a room that computes; what `codegen` makes has no module."""
    binding = sys._getframe(2)
    caller = binding.f_back
    if caller is not None and caller.f_globals is binding.f_globals:  # which was compiled for this call
        caller = caller.f_back
    name = caller and caller.f_globals.get("__name__")
    return name is None or name.startswith(WITHIN)


def _given(values: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([value for value in values if value is not MISSING])


class Guard:
    """What a binding asks about a call that is not by position alone, or has failed."""

    __slots__ = ("_taken", "binding", "names", "place", "plain")

    def __init__(self, plain: FunctionType, place: Place) -> None:
        self.plain, self.place = plain, place
        code = plain.__code__
        self.names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        self.binding: FunctionType
        self._taken: set[tuple[Any, ...]] = set()

    def failed(self, values: tuple[Any, ...], kwargs: Mapping[str, Any] = EMPTY) -> Any:
        """Answer a call that failed: with what PyTorch says to it, or with its error where PyTorch takes it."""
        if _within():
            raise
        args = _given(values)
        if any(meets(args, kwargs) for meets in MEETS):
            return self.binding(*args, **kwargs)
        if not _KEYWORDS.isdisjoint(kwargs):
            return self._by_keyword(args, kwargs)
        said = refusal_at(self.place, args, kwargs)
        if said is None:
            raise
        raise said from None

    def otherwise(self, values: tuple[Any, ...], more: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Answer a call with too much, with too little, or with keywords."""
        args = (*values, *more) if more else values
        if values and values[-1] is MISSING:
            args = _given(values)
        if any([isinstance(value, np.ndarray | np.generic) for value in args[:1] or kwargs.values()]) and not _within():
            said = refusal_at(self.place, args, kwargs)
            if said is not None:
                raise said
        if not _KEYWORDS.isdisjoint(kwargs) and not _within():
            return self._by_keyword(args, kwargs)
        if any(map(odd, args)) and (kinds := tuple(map(_kind, args))) not in self._taken and not _within():
            said = refusal_at(self.place, args, kwargs)
            if said is not None:
                raise said
            if not kwargs and all(map(_simple, kinds)):
                self._taken.add(kinds)  # which is all that the parser looks at
        try:
            return self.plain(*args, **kwargs)
        except Exception:
            if _within():
                raise
            if any(meets(args, kwargs) for meets in MEETS):
                return self.binding(*args, **kwargs)
            said = refusal_at(self.place, args, kwargs)
            if said is None:
                raise
            raise said from None

    def _by_keyword(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Answer a call with keywords that PyTorch's parser knows of every function, or is strict about."""
        named = renamed_among(self.names, kwargs)
        writes = "out" in named and takes_out(self.binding)
        if (writes or mistyped(kwargs)) and (said := refusal_at(self.place, args, kwargs)) is not None:
            raise said from None
        if writes:
            return into(named.pop("out"), self.binding, args, named)
        try:
            return self.plain(*args, **named)
        except Exception:
            said = refusal_at(self.place, args, kwargs)
            if said is None:
                raise
            raise said from None


def bound(plain: FunctionType, place: Place) -> FunctionType:
    """What stands for a function that PyTorch has at a place."""
    guard = Guard(plain, place)
    make = plain.__dict__.get("guarded")
    binding = make and make(guard)
    if binding is None:
        code = plain.__code__
        required = code.co_argcount - len(plain.__defaults__ or ())
        options = min(2, len(plain.__defaults__ or ()))
        fixed = code.co_argcount == required + options and not code.co_flags & CO_VARARGS
        lenient = not code.co_flags & CO_VARKEYWORDS and _KEYWORDS.isdisjoint(guard.names)
        binding = _shape(required, options, fixed, lenient, place[0] != "Tensor")(plain, guard)
    guard.binding = binding
    update_wrapper(binding, plain)
    return binding


@cache
def _shape(
    required: int, options: int, fixed: bool, lenient: bool, of_tensors: bool
) -> Callable[[FunctionType, Guard], FunctionType]:
    """Makes bindings of functions that must be given so many arguments, and so many more or, if not `fixed`, any.

    `lenient`: Python itself refuses the keywords that are looked at, before the function begins. `of_tensors`: the
    first argument may be an array, which rooms that compute hand each other.
    """
    names = [f"p{i}" for i in range(required + options)]
    header = ", ".join([*(f"{name}=MISSING" for name in names), *("/" for _ in names[:1]), "*more", "**others"])
    given = "".join(f"{name}, " for name in names)
    strict = [*(["more"] if fixed else []), *([] if lenient else ["others"])]
    strict += [f"{name} is MISSING" for name in names[:required][-1:]]
    strict += [f"{name} is True or {name} is False or {name} is None" for name in names[not of_tensors :]]
    strict += [] if fixed else ["more and type(more[0]) is bool"]
    strict += [f"type({name}) is not Tensor and isinstance({name}, ndarray)" for name in names[:1] if of_tensors]
    first = f"if {' or '.join(strict)}: return guard.otherwise(({given}), more, others)" if strict else ""
    rest = "" if fixed else "*more, "
    call = f"plain({given}{rest})" if fixed else f"plain({given}{rest}) if more else plain({given})"
    for name in reversed(names[required:]):
        before = given[: given.index(f"{name}, ")]
        call = f"plain({before}) if {name} is MISSING else {call}"
    if lenient:
        named = f"plain({given}{rest}**others)"
        if options:
            before = given[: given.index(f"{names[required]}, ")]
            many = f"plain(*those(({given}{rest})), **others)"
            named = f"plain({before}**others) if {names[required]} is MISSING else {many}"
        call = f"({named}) if others else {call}"
    source = f"""
def make(plain, guard):
    def binding({header}):
        {first}
        try: return {call}
        except Exception: return guard.failed(({given}*more,), others)
    return binding
"""
    scope: dict[str, Any] = {"MISSING": MISSING, "ndarray": (np.ndarray, np.generic), "Tensor": Tensor, "those": _given}
    exec(compile(source, "<binding>", "exec"), scope)
    make: Callable[[FunctionType, Guard], FunctionType] = scope["make"]
    return make


_PREFIXED = frozenset({"linalg", "fft", "special"})
"""Modules that are part of the names of their functions in C."""


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
                if space in _PREFIXED and known(space, name):
                    functions[name].__name__ = functions[name].__qualname__ = f"{space}_{name}"
    methods = vars(Tensor)
    for name, plain in list(methods.items()):
        if type(plain) is FunctionType and worded(("Tensor", name)) and not name.startswith("__"):
            binding = _named(bound(plain, ("Tensor", name)), name, methods)
            if not known("Tensor", name):  # written in Python
                binding.__qualname__ = f"Tensor.{binding.__name__}"
            setattr(Tensor, name, binding)
        elif type(plain) is FunctionType and _plain(TORCH.get(name)) is plain and not known("Tensor", name):
            setattr(Tensor, name, renamed_copy(plain, f"Tensor.{name}"))
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
