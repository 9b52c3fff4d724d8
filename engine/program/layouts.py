"""Which functions may be given sparse tensors.

A sparse tensor may be as large as no dense one is, and functions that are made of others walk along its dimensions for
nothing. So only those get one that are known to mind; rows of ops say for themselves which of them do
(`engine.codegen.call.SPARSE`).
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from types import FunctionType, MethodType
from typing import Any

from engine import errors
from engine.core.tensor import Tensor
from engine.nn.module import Module
from engine.program.values import Function
from engine.types.coo import Coo

_ROOMS = (
    "engine.core.", "engine.autograd.", "engine.optim.", "engine.program.", "engine.composites.sparse",
    "engine.composites.to_python", "engine.composites.deepcopy", "engine.nn.module", "engine.nn.grads",
    "engine.nn.loading", "engine.nn.compiled", "engine.torch.utils.checkpoint",
)  # fmt: skip
"""Files whose functions only hand tensors on, or are about sparse ones."""

_NAMES = frozenset(
    "add add_ sub sub_ subtract mul mul_ multiply multiply_ div div_ divide divide_ true_divide true_divide_ pow square"
    " negative absolute matmul linear mm mv addmm spmm sum norm clone contiguous t transpose swapaxes swapdims permute"
    " adjoint reshape view relu relu_ dropout zeros_like empty_like tensor as_tensor typename storage is_tensor numel"
    " is_floating_point is_complex is_conj resolve_conj save load grad backward setitem".split()
)
"""Functions made of others that mind sparse tensors, or refuse them at once."""


def refuse_sparse(target: Any, args: Iterable[Any], kwargs: dict[str, Any] | None) -> None:
    """Raise NotImplementedError where a function of the engine that does not mind is given a sparse tensor."""
    own = target.__self__ if type(target) is MethodType else None
    given = (own, *args, *kwargs.values()) if kwargs else (own, *args)
    if any([_holds_one(value) for value in given]) and not _minds(target):
        raise errors.sparse_unavailable(getattr(target, "__name__", type(target).__name__))


def _holds_one(value: Any) -> bool:
    if isinstance(value, Tensor):
        return type(value._array) is Coo
    if type(value) is list or type(value) is tuple:
        return any([isinstance(item, Tensor) and type(item._array) is Coo for item in value])
    return False


def _minds(target: Any) -> bool:
    if isinstance(target, Module):
        forward = type(target).forward
        return type(forward) is Function or type(target).__module__.startswith("torch._dynamo")
    if isinstance(target, type):
        return issubclass(target, Tensor | Module) or target.__module__.startswith(("torch.sparse", "torch.optim"))
    function = target.__func__ if type(target) is MethodType else target
    if type(function) is not FunctionType:
        return True  # Python's own, and what the program defines
    plain = inspect.unwrap(function)
    if plain.__code__.co_filename.startswith("<"):  # a row
        return True
    name = function.__name__
    room = plain.__globals__["__name__"] if type(plain) is FunctionType else function.__module__
    return room.startswith(_ROOMS) or name in _NAMES or name.startswith("__")
