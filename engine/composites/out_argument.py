"""Keywords that all of PyTorch's functions understand: `out=`, and numpy's names for their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from inspect import unwrap
from typing import Any

from engine import errors
from engine.codegen.publish import FFT, LINALG, SPECIAL, TORCH
from engine.core.grad_mode import no_grad
from engine.core.state import state
from engine.core.tensor import Tensor, announce_write, bump_version, report_write, tensors_of, write
from engine.types import dtypes
from engine.types.return_types import NamedResult, named_like_c

ALIASES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}
"""numpy's names of arguments, and PyTorch's."""


def renamed(function: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The keywords of a call with numpy's names replaced where the function has only PyTorch's."""
    code = getattr(unwrap(getattr(function, "__func__", function)), "__code__", None)
    if code is None:
        return kwargs
    return renamed_among(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], kwargs)


def renamed_among(known: Sequence[str], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The same for a function with these parameters."""
    return {
        ALIASES[key] if key in ALIASES and key not in known and ALIASES[key] in known else key: value
        for key, value in kwargs.items()
    }


@cache
def _names() -> dict[Any, str]:
    found: dict[Any, str] = {}
    for space in (TORCH, LINALG, SPECIAL, FFT):
        for name, function in space.items():
            found.setdefault(function, name)
    return found


def takes_out(function: Any) -> bool:
    """Whether PyTorch lets this function write its results elsewhere."""
    return function in _names()


def into(out: Any, function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Call `function` and write what it returns to `out`, a tensor or a tuple of them; None calls it as it is.

    Raises RuntimeError when a gradient would be needed, or when a result does not fit the dtype it is written to.
    """
    if out is None:
        return function(*args, **kwargs)
    name = _names()[function]
    targets = tuple(out) if isinstance(out, tuple | list) else (out,)
    for target in targets:
        if not isinstance(target, Tensor):
            raise errors.keyword_type(name, "out", "Tensor", target)
    if state.grad and any(t.requires_grad for t in (*tensors_of((*args, *kwargs.values())), *targets)):
        raise errors.out_requires_grad(name)
    with no_grad():
        result = function(*args, **kwargs)
    results = tuple(result) if isinstance(result, tuple | list) else (result,)
    for place, (target, value) in enumerate(zip(targets, results, strict=True)):
        _check_dtype(name, place, value.dtype, target.dtype)
        _store(target, value, name in errors.FILLING)
    if state.dual is not None and any(_is_dual(t) for t in (*tensors_of((*args, *kwargs.values())), *targets)):
        raise errors.dual_out(name)
    if isinstance(result, NamedResult):
        kind = type(result)
        return named_like_c(f"{kind.__qualname__}_out", kind, kind._fields)(targets)
    return out


def _is_dual(t: Tensor) -> bool:
    return t._tangent is not None and t._tangent[0] is state.dual


def _check_dtype(name: str, place: int, found: dtypes.dtype, given: dtypes.dtype) -> None:
    if found is given or name in errors.ANY or found.name == "bool" and given.name == "uint8":
        return
    if errors.out_must_match(name, place) or not dtypes.can_cast(found, given):
        raise errors.out_dtype(name, place, (found.type_name, found.cpp_name), (given.type_name, given.cpp_name))


def _store(target: Tensor, value: Tensor, silent: bool) -> None:
    if target._array.shape != value._array.shape:
        if target._array.size and not silent:
            errors.warn_out_resized(target._array.shape, value._array.shape)
        announce_write(target)
        target._array = value._array.astype(target._array.dtype)
        bump_version(target)
    else:
        write(target, value._array)
    report_write(target)
