"""Functions that PyTorch keeps only to say what has taken their place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import errors
from engine.codegen.publish import public

_REMOVED = {
    "matrix_rank": errors.removed_matrix_rank,
    "solve": errors.removed_solve,
    "lstsq": errors.removed_lstsq,
    "symeig": errors.removed_symeig,
    "eig": errors.removed_eig,
}


def _publish(name: str, error: Callable[[], RuntimeError]) -> None:
    doc = f"Removed from PyTorch: use `torch.linalg.{'eigh' if name == 'symeig' else name}`."

    @public("torch" if name == "matrix_rank" else "method torch", name, doc=doc)
    def function(*args: Any, **kwargs: Any) -> Any:
        raise error()


for _name, _error in _REMOVED.items():
    _publish(_name, _error)
