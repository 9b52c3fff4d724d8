"""Data types and type promotion, as PyTorch has them.

numpy promotes by its own rules (int32 * float64 scalar, int64 array * 2.5), PyTorch by its own; every operator of the
engine that may mix types goes through :func:`promote`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np

from engine import errors, settings
from engine.types import half as halves
from engine.types.bfloat16 import BFLOAT16, SHORT, limits_of, rounded
from engine.types.bfloat16 import FLOATING as FLOATING
from engine.types.bfloat16 import INEXACT as INEXACT
from engine.types.bfloat16 import NUMBERS as NUMBERS
from engine.types.coo import Coo
from engine.types.devices import channels_last as channels_last
from engine.types.devices import channels_last_3d as channels_last_3d
from engine.types.devices import contiguous_format as contiguous_format
from engine.types.devices import cpu as cpu
from engine.types.devices import device as device
from engine.types.devices import layout as layout
from engine.types.devices import memory_format as memory_format
from engine.types.devices import preserve_format as preserve_format
from engine.types.devices import sparse_coo as sparse_coo
from engine.types.devices import strided as strided
from engine.types.sizes import Size as Size
from engine.types.sizes import size as size

Number: TypeAlias = bool | int | float | complex
Operand: TypeAlias = "np.ndarray[Any, Any] | np.generic | Number | Coo"
"""An operand: an array (tensor with dimensions), a numpy scalar (0-d tensor), a Python number or what a
sparse tensor has for an array."""


class dtype:
    """A ``torch.dtype``: one object per type, made only here.

    ``np``: the numpy dtype (NotImplementedError if there is none; bfloat16's is that of ml_dtypes); ``name``:
    ``float32``; ``type_name``: ``Float``, as error texts print it; ``cpp_name``: ``float``; ``tensor_type``:
    ``torch.FloatTensor``; ``cpp_type``: what C++ calls that type, ``CPUBoolType`` where it has no name of its own.
    """

    __module__ = "torch"
    __slots__ = (
        "name", "type_name", "cpp_name", "tensor_type", "cpp_type", "np", "itemsize", "is_floating_point", "is_complex",
        "is_signed", "abbr",
    )  # fmt: skip

    name: str
    type_name: str
    cpp_name: str
    tensor_type: str
    cpp_type: str
    np: np.dtype[Any]
    itemsize: int
    is_floating_point: bool
    is_complex: bool
    is_signed: bool
    abbr: str

    def __new__(cls, *args: object, **kwargs: object) -> dtype:
        raise errors.cannot_create("torch.dtype")

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __getattr__(self, name: str) -> Any:
        # Reached only for what is not set: `np` of a type numpy lacks, or a name that does not exist.
        if name == "np":
            raise errors.dtype_unavailable(self.name)
        raise errors.no_attribute("'torch.dtype' object", name)

    def __reduce__(self) -> tuple[Any, ...]:
        return parse, (self.name,)

    @property
    def available(self) -> bool:
        """Whether numpy has the type, so that tensors of it can exist."""
        return self in _AVAILABLE

    def to_real(self) -> dtype:
        """The dtype of the real part (itself unless complex)."""
        return _REAL_OF.get(self, self)

    def to_complex(self) -> dtype:
        """The complex dtype whose parts have this dtype."""
        if self.is_complex:
            return self
        found = _COMPLEX_OF.get(self)
        if found is None:
            raise errors.no_complex_type(self.type_name)
        return found


_NAMED_IN_CPP = frozenset("Float Double Half Char Byte Short Int Long".split())


def _make(name: str, type_name: str, cpp_name: str, abbr: str, kind: str, itemsize: int) -> dtype:
    self: dtype = object.__new__(dtype)
    self.name = name
    self.type_name = type_name
    self.cpp_name = cpp_name
    self.tensor_type = f"torch.{type_name}Tensor"
    self.cpp_type = self.tensor_type if type_name in _NAMED_IN_CPP else f"CPU{type_name}Type"
    self.itemsize = itemsize
    self.is_floating_point = kind == "f"
    self.is_complex = kind == "c"
    self.is_signed = kind in "ifc"
    self.abbr = abbr
    if name == "bfloat16":
        self.np = BFLOAT16
    elif hasattr(np, name):
        self.np = np.dtype(name)
    return self


float16 = _make("float16", "Half", "c10::Half", "f16", "f", 2)
bfloat16 = _make("bfloat16", "BFloat16", "c10::BFloat16", "bf16", "f", 2)
float32 = _make("float32", "Float", "float", "f32", "f", 4)
float64 = _make("float64", "Double", "double", "f64", "f", 8)
complex32 = _make("complex32", "ComplexHalf", "c10::complex<c10::Half>", "c32", "c", 4)
complex64 = _make("complex64", "ComplexFloat", "c10::complex<float>", "c64", "c", 8)
complex128 = _make("complex128", "ComplexDouble", "c10::complex<double>", "c128", "c", 16)
uint8 = _make("uint8", "Byte", "unsigned char", "u8", "u", 1)
uint16 = _make("uint16", "UInt16", "short unsigned int", "u16", "u", 2)
uint32 = _make("uint32", "UInt32", "unsigned int", "u32", "u", 4)
uint64 = _make("uint64", "UInt64", "long unsigned int", "u64", "u", 8)
int8 = _make("int8", "Char", "signed char", "i8", "i", 1)
int16 = _make("int16", "Short", "short int", "i16", "i", 2)
int32 = _make("int32", "Int", "int", "i32", "i", 4)
int64 = _make("int64", "Long", "long int", "i64", "i", 8)
bool_ = _make("bool", "Bool", "bool", "b8", "b", 1)

ALL: tuple[dtype, ...] = (
    float16,
    bfloat16,
    float32,
    float64,
    complex32,
    complex64,
    complex128,
    uint8,
    uint16,
    uint32,
    uint64,
    int8,
    int16,
    int32,
    int64,
    bool_,
)
NAMES: dict[str, dtype] = {d.name: d for d in ALL} | {
    "half": float16,
    "float": float32,
    "double": float64,
    "chalf": complex32,
    "cfloat": complex64,
    "cdouble": complex128,
    "short": int16,
    "int": int32,
    "long": int64,
}
"""Every name a dtype has in the ``torch`` namespace."""

_AVAILABLE = frozenset(d for d in ALL if d is not complex32)
PYTHON_TYPES: dict[type, dtype] = {float: float64, int: int64, bool: bool_, complex: complex128}
_REAL_OF = {complex32: float16, complex64: float32, complex128: float64}
_COMPLEX_OF = {float16: complex32, bfloat16: complex64, float32: complex64, float64: complex128}
_BY_NUMPY: dict[np.dtype[Any], dtype] = {d.np: d for d in ALL if d in _AVAILABLE}
_BY_TENSOR_TYPE = {d.tensor_type: d for d in ALL}


def of(numpy_dtype: np.dtype[Any]) -> dtype:
    """The dtype of an array: ``of(a.dtype)``. Raises TypeError for a numpy dtype that PyTorch does not have."""
    try:
        return _BY_NUMPY[numpy_dtype]
    except KeyError:
        raise errors.numpy_type_unsupported(numpy_dtype.type) from None


def expect(a: Any, kernel: str, kinds: str = INEXACT) -> None:
    """Refuse elements of other kinds than numpy's `kinds`. PyTorch's kernels have names, which it says then."""
    if a.dtype.kind not in kinds:
        raise errors.not_implemented_for(kernel, of(a.dtype).type_name)


def asked(dtype: Any) -> Any:
    """The dtype that `dtype=` of a call means: Python's types stand for one each."""
    return PYTHON_TYPES.get(dtype, dtype) if dtype.__class__ is type else dtype


def of_foreign(numpy_dtype: np.dtype[Any]) -> dtype:
    """As :func:`of` for an array of a program's own, of which PyTorch takes no bfloat16."""
    if numpy_dtype == BFLOAT16:
        raise errors.numpy_type_unsupported(numpy_dtype.type)
    return of(numpy_dtype)


def parse(text: str) -> dtype:
    """``'float32'``, ``'torch.float32'`` or ``'torch.FloatTensor'``. Raises ValueError for anything else."""
    found = _BY_TENSOR_TYPE.get(text) or NAMES.get(text.removeprefix("torch."))
    if found is None:
        raise errors.invalid_type_name(text)
    return found


_default = float32
settings.variable(sys.modules[__name__], "_default")


def get_default() -> dtype:
    """The dtype of Python floats (``torch.get_default_dtype``)."""
    return _default


def set_default(d: object, /) -> None:
    """``torch.set_default_dtype``; TypeError unless ``d`` is a floating point dtype."""
    global _default
    if not isinstance(d, dtype):
        raise errors.default_dtype_not_dtype()
    if not d.is_floating_point:
        raise errors.default_dtype_must_be_float()
    d.np  # noqa: B018 - refuses a type numpy lacks
    _default = d
    _targets.clear()


set_default.__name__ = set_default.__qualname__ = "set_default_dtype"


def default_complex() -> dtype:
    """The complex dtype that goes with the default dtype."""
    return _default.to_complex()


def of_number(value: Number) -> dtype:
    """The dtype a Python number gets in ``torch.tensor(value)``."""
    return _of_python_type(type(value))


def _of_python_type(kind: type) -> dtype:
    if issubclass(kind, bool):
        return bool_
    if issubclass(kind, int):
        return int64
    if issubclass(kind, float):
        return _default
    return default_complex()


def promote_types(a: dtype, b: dtype) -> dtype:
    """``torch.promote_types``: the smallest dtype that both can become."""
    if a is b:
        return a
    if a.is_complex or b.is_complex:
        _refuse_wide_unsigned(a, b)
        return _promote_real(a.to_real(), b.to_real()).to_complex()
    return _promote_real(a, b)


def _promote_real(a: dtype, b: dtype) -> dtype:
    if a is b or b is bool_:
        _refuse_wide_unsigned(a, b)
        return a
    if a is bool_:
        _refuse_wide_unsigned(a, b)
        return b
    if a.is_floating_point or b.is_floating_point:
        if not (a.is_floating_point and b.is_floating_point):
            return a if a.is_floating_point else b
        if a.itemsize == b.itemsize:
            return float32
        return a if a.itemsize > b.itemsize else b
    _refuse_wide_unsigned(a, b)
    if a.is_signed == b.is_signed:
        return a if a.itemsize > b.itemsize else b
    signed = a if a.is_signed else b
    return int16 if signed is int8 else signed


def _refuse_wide_unsigned(a: dtype, b: dtype) -> None:
    wide = (uint16, uint32, uint64)
    if a is not b and (a in wide or b in wide) and not (a.is_floating_point or b.is_floating_point):
        raise errors.promotion_unsupported(a.type_name, b.type_name)


def _combine(higher: dtype | None, lower: dtype | None) -> dtype | None:
    """The dtype of two categories of operands, where ``higher`` decides unless ``lower`` is of a larger kind."""
    if higher is None or lower is None:
        return higher or lower
    if higher.is_complex:
        return higher
    if higher.is_floating_point:
        return higher.to_complex() if lower.is_complex else higher
    if higher is bool_ or lower.is_floating_point or lower.is_complex:
        return promote_types(higher, lower)
    return higher


_Key: TypeAlias = "np.dtype[Any] | type"


def _key(operand: Operand) -> _Key:
    """The key of promotion: the numpy dtype of an array with dimensions, otherwise the scalar's type."""
    if isinstance(operand, np.ndarray):
        numpy_dtype: np.dtype[Any] = operand.dtype
        return numpy_dtype if operand.ndim else numpy_dtype.type
    return operand.dtype if isinstance(operand, Coo) else type(operand)


def _result_of_keys(keys: Iterable[_Key]) -> dtype:
    with_dims: dtype | None = None
    zero_dims: dtype | None = None
    numbers: dtype | None = None
    for key in keys:
        if isinstance(key, np.dtype):
            found = of(key)
            with_dims = found if with_dims is None else promote_types(with_dims, found)
        elif issubclass(key, np.generic):
            found = of(np.dtype(key))
            zero_dims = found if zero_dims is None else promote_types(zero_dims, found)
        else:
            found = _of_python_type(key)
            numbers = found if numbers is None else promote_types(numbers, found)
    result = _combine(with_dims, _combine(zero_dims, numbers))
    assert result is not None, "promotion of no operands"
    return result


def result_type(*operands: Operand) -> dtype:
    """``torch.result_type`` of any number of operands.

    Tensors with dimensions decide; 0-d tensors and then Python numbers count only if they are of a larger kind
    (bool < int < float < complex).
    """
    return _result_of_keys([_key(operand) for operand in operands])


def can_cast(from_: dtype, to: dtype) -> bool:
    """``torch.can_cast``: whether a result of ``from_`` may be written into a tensor of ``to``."""
    if from_.is_complex and not to.is_complex:
        return False
    if from_.is_floating_point and not (to.is_floating_point or to.is_complex):
        return False
    return from_ is bool_ or to is not bool_


_targets: dict[tuple[_Key, _Key], np.dtype[Any]] = settings.contents({})
"""Results of `promote`, which depend on the default dtype."""


def promote(a: Operand, b: Operand) -> tuple[Operand, Operand]:
    """Both operands, converted so that a numpy operator on them gives PyTorch's result dtype.

    At least one of them is a tensor's value. Python numbers stay as they are where numpy already treats them right.
    Raises OverflowError for Python integers beyond 64 bits; narrower ones wrap around, as in PyTorch.
    """
    ka, kb = _key(a), _key(b)
    target = _targets.get((ka, kb))
    if target is None:
        target = _targets[ka, kb] = _result_of_keys((ka, kb)).np
    return cast(a, target), cast(b, target)


def promote_factors(a: Operand, b: Operand) -> tuple[Operand, Operand]:
    """As :func:`promote` for a product, to which a number comes as a float32 where the other is a bfloat16 or half."""
    target = result_type(a, b).np
    return cast(a, target), cast(halves.factor(b) if target.char in SHORT else b, target)


def promote_quotient(a: Operand, b: Operand) -> tuple[Operand, Operand]:
    """As :func:`promote_float`; the number that half or bfloat16 is divided by is a float32."""
    target = _float_target(a, b)
    return cast(a, target.np), cast(halves.factor(b) if target.np.char in SHORT else b, target.np)


def promote_float(a: Operand, b: Operand) -> tuple[Operand, Operand]:
    """As :func:`promote` for operators that always give floating point: integers and bools become the default dtype."""
    target = _float_target(a, b)
    return cast(a, target.np), cast(b, target.np)


def _float_target(a: Operand, b: Operand) -> dtype:
    target = result_type(a, b)
    return target if target.is_floating_point or target.is_complex else _default


def promote_all(*operands: Operand) -> tuple[Operand, ...]:
    """As :func:`promote` for any number of operands (``cat``, ``stack``, ``where``)."""
    first = getattr(operands[0], "dtype", None)
    if first is not None and all([getattr(operand, "dtype", None) is first for operand in operands]):
        return operands
    target = result_type(*operands).np
    return tuple(cast(operand, target) for operand in operands)


def cast(operand: Operand, target: np.dtype[Any]) -> Operand:
    """The operand in numpy dtype ``target``; a Python number may stay one if numpy then gives ``target`` anyway."""
    if isinstance(operand, np.ndarray | np.generic):
        if operand.dtype == target:
            return operand
        return operand.astype(target, order="C" if 0 in operand.strides else "K")  # repeats have no order
    if isinstance(operand, Coo):
        return operand if operand.dtype == target else operand.astype(target)
    kind = target.kind
    if kind in INEXACT:
        if isinstance(operand, int) and not -(1 << 63) <= operand < 1 << 64:
            raise errors.integer_too_big()
        return rounded(operand.real) if target == BFLOAT16 and type(operand) is not halves.Factor else operand
    if kind == "b":
        return np.bool_(operand)
    value = int(operand.real)
    half = 1 << 8 * target.itemsize - 1
    if (-half <= value < half) if kind == "i" else (0 <= value < 2 * half):
        return value
    if not -(1 << 63) <= value < 1 << 64:
        raise errors.integer_too_big()
    wrapped: np.generic = np.uint64(value & 0xFFFFFFFFFFFFFFFF).astype(target)
    return wrapped


def to_float(a: np.ndarray[Any, Any] | np.generic) -> Any:
    """The operand of a unary operator that gives floating point: integers and bools become the default dtype."""
    return a if a.dtype.kind in INEXACT else a.astype(_default.np)


_OMITTED = object()


class finfo:
    """Limits of a floating point dtype (``torch.finfo``); of the parts for a complex one."""

    __module__ = "torch"

    def __init__(self, type: Any = _OMITTED) -> None:
        kind = _default if type is _OMITTED else asked(type)
        if not isinstance(kind, dtype):
            raise errors.argument_type("finfo", "type", 1, "torch.dtype", kind)
        if not (kind.is_floating_point or kind.is_complex):
            raise errors.finfo_needs_float()
        kind = kind.to_real()
        self.dtype = kind.name
        self.bits = 8 * kind.itemsize
        mantissa, exponent = _MANTISSA_EXPONENT[kind]
        self.eps = 2.0**-mantissa
        self.tiny = self.smallest_normal = 2.0 ** (2 - 2 ** (exponent - 1))
        self.max = (2.0 - self.eps) * 2.0 ** (2 ** (exponent - 1) - 1)
        self.min = -self.max
        self.resolution = float(f"1e-{int(mantissa * 0.30103)}")

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )


