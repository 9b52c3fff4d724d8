"""Named results: `torch.return_types.max` and its kind, tuples whose fields have names."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

FIELDS: dict[str, tuple[str, ...]] = {
    name: ("values", "indices")
    for name in ("max", "min", "sort", "topk", "kthvalue", "mode", "median", "nanmedian", "cummax", "cummin")
} | {
    "aminmax": ("min", "max"),
    "slogdet": ("sign", "logabsdet"),
    "qr": ("Q", "R"),
    "svd": ("U", "S", "V"),
    "frexp": ("mantissa", "exponent"),
    "geqrf": ("a", "tau"),
    "triangular_solve": ("solution", "cloned_coefficient"),
    "linalg_eig": ("eigenvalues", "eigenvectors"),
    "linalg_eigh": ("eigenvalues", "eigenvectors"),
    "linalg_slogdet": ("sign", "logabsdet"),
    "linalg_qr": ("Q", "R"),
    "linalg_svd": ("U", "S", "Vh"),
    "linalg_inv_ex": ("inverse", "info"),
    "linalg_solve_ex": ("result", "info"),
    "linalg_cholesky_ex": ("L", "info"),
    "lu_unpack": ("P", "L", "U"),
    "linalg_lu": ("P", "L", "U"),
    "linalg_lu_factor": ("LU", "pivots"),
    "linalg_lu_factor_ex": ("LU", "pivots", "info"),
    "linalg_ldl_factor": ("LD", "pivots"),
    "linalg_ldl_factor_ex": ("LD", "pivots", "info"),
    "histogram": ("hist", "bin_edges"),
    "histogramdd": ("hist", "bin_edges"),
    "linalg_lstsq": ("solution", "residuals", "rank", "singular_values"),
}


class _LikeC(type):
    """A type whose `__name__` is short (`max`), and whose name is full in Python's own error texts, like C's."""

    @property
    def __name__(cls) -> str:  # type: ignore[override]
        return cls.__qualname__


class NamedResult(tuple[Any, ...], metaclass=_LikeC):
    """A tuple with fields, printed as PyTorch prints it."""

    __slots__ = ()
    _fields: tuple[str, ...] = ()

    def __repr__(self) -> str:
        fields = ",\n".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"torch.return_types.{type(self).__name__}(\n{fields})"

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'torch.return_types.{type(self).__name__}' object has no attribute '{name}'")


def named_like_c(name: str, base: type[NamedResult], fields: tuple[str, ...]) -> type[NamedResult]:
    """A class of named results."""
    counts = {"n_fields": len(fields), "n_sequence_fields": len(fields), "n_unnamed_fields": 0}
    body: dict[str, Any] = {"__slots__": (), "_fields": fields, "__module__": "torch.return_types", **counts}
    for index, field in enumerate(fields):
        body[field] = property(itemgetter(index))
    cls: Any = _LikeC(f"torch.return_types.{name}", (base,), body)
    cls.__qualname__ = name
    return cls  # type: ignore[no-any-return]


TYPES: dict[str, type[NamedResult]] = {name: named_like_c(name, NamedResult, fields) for name, fields in FIELDS.items()}


def returns(name: str, values: Sequence[Any]) -> tuple[Any, ...]:
    """The results of an op: named where PyTorch names them, otherwise a tuple."""
    cls = TYPES.get(name)
    return tuple(values) if cls is None else cls(values)
