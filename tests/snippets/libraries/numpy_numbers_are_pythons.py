# numpy's widest numbers are Python's floats and complex numbers, and all are of the kinds of `numbers`
import enum, numbers
from typing import Optional, Union
import numpy as np
x = np.float64(2)
print(isinstance(x, float), isinstance(x, (np.ndarray, float)), isinstance(x, float | int), isinstance(x, float | None), isinstance(x, Union[float, int]), isinstance(x, Optional[float]))
print(isinstance(x, np.ndarray | float), issubclass(np.float64, float), issubclass(np.float64, float | int), isinstance(np.mean([1, 2.]), float))
class E(float, enum.Enum):
    A = 1.5
class S(str, enum.Enum):
    B = "b"
print(isinstance(E.A, float), isinstance(E.A, (int, float)), isinstance(S.B, str), isinstance(S.B, str | int), isinstance(S.B, object), isinstance(E.A, int))
print(isinstance(np.float32(1), float), isinstance(np.complex128(1), complex), isinstance(np.complex64(1), complex), isinstance(np.int64(1), int))
print(isinstance(np.float32(1), numbers.Number), isinstance(np.int64(1), numbers.Integral), isinstance(x, numbers.Real), isinstance(1.0, numbers.Real), isinstance(np.bool_(True), numbers.Number), isinstance(x, numbers.Integral), isinstance(np.complex64(1), numbers.Real), isinstance(np.complex64(1), numbers.Complex), isinstance(np.int8(1), numbers.Rational), isinstance(x, numbers.Rational))
print(isinstance(np.zeros(2), np.ndarray | int), isinstance(x, np.ndarray | int), isinstance(int, type | str), isinstance(3, type | str), isinstance(None, int | None), issubclass(np.ndarray, np.ndarray | int))
def kind(x):
    match x:
        case float(): return "float"
        case int(): return "int"
        case np.ndarray(): return "array"
        case _: return "other"
print([kind(x) for x in (1.0, np.float64(1), np.float32(1), np.zeros(2), 3, np.int64(3))])