_MANTISSA_EXPONENT = {float16: (10, 5), bfloat16: (7, 8), float32: (23, 8), float64: (52, 11)}


class iinfo:
    """Limits of an integer dtype (``torch.iinfo``)."""

    __module__ = "torch"

    def __init__(self, type: dtype) -> None:
        type = asked(type)
        if not isinstance(type, dtype):
            raise errors.argument_type("iinfo", "type", 1, "torch.dtype", type)
        if type.is_floating_point or type.is_complex:
            raise errors.iinfo_needs_integer()
        if type is bool_:
            raise errors.iinfo_of_bool()
        self.dtype = type.name
        self.bits = 8 * type.itemsize
        self.min = -(1 << self.bits - 1) if type.is_signed else 0
        self.max = (1 << self.bits - type.is_signed) - 1

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


def cast_number(value: Any, dtype: Any, scalar: bool = False) -> Any:
    """A Python number as a numpy scalar of `dtype`. RuntimeError when an integer type cannot hold it.

    `scalar`: where C++ converts a `Scalar`, which calls the types by other names and lets no float overflow, either.
    """
    kind = dtype.kind
    name = of(dtype).name
    if scalar:
        name = "int" if name == "int32" else f"{name}_t"
    if kind in "iu":
        if isinstance(value, complex):
            raise errors.conversion_overflow(name)
        if isinstance(value, float) and not math.isfinite(value):
            raise errors.conversion_overflow(name)
        whole = int(value)
        if kind == "u" and isinstance(value, float) and value < 0:
            raise errors.conversion_overflow(name)
        limits = np.iinfo(dtype)
        if kind == "u" and -int(limits.max) <= whole < 0:
            whole += int(limits.max) + 1
        if not limits.min <= whole <= limits.max:
            if not -(1 << 63) <= whole < 1 << 64:
                raise errors.integer_overflow()
            raise errors.conversion_overflow(name)
        return dtype.type(whole)
    if kind in FLOATING:
        if isinstance(value, complex) or scalar and math.inf > abs(value) > limits_of(dtype).max:
            raise errors.conversion_overflow(of(dtype).cpp_name)
    if kind == "b":
        return np.bool_(value)
    return dtype.type(value)
