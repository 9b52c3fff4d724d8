"""What packages built on PyTorch call by names that begin with an underscore: `torch._check` and its kin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.core.registry import ops

_KINDS: dict[str, type[Exception]] = {
    "": RuntimeError,
    "_index": IndexError,
    "_value": ValueError,
    "_type": TypeError,
    "_not_implemented": NotImplementedError,
}
_UNSAID = (
    "Expected cond to be True, but got False. (Could this error message be improved? If so, please report an"
    " enhancement request to PyTorch.)"
)


def _raising(kind: type[Exception]) -> Callable[..., None]:
    def check(cond: bool, message: Callable[[], Any] | None = None) -> None:
        if not cond:
            raise kind(_UNSAID if message is None else str(message()))

    return check


def _assert(condition: Any, message: Any) -> None:
    """`assert` as a function."""
    assert condition, message


INTERNALS: dict[str, Callable[..., Any]] = {
    "_assert": _assert,
    "_sample_dirichlet": lambda input, generator=None: ops._sample_dirichlet(input, generator),
    **{f"_check{name}": _raising(kind) for name, kind in _KINDS.items()},
}
"""By the names they have in `torch`."""
