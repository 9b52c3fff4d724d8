"""Functions that PyTorch keeps only to say what has taken their place."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.codegen.publish import public
from engine.errors.removed import REMOVED


def _publish(name: str) -> None:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise errors.removed(name)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Removed from PyTorch: use `torch.linalg.{'eigh' if name == 'symeig' else name}`."
    public("torch" if name == "matrix_rank" else "method torch")(function)


for _name in REMOVED:
    _publish(_name)
