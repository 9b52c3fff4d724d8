"""numpy's arrays, numbers and dtypes as programs see them.

`values.py` what they are, and how values become them and are given to numpy · `operators.py` · `attributes.py`
"""

from __future__ import annotations

from engine.program.arrays.attributes import METHODS, array_of_tensor
from engine.program.arrays.operators import (
    ERRORS,
    heeding,
    is_object,
    join_texts,
    no_ufuncs,
    reserve_operation,
    tensor_of,
)
from engine.program.arrays.values import (
    CONVERTED,
    KINDS,
    SCALARS,
    WIDEST,
    Array,
    DType,
    Scalar,
    Standing,
    argument,
    as_array,
    count_leaves,
    memory_order,
    overwriting,
    printing,
    python_float,
    python_number,
    reserve,
    sequence,
    to_dtype,
    true_or_false,
    unwrap,
    weigh_argument,
    wrap,
    wrapped,
)

__all__ = [
    "CONVERTED", "ERRORS", "KINDS", "METHODS", "SCALARS", "WIDEST", "Array", "DType", "Scalar", "Standing", "argument",
    "array_of_tensor", "as_array", "count_leaves", "heeding", "is_object", "join_texts", "memory_order", "no_ufuncs",
    "overwriting", "printing", "python_float", "python_number", "reserve", "reserve_operation", "sequence", "tensor_of",
    "to_dtype", "true_or_false", "unwrap", "weigh_argument", "wrap", "wrapped",
]  # fmt: skip
