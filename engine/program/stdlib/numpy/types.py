"""numpy's types as values: `finfo`, `iinfo`, `issubdtype` and the abstract kinds of scalars."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.program.arrays import KINDS, Array, DType, Scalar, as_array, to_dtype, wrap
from engine.program.values import Builtin


class FInfo:
    """`numpy.finfo`."""

    __module__ = "numpy"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()
    _names = (
        "bits eps epsneg max min tiny smallest_normal smallest_subnormal resolution precision nmant nexp maxexp minexp"
    )

    def __init__(self, dtype: Any) -> None:
        self._info: Any = self._native(dtype._array.dtype if isinstance(dtype, Array) else to_dtype(dtype))
        for name in self._names.split():
            setattr(self, name, wrap(getattr(self._info, name)))
        self.dtype = DType(self._info.dtype)

    @staticmethod
    def _native(dtype: Any) -> Any:
        return np.finfo(dtype)

    def __repr__(self) -> str:
        return repr(self._info)

    def __str__(self) -> str:
        return str(self._info)


class IInfo(FInfo):
    """`numpy.iinfo`."""

    __module__ = "numpy"
    __program__ = True
    _names = "bits max min"

    @staticmethod
    def _native(dtype: Any) -> Any:
        return np.iinfo(dtype)


FInfo.__name__ = FInfo.__qualname__ = "finfo"
IInfo.__name__ = IInfo.__qualname__ = "iinfo"


def _issubdtype(arg1: Any, arg2: Any) -> bool:
    def of(value: Any) -> Any:
        abstract = isinstance(value, type) and issubclass(value, Scalar) and not value.kind
        return getattr(np, value.__qualname__) if abstract else to_dtype(value)

    return bool(np.issubdtype(of(arg1), of(arg2)))


def _dtype_of(value: Any) -> Any:
    """A dtype, an array, or a number of Python's, which has no say where there are others of its kind."""
    if type(value) in (int, float, complex):
        return value
    return to_dtype(value) if isinstance(value, type | DType | str) else as_array(value)


TYPES: dict[str, Any] = {
    "finfo": FInfo, "iinfo": IInfo,
    "issubdtype": Builtin("issubdtype", _issubdtype),
    "result_type": Builtin("result_type", lambda *args: DType(np.result_type(*map(_dtype_of, args)))),
    "promote_types": Builtin("promote_types", lambda a, b: DType(np.promote_types(to_dtype(a), to_dtype(b)))),
    "can_cast": Builtin(
        "can_cast", lambda source, to, casting="safe": bool(np.can_cast(to_dtype(source), to_dtype(to), casting))
    ),
    **KINDS,
}  # fmt: skip
