"""Which of PyTorch's functions was called, and what it says to the call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import FunctionType
from typing import Any

from engine import errors
from engine.codegen.publish import FFT, FUNCTIONAL, LINALG, SPECIAL, TORCH
from engine.core.state import unobserved
from engine.core.tensor import Tensor
from engine.signatures import written
from engine.signatures.functional import FUNCTIONAL as WRITTEN_FUNCTIONAL
from engine.signatures.native import check, known

Place = tuple[str, str]
"""Namespace and name: ("torch", "add"), ("Tensor", "view"), ("functional", "relu")."""


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
