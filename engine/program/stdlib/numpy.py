"""`numpy`: making arrays, elementwise mathematics, reductions, a little linear algebra, and `numpy.random`."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from inspect import Parameter, signature
from itertools import pairwise
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

from engine import errors
from engine.core.tensor import Tensor
from engine.costs import STEP
from engine.limits import meter
from engine.program import session as sessions
from engine.program.absent import TOLD
from engine.program.arrays import (
    ERRORS,
    METHODS,
    SCALARS,
    WIDEST,
    Array,
    DType,
    Scalar,
    argument,
    as_array,
    count_leaves,
    heeding,
    memory_order,
    overwriting,
    reserve,
    reserve_operation,
    sequence,
    to_dtype,
    true_or_false,
    unwrap,
    weigh_argument,
    wrap,
)
from engine.program.calls import CONSTRUCTORS, call
from engine.program.charges import as_integer, len_of_range
from engine.program.exceptions import as_host, class_of
from engine.program.kinds import missing
from engine.program.operators import burning, items
from engine.program.stdlib.collections import make_namedtuple
from engine.program.stdlib.numpy_files import FILES
from engine.program.stdlib.numpy_grids import GRIDS
from engine.program.stdlib.numpy_iter import Iterated
from engine.program.stdlib.numpy_objects import asking, is_scalar
from engine.program.stdlib.numpy_placing import LIB, PLACING, STRIDE_TRICKS
from engine.program.stdlib.numpy_poly import POLYNOMIALS
from engine.program.stdlib.numpy_polynomial import POLYNOMIAL, ROOMS
from engine.program.stdlib.numpy_printing import PRINTING
from engine.program.stdlib.numpy_tensors import TENSORS_OWN
from engine.program.stdlib.numpy_testing import TESTING
from engine.program.stdlib.numpy_texts import CHAR, STRINGS
from engine.program.stdlib.numpy_types import TYPES
from engine.program.stdlib.numpy_ufuncs import UFunc
from engine.program.stdlib.numpy_vectorize import Vectorize
from engine.program.tables import LISTED, READERS
from engine.program.values import Builtin, Module
from engine.signatures.native import check

_ELEMENTWISE = (
    "abs absolute fabs exp exp2 expm1 log log2 log10 log1p sqrt cbrt square reciprocal sin cos tan arcsin arccos arctan"
    " arctan2 sinh cosh tanh arcsinh arccosh arctanh sign floor ceil trunc rint negative positive add subtract multiply"
    " divide true_divide floor_divide power float_power mod remainder fmod maximum minimum fmax fmin hypot heaviside"
    " degrees radians deg2rad rad2deg isnan isinf isfinite logical_and logical_or logical_xor logical_not equal"
    " not_equal less less_equal greater greater_equal conj conjugate logaddexp nan_to_num sinc signbit copysign"
    " isclose angle bitwise_and bitwise_or bitwise_xor bitwise_not invert left_shift right_shift logaddexp2 fix divmod"
    " acos asin atan atan2 cosh acosh asinh atanh pow i0 gcd lcm ldexp isneginf isposinf iscomplex isreal"
    " nextafter vecdot spacing bitwise_invert bitwise_left_shift bitwise_right_shift"
)
_REDUCTIONS = (
    "sum mean std var min max amin amax argmin argmax prod median average cumsum cumprod all any nansum nanmean nanmax"
    " nanmin nanstd count_nonzero ptp percentile quantile diff trace linalg.norm linalg.det argsort sort unique"
    " array_equal allclose round around clip squeeze ravel reshape transpose expand_dims flip fliplr flipud roll"
    " swapaxes moveaxis diagonal triu tril where concatenate stack vstack hstack dstack column_stack append nonzero"
    " argwhere searchsorted take split array_split interp polyfit polyval gradient trapezoid cross copy atleast_1d"
    " atleast_2d ndim shape size linalg.inv linalg.solve linalg.eigvals linalg.eigvalsh linalg.matrix_rank linalg.pinv"
    " linalg.cholesky linalg.eig linalg.eigh linalg.svd linalg.qr digitize bincount isin real imag"
    " linalg.slogdet linalg.cond linalg.lstsq linalg.matrix_power nanargmax nanargmin nanvar nanmedian nanprod"
    " nancumsum nanpercentile nanquantile flatnonzero delete insert rot90 union1d intersect1d setdiff1d setxor1d"
    " partition argpartition lexsort take_along_axis compress extract select unravel_index ravel_multi_index cov"
    " corrcoef histogram histogram2d histogram_bin_edges tensordot correlate pad vander tri tril_indices triu_indices"
    " diag_indices rollaxis hsplit vsplit dsplit ediff1d geomspace indices atleast_3d modf frexp unwrap"
    " iscomplexobj isrealobj shares_memory may_share_memory array_equiv fft.fft fft.ifft fft.rfft fft.irfft fft.fft2"
    " fft.rfft2 fft.irfft2 fft.rfftn fft.irfftn"
    " fft.ifft2 fft.fftn fft.ifftn fft.fftfreq fft.rfftfreq fft.fftshift fft.ifftshift hanning hamming blackman"
    " bartlett trim_zeros cumulative_sum concat permute_dims matrix_transpose diagflat packbits unpackbits resize"
    " real_if_close linalg.vector_norm linalg.matrix_norm linalg.matrix_transpose linalg.cross linalg.diagonal"
    " linalg.trace linalg.outer linalg.svdvals linalg.matmul linalg.vecdot linalg.tensordot linalg.tensorsolve"
    " linalg.tensorinv nancumprod unique_all unique_counts unique_inverse unique_values kaiser cumulative_prod"
    " sort_complex"
)
_RETURNS_TENSORS = frozenset(
    f"{_ELEMENTWISE} argmin argmax cumsum cumprod argsort round around squeeze transpose ptp clip reshape"
    " matmul".split()
) - set("isclose nan_to_num sinc angle i0 iscomplex".split())
"""Functions that give a tensor for a tensor: numpy hands their result back to whom it came from."""
_PRODUCTS = "dot matmul inner outer vdot kron convolve"
_PRODUCTS_NAMES = frozenset(_PRODUCTS.split())
_KEYWORDS = frozenset(
    "axis keepdims ddof decimals a_min a_max min max n m k p q x y a b ord axes shape reps repeats mode rtol atol"
    " equal_nan return_index return_counts return_inverse side bins weights deg nan posinf neginf start stop step"
    " source destination initial prepend append method full_matrices full cov fill_value obj arr values base where_"
    " rowvar bias fweights aweights density range pad_width constant_values kth indices condlist choicelist default"
    " dims order N increasing rcond assume_unique return_counts left right correction returned stable sorted sorter"
    " edge_order dx axisa axisb axisc UPLO hermitian upper compute_uv minlength invert tol return_indices sparse trim"
    " bitorder w stat_length end_values reflect_type subok"
    " ind beta include_initial period discont num endpoint norm d s kind new_shape M casting offset axis1"
    " axis2".split()
)


def _native(name: str) -> Callable[..., Any]:
    found: Any = np
    for part in name.split("."):
        found = getattr(found, part)
    return found  # type: ignore[no-any-return]


def _argument(value: Any) -> Any:
    if isinstance(value, Tensor):
        return as_array(value)
    value = sequence(value)
    if type(value) in (list, tuple):
        meter.charge(count_leaves(value) >> 4)
        made = type(value)([_argument(item) for item in value])
        return as_array(value, texts=True) if str in map(type, made) else made
    if isinstance(value, Array):
        return value._array
    if value is None or type(value) in (int, float, bool, complex, str, slice, range):
        return value
    raise TypeError(f"numpy functions take numbers, lists and arrays here, not '{type(value).__name__}'")


def apply(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call one of numpy's functions on a program's values, after sizing its result."""
    if args and isinstance(args[0], Tensor):
        if name in _ASKS_TENSORS:
            raise _asked_in_vain(name, args, kwargs)
        if name in TENSORS_OWN:
            return TENSORS_OWN[name](*args, **kwargs)
    dtype, out = kwargs.pop("dtype", None), kwargs.pop("out", None)
    native = _native(name)
    where = kwargs.pop("where", None) if isinstance(native, np.ufunc) or name in _MASKED else None
    args, kwargs = _required_first(native, args, kwargs)
    kwargs.pop("overwrite_input", None)
    copied = name != "nan_to_num" or kwargs.pop("copy", True)
    for key in kwargs:
        if key not in _KEYWORDS:
            raise TypeError(f"{name}() got an unexpected keyword argument '{key}'")
    plain = tuple(_argument(arg) for arg in args)
    if name in ("round", "around"):  # numpy multiplies by ten as often as it is asked for digits
        plain = (*plain[:1], *(_at_most(400, digits) for digits in plain[1:]))
        if "decimals" in kwargs:
            kwargs["decimals"] = _at_most(400, kwargs["decimals"])
    options = {key: _argument(value) for key, value in kwargs.items()}
    if name == "diff":  # which takes differences as often as it is asked to, also of nothing
        most = 1 + max(np.shape(plain[0]), default=0) if plain else 0
        plain = (*plain[:1], *(_at_most(most, times) for times in plain[1:2]), *plain[2:])
        if "n" in options:
            options["n"] = _at_most(most, options["n"])
        times = as_integer(options.get("n", plain[1] if len(plain) > 1 else 1))
        if plain and isinstance(times, int) and times > 1:
            meter.charge(times * (1 + (int(np.size(plain[0])) >> 12)))
    _weigh_texts(name, plain)
    _size(name, plain, options)
    if dtype is not None:
        options["dtype"] = to_dtype(dtype)
    if where is not None:
        mask = as_array(where, bool)
        reserve(mask.shape, *map(np.shape, plain))
        meter.charge(int(mask.size) >> 9)
        if out is None and isinstance(native, np.ufunc):  # what numpy leaves in memory there, nobody may see
            shape = np.broadcast_shapes(mask.shape, *map(np.shape, plain))
            options["out"] = tuple([np.zeros(shape, dtype) for dtype in _dtypes(native, plain, options)])
        options["where"] = mask
    if out is not None:
        return _into(out, native, plain, options)
    if name == "nan_to_num" and not copied and isinstance(args[0], Array) and isinstance(plain[0], np.ndarray):
        native(overwriting(plain[0]), copy=False, **options)
        return args[0]
    if name in _PRODUCTS_NAMES:  # whose errors are BLAS's
        result = native(*plain, **options)
    else:
        with heeding():
            result = native(*plain, **options)
    if isinstance(native, np.ufunc) and any([isinstance(arg, Tensor) for arg in args]):
        errors.warn_array_wrap()
        return tuple([_tensor_of(part) for part in result]) if type(result) is tuple else _tensor_of(result)
    if isinstance(args[0] if args else None, Tensor) and name in _RETURNS_TENSORS:
        return _tensor_of(result)
    return _result(result)


def _tensor_of(result: Any) -> Tensor:
    """What numpy computed with a tensor, which it hands back as one; of truth values it makes numbers."""
    return Tensor._from_array(result.astype(np.uint8) if result.dtype.kind == "b" else result)


_REQUIRED: dict[Any, list[str]] = {}
"""The arguments that a function of numpy's must have, as far as they can be given by name."""


def _required_first(
    native: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """A call with what must be given by place, as those expect it who size its result."""
    if not kwargs or isinstance(native, np.ufunc):
        return args, kwargs
    names = _REQUIRED.get(native)
    if names is None:
        try:
            parameters = list(signature(native).parameters.values())
        except ValueError:
            parameters = []
        plain = Parameter.POSITIONAL_OR_KEYWORD
        names = [known.name for known in parameters if known.kind is plain and known.default is Parameter.empty]
        _REQUIRED[native] = names
    for name in names[len(args) :]:
        if name not in kwargs:
            break
        args = (*args, kwargs.pop(name))
    return args, kwargs


_MASKED = frozenset(
    "sum mean std var min max amin amax prod any all nansum nanmean nanstd nanvar nanmin nanmax".split()
)
"""Reductions of the elements `where` a mask says so."""


def _dtypes(native: np.ufunc, args: tuple[Any, ...], options: dict[str, Any]) -> list[Any]:
    """The dtypes of a ufunc's results."""
    if "dtype" in options:
        return [options["dtype"]] * native.nout
    given: Any = [type(arg) if type(arg) in (int, float, complex) else np.asarray(arg).dtype for arg in args]
    return list(native.resolve_dtypes((*given, *(None,) * native.nout))[native.nin :])


def _into(out: Any, native: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Call a function with `out`, an array or a tuple of them. Raises TypeError for anything else."""
    arrays = out if type(out) is tuple else (out,)
    if not all([isinstance(array, Array) and isinstance(array._array, np.ndarray) for array in arrays]):
        raise TypeError("return arrays must be of ArrayType")
    plain = tuple([overwriting(array._array) for array in arrays])
    with heeding():
        native(*args, **options, out=plain if isinstance(native, np.ufunc) else plain[0])
    return arrays[0] if len(arrays) == 1 else out


_OF_TEXTS = frozenset(
    "unique isin array_equal concatenate sort argsort ravel squeeze flip size shape ndim vstack hstack stack reshape"
    " transpose expand_dims swapaxes take searchsorted append split array_split roll atleast_1d atleast_2d copy"
    " column_stack union1d intersect1d setdiff1d fliplr flipud delete unique_counts unique_values".split()
)
"""Functions that take arrays of texts, and make no more of them."""


def _texts(value: Any) -> int:
    """How many texts there are in arrays, and in lists of them."""
    if type(value) is np.ndarray:
        return int(value.size) if value.dtype.kind == "U" else 0
    if type(value) in (list, tuple):
        return sum([_texts(item) for item in value if type(item) in (np.ndarray, list, tuple)])
    return 0


def _weigh_texts(name: str, args: tuple[Any, ...]) -> None:
    """Charge what texts take, which numpy makes as wide as the longest. Raises TypeError where it takes none."""
    count = sum(map(_texts, args))
    if name == "where" and (count or str in map(type, args)):
        count_leaves([arg for arg in args if type(arg) is str])
        meter.allocate(math.prod(np.broadcast_shapes(*map(np.shape, args))), 4 * WIDEST)
    if count:
        if name not in _OF_TEXTS and name != "where":
            raise TypeError(f"{name}() takes no texts here")
        meter.allocate(3 * count, 4 * WIDEST)
        meter.charge(count >> 3)


def _at_most(limit: int, value: Any) -> Any:
    """The integer that a value stands for, or the limit where that is nearer to zero."""
    number = as_integer(value)
    return max(-limit, min(number, limit)) if isinstance(number, int) else value


def _whole(value: Any) -> Any:
    """Integers of numpy as Python's."""
    return as_integer(value) if isinstance(value, Scalar) else value


def _method(name: str) -> Callable[..., Any]:
    def call(self: Array, *args: Any, **kwargs: Any) -> Any:
        return apply(name, (self, *args), kwargs)

    return call


METHODS |= {
    name: _method(name)
    for name in (
        "sum mean std var min max argmin argmax prod cumsum cumprod all any dot clip round squeeze ravel argsort"
        " nonzero trace repeat take conj diagonal searchsorted ptp swapaxes"
        " argpartition conjugate"
    ).split()
} | {
    "compress": lambda self, condition, axis=None: apply("compress", (condition, self), {"axis": axis}),
    "put": PLACING["put"].function,
    "choose": PLACING["choose"].function,
}

_ASKS_TENSORS = {"amin": "min", "amax": "max"}
_ASKS_TENSORS |= {name: name for name in "sum mean min max prod std var any all".split()}
"""Functions that numpy leaves to the tensor's method of this name, with arguments which that does not take."""


def _asked_in_vain(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> TypeError:
    method = _ASKS_TENSORS[name]
    bound = signature(_native(name)).bind(*args, **kwargs).arguments
    passed = {"axis": bound.get("axis"), "out": bound.get("out")}
    if method in ("mean", "std", "var") or bound.get("dtype") is not None:
        passed["dtype"] = bound.get("dtype")
    if method in ("std", "var"):
        passed["ddof"] = bound.get("ddof", 0)
    passed |= {key: bound[key] for key in ("keepdims", "initial", "where") if key in bound}
    try:
        check("Tensor", method, (), passed)
    except TypeError as refusal:
        return refusal.with_traceback(None)
    return TypeError(f"{method}(): argument 'dim' must be int, not NoneType")


def _result(value: Any) -> Any:
    """What a function gave, as the program may hold it; named tuples have their names in every run anew."""
    if not hasattr(value, "_fields"):
        return wrap(tuple(value) if isinstance(value, tuple) else value)
    name, settings = type(value).__name__, sessions.active.settings
    made = settings.get(("numpy", name))
    if made is None:
        made = make_namedtuple(name, list(value._fields), {}, {"__module__": type(value).__module__})
        settings["numpy", name] = made
    return made(*map(wrap, value))


def _size(name: str, args: tuple[Any, ...], options: dict[str, Any]) -> None:
    if name in _ALSO_IN_LINALG:
        name = name.removeprefix("linalg.")
    if name in _JOINING and args and type(args[0]) is list:
        args = (tuple(args[0]), *args[1:])  # of any shapes
    shapes = [np.shape(arg) for arg in args if isinstance(arg, np.ndarray | np.generic | int | float | list)]
    shapes += [(len_of_range(arg) if type(arg) is range else len(arg),) for arg in args if type(arg) in (range, tuple)]
    total = sum(math.prod(shape) for shape in shapes)
    if name in _JOINING and args and isinstance(args[0], np.ndarray) and args[0].ndim:
        meter.check_length(8 * len(args[0]))
        meter.charge(4 * len(args[0]))
    ns = _NANOSECONDS.get(name, 4)
    meter.charge(1 + total * ns // STEP)
    if name in ("outer", "kron"):
        meter.allocate(math.prod(math.prod(shape) for shape in shapes[:2]), 8)
    elif name == "convolve":
        sizes = sorted(math.prod(shape) for shape in shapes[:2])
        meter.allocate(sum(sizes), 8)
        meter.work(4 * math.prod(sizes))
    elif name == "trapezoid":  # whose distances may have more dimensions
        reserve(*shapes, *[np.shape(options[key]) for key in ("dx", "x") if options.get(key) is not None])
    elif name == "polyval":
        meter.charge(math.prod(math.prod(shape) for shape in shapes[:2]) >> 9)
    elif name == "polyfit":
        degree = as_integer(args[2] if len(args) > 2 else options.get("deg", 1))
        columns = int(degree) + 1 if isinstance(degree, int) and degree > 0 else 1
        meter.allocate(math.prod(shapes[0]) * columns if shapes else 0, 8)
        meter.work(64 * total * columns * columns)
    elif name in _PRODUCTS_NAMES and len(args) > 1:
        reserve_operation("matmul", np.asarray(args[0]), np.asarray(args[1]))
    elif name in _ELEMENTWISE.split() or name in ("where", "clip", "isclose", "allclose"):
        reserve(*shapes)
    elif name in _GROWING:
        meter.allocate(_GROWING[name](args, options, total), 8)
        meter.charge(total * total >> 11 if name in ("correlate", "trim_zeros") else total >> 5)
    elif name.startswith("linalg."):
        if name == "linalg.matrix_power" and abs(int(args[1] if len(args) > 1 else options.get("n", 0))) > 1 << 30:
            raise ValueError("powers of matrices are limited to 2**30 here")
        factor = _FACTORS.get(name.partition(".")[2], 4)
        largest = max((max(shape, default=1) for shape in shapes), default=1)
        if name.startswith("linalg.tensor"):  # whose matrices are as large as all dimensions together
            largest = math.isqrt(total) + 1
        meter.work(factor * total * largest)
        meter.charge((total >> 4) + (factor * largest >> 4))
    elif name == "repeat":
        repeats = as_integer(options.get("repeats", args[1] if len(args) > 1 else 1))
        meter.allocate(total * (int(repeats) if isinstance(repeats, int) else 1), 8)
        if not isinstance(repeats, int):
            meter.allocate(int(np.sum(repeats)), 8)
    elif name in _SPLITTING:
        parts = as_integer(args[1] if len(args) > 1 else 1)
        count = parts if isinstance(parts, int) else np.size(parts)
        meter.check_length(count)
        meter.charge(max(count, 0) >> 3)
        meter.allocate(total, 8)
    elif name in ("bincount", "digitize"):
        most = int(np.max(args[0], initial=0)) + 1 if name == "bincount" else total
        meter.allocate(max(most, _asked(args, options, 2, "minlength", 0)) if name == "bincount" else most, 8)
    else:
        meter.allocate(total + sum(_sizes(arg) for arg in args if isinstance(arg, tuple)), 8)


def _asked(args: tuple[Any, ...], options: dict[str, Any], at: int, key: str, otherwise: int) -> int:
    """The size that a call asks for, by place or name."""
    value = options.get(key, args[at] if len(args) > at else None)
    if value is None:
        return otherwise
    meter.charge(np.size(value) >> 4)
    return math.prod([max(0, math.ceil(v)) for v in np.ravel(value)])


def _offset(args: tuple[Any, ...], options: dict[str, Any]) -> int:
    """How far from the main diagonal, in either direction."""
    return abs(int(options.get("k", args[1] if len(args) > 1 else 0)))


def _padded(args: tuple[Any, ...], options: dict[str, Any], total: int) -> int:
    shape = np.shape(args[0])
    widths = np.broadcast_to(np.asarray(options.get("pad_width", args[1] if len(args) > 1 else 0)), (len(shape), 2))
    return math.prod([dim + int(sum(np.maximum(width, 0))) for dim, width in zip(shape, widths, strict=True)])


def _variables(args: tuple[Any, ...], options: dict[str, Any]) -> int:
    """How many rows of observations there are."""
    shape = np.shape(args[0])
    rows = 1 if len(shape) < 2 else shape[0] if options.get("rowvar", True) else shape[1]
    return rows + (_variables(args[1:2], options) if len(args) > 1 and args[1] is not None else 0)


def _bins(args: tuple[Any, ...], options: dict[str, Any], at: int) -> int:
    value = options.get("bins", args[at] if len(args) > at else 10)
    if isinstance(value, str):
        return _estimated(value, np.asarray(args[0]))
    return max(0, int(value)) if np.ndim(value) == 0 else int(np.size(value))


def _estimated(rule: str, a: Any) -> int:
    """How many bins a rule asks for, at most."""
    count, finite = int(a.size), a[np.isfinite(a)] if a.dtype.kind == "f" else a
    meter.charge(count >> 5)
    if not finite.size or rule not in ("auto", "fd", "scott", "stone"):
        return 2 * math.isqrt(count) + 64
    if rule == "stone":  # which tries them all
        meter.charge(max(100, math.isqrt(count)) * (1 + (count >> 4)))
        return 100 + math.isqrt(count)
    span, third = float(np.ptp(finite)), count ** (1 / 3)
    spread = float(np.subtract(*np.percentile(finite, [75, 25]))) if rule != "scott" else float(np.std(finite))
    return 2 * math.isqrt(count) + 64 + (math.ceil(min(span / spread * third, 1e15)) if spread else 0)


def _slice_size(a: Any, options: dict[str, Any]) -> int:
    """Elements that one place along the axis stands for."""
    axis = options.get("axis")
    shape = np.shape(a)
    return 1 if axis is None or not shape else int(math.prod(shape) // max(1, shape[axis]))


def _broadcast(parts: list[Any]) -> int:
    shapes = [np.shape(part) for part in parts]
    longest = max([len(shape) for shape in shapes], default=0)
    return math.prod([max([shape[-i] for shape in shapes if len(shape) >= i]) for i in range(1, longest + 1)])


def _contracted(args: tuple[Any, ...], options: dict[str, Any]) -> int:
    """Elements of a tensordot, at most: what remains of both sides."""
    left, right = (np.shape(arg) for arg in args[:2])
    axes = options.get("axes", args[2] if len(args) > 2 else 2)
    if isinstance(axes, int):
        if axes > max(len(left), len(right)):
            raise IndexError("tuple index out of range")
        kept = left[: len(left) - axes], right[axes:]
    else:
        ours, theirs = (np.atleast_1d(np.asarray(side)).tolist() for side in axes)
        kept = (
            tuple(dim for i, dim in enumerate(left) if i not in ours and i - len(left) not in ours),
            tuple(dim for i, dim in enumerate(right) if i not in theirs and i - len(right) not in theirs),
        )
    size = int(math.prod(kept[0]) * math.prod(kept[1]))
    meter.work(size * max(1, math.prod(left) // max(1, math.prod(kept[0]))))
    return size


def _resized(args: tuple[Any, ...], options: dict[str, Any], total: int) -> int:
    wanted = _asked(args, options, 1, "new_shape", total)
    meter.reserve(wanted, 8)
    meter.charge(wanted // max(np.size(args[0]), 1) >> 8)  # copies that are put together
    return wanted


def _diagonal(args: tuple[Any, ...], options: dict[str, Any], total: int) -> int:
    dimensions = _asked(args, options, 1, "ndim", 2)
    meter.check_length(dimensions)
    meter.charge(dimensions >> 5)
    return 2 * _asked(args, options, 0, "n", 1)


def _transformed(args: tuple[Any, ...], options: dict[str, Any], total: int) -> int:
    """Numbers that a Fourier transform makes; `n` and `s` may ask for more than there are."""
    wanted = _asked(args, options, 1, "s" if "s" in options else "n", 1)
    made = max(total, total * wanted if np.ndim(args[0]) > 1 else wanted) * 2
    meter.reserve(made, 16)
    meter.charge(made >> 5)
    return made


_GROWING: dict[str, Callable[[tuple[Any, ...], dict[str, Any], int], int]] = {
    "pad": _padded,
    "resize": _resized,
    "cov": lambda args, options, total: total + _variables(args, options) ** 2,
    "corrcoef": lambda args, options, total: total + _variables(args, options) ** 2,
    "histogram": lambda args, options, total: total + _bins(args, options, 1),
    "histogram_bin_edges": lambda args, options, total: total + _bins(args, options, 1),
    "histogram2d": lambda args, options, total: total + _bins(args, options, 2) ** 2,
    "tensordot": lambda args, options, total: _contracted(args, options),
    "insert": lambda args, options, total: total + np.size(args[1]) * _slice_size(args[0], options),
    "select": lambda args, options, total: _broadcast([part for arg in args[:2] for part in arg]),
    "take_along_axis": lambda args, options, total: _broadcast([*args[:2]]),
    "correlate": lambda args, options, total: total,
    "trim_zeros": lambda args, options, total: total,
    "vander": lambda args, options, total: total * _asked(args, options, 1, "N", total),
    "tri": lambda args, options, total: _asked(args, options, 0, "N", 1)
    * _asked(args, options, 1, "M", _asked(args, options, 0, "N", 1)),
    "tril_indices": lambda args, options, total: 3 * _asked(args, options, 0, "n", 1) ** 2,
    "triu_indices": lambda args, options, total: 3 * _asked(args, options, 0, "n", 1) ** 2,
    "diag_indices": _diagonal,
    "diagflat": lambda args, options, total: (np.size(args[0]) + _offset(args, options)) ** 2,
    "indices": lambda args, options, total: len(np.ravel(args[0])) * _asked(args, options, 0, "dimensions", 1),
    "kaiser": lambda args, options, total: 16 * _asked(args, options, 0, "M", 1),
    "geomspace": lambda args, options, total: 8 * _asked(args, options, 2, "num", 50),
    **dict.fromkeys(("hanning", "hamming", "blackman", "bartlett", "fft.fftfreq", "fft.rfftfreq"),
        lambda args, options, total: 4 * _asked(args, options, 0, "n", 1)),
    **dict.fromkeys(("fft.fft", "fft.ifft", "fft.rfft", "fft.irfft", "fft.fft2", "fft.ifft2", "fft.fftn", "fft.ifftn",
        "fft.rfft2", "fft.irfft2", "fft.rfftn", "fft.irfftn"), _transformed),
    "unpackbits": lambda args, options, total: 8 * total,
}  # fmt: skip
"""Functions whose results may be larger than what they are given, and how large."""
_NANOSECONDS = {
    **dict.fromkeys("sort argsort unique median percentile quantile isin searchsorted digitize interp".split(), 250),
    **dict.fromkeys("unique_all unique_counts unique_inverse unique_values sort_complex".split(), 250),
    **dict.fromkeys("power float_power hypot arctan2 logaddexp cbrt heaviside mod remainder fmod".split(), 60),
    **dict.fromkeys("where nonzero argwhere bincount array_equal allclose isclose diff gradient".split(), 20),
    **dict.fromkeys("gcd lcm i0 nextafter partition argpartition lexsort union1d intersect1d setdiff1d".split(), 250),
    **dict.fromkeys("setxor1d histogram histogram2d histogram_bin_edges nanmedian nanpercentile".split(), 250),
    **dict.fromkeys("nanquantile nanvar nancumsum nanprod nanargmax nanargmin insert delete unwrap".split(), 60),
    **dict.fromkeys("nancumprod cumulative_prod cumprod prod nan_to_num round around clip".split(), 20),
    **dict.fromkeys("sin cos tan arcsin arccos arctan sinh cosh arcsinh arccosh arctanh expm1 log1p sinc".split(), 30),
    **dict.fromkeys("repeat take append concatenate stack vstack hstack dstack column_stack copy".split(), 8),
}  # fmt: skip
"""Nanoseconds an element of numpy's functions; 4 where nothing is said."""
_FACTORS = {"svd": 80, "eig": 160, "eigvals": 120, "eigh": 60, "eigvalsh": 40, "pinv": 100, "matrix_rank": 60, "qr": 24}
_FACTORS |= {"svdvals": 80, "matrix_norm": 80, "cond": 80, "lstsq": 100, "matrix_power": 64, "slogdet": 8}
"""How often numpy's decompositions go over the cube of the size."""


_ALSO_IN_LINALG = frozenset(
    f"linalg.{name}" for name in "matrix_transpose cross diagonal trace outer matmul vecdot tensordot".split()
)
_SPLITTING = frozenset("split array_split hsplit vsplit dsplit".split())
"""Functions that give as many arrays as they are asked for."""
_JOINING = frozenset("stack vstack hstack dstack column_stack concatenate".split())
"""Functions that take the rows of an array one by one."""


def _sizes(values: tuple[Any, ...]) -> int:
    return sum(int(np.size(value)) for value in values)


_UFUNCS: dict[np.ufunc, UFunc] = {}


def _weighing(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(*args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            weigh_argument(value)
        return function(*args, **kwargs)

    return run


def _function(name: str) -> Builtin:
    native = _native(name)
    if isinstance(native, np.ufunc):  # which may have several names
        if native not in _UFUNCS:
            run = _weighing(lambda *args, **kwargs: apply(name, args, kwargs))
            _UFUNCS[native] = UFunc(native, asking(native.__name__, run), _NANOSECONDS.get(name, 4))
        return _UFUNCS[native]
    return Builtin(name.rpartition(".")[2], lambda *args, **kwargs: apply(name, args, kwargs))


# --- making arrays


def _dims(shape: Any) -> tuple[int, ...]:
    dims = tuple(shape) if isinstance(shape, list | tuple) else (shape,)
    if not all(isinstance(unwrap(dim), int | np.integer) for dim in dims):
        raise TypeError(f"'{type(dims[0]).__name__}' object cannot be interpreted as an integer")
    dims = tuple(int(dim) for dim in dims)
    if any(dim < 0 for dim in dims):
        raise ValueError("negative dimensions are not allowed")
    meter.allocate(math.prod(dims), 8)
    return dims


def _array(object: Any, dtype: Any = None, *, copy: Any = True, order: Any = "K", ndmin: int = 0) -> Any:  # noqa: A002
    a = as_array(object, dtype, texts=True)
    return wrap(np.array(a, copy=True, order=memory_order(order), ndmin=ndmin) if copy else a)


def _asarray(a: Any, dtype: Any = None, order: Any = None, *, copy: Any = None) -> Any:
    if copy:
        return _array(a, dtype, order=order)
    if isinstance(a, Array) and type(a) is Array and dtype is None and order is None:
        return a
    given = as_array(a, dtype, texts=True)
    if order is not None:
        meter.reserve(given.size, given.itemsize)
    made = np.asarray(given, order=memory_order(order))
    return a if type(a) is Array and made is a._array else wrap(made)


def _ordered(name: str, order: str) -> Builtin:
    def make(a: Any, dtype: Any = None, *, like: Any = None) -> Any:
        made = _asarray(a, dtype, order)
        return made if isinstance(made._array, np.ndarray) and made._array.ndim else _array(made, ndmin=1)

    return Builtin(name, make)


def _blocks(value: Any, depth: int = 0) -> tuple[Any, int]:
    """Nested lists of arrays, and how many numbers are in them."""
    if type(value) is not list:
        found = as_array(value)
        return found, int(found.size)
    if depth > 31:
        raise ValueError("blocks are nested in at most 32 lists here")
    meter.charge(1 + (len(value) >> 2))
    parts = [_blocks(item, depth + 1) for item in value]
    return [part for part, _ in parts], sum([size for _, size in parts])


def _block(arrays: Any) -> Any:
    parts, size = _blocks(arrays)
    meter.allocate(2 * size, 8)
    meter.charge(size >> 7)
    return wrap(np.block(parts))


def _optional(dtype: Any) -> Any:
    return None if dtype is None else to_dtype(dtype)


def _filled(value: float) -> Callable[..., Any]:
    def make(shape: Any, dtype: Any = float, order: Any = "C") -> Any:
        kind, dims = to_dtype(dtype, texts=True), _dims(shape)
        if kind.kind == "U":
            meter.allocate(math.prod(dims), kind.itemsize)
            meter.charge(math.prod(dims) >> 5)
        return wrap(np.full(dims, "" if kind.kind == "U" and not value else value, kind, memory_order(order)))

    return make


def _full(shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C") -> Any:
    value, dims = argument(fill_value), _dims(shape)
    if isinstance(value, str):
        value = as_array(value, texts=True)
        meter.allocate(math.prod(dims), value.itemsize)
    kind = None if dtype is None else to_dtype(dtype, texts=True)
    if kind is not None and kind.kind == "U":
        meter.allocate(math.prod(dims), 4 * WIDEST)
        meter.charge(math.prod(dims) >> 5)
    return wrap(np.full(dims, value, kind, memory_order(order)))


def _like(value: Any) -> Callable[..., Any]:
    def make(a: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None) -> Any:
        model = as_array(a)
        dims = None if shape is None else _dims(shape)
        if dims is None:
            meter.allocate(model.size, 8)
        return wrap(np.full_like(model, value, _optional(dtype), memory_order(order), shape=dims))

    return make


def _full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None
) -> Any:
    return _like(unwrap(fill_value))(a, dtype, order, subok, shape)


def _arange(*args: Any, dtype: Any = None, start: Any = None, stop: Any = None, step: Any = None) -> Any:
    given = [unwrap(arg) for arg in args]
    if stop is not None:
        given = [start or 0, stop, step or 1]
    if not given:
        raise TypeError("arange() requires stop to be specified.")
    first, last, by = (0, given[0], 1) if len(given) == 1 else (*given, 1)[:3]
    if by == 0:
        raise ZeroDivisionError("division by zero")
    meter.allocate(max(0, math.ceil((last - first) / by)), 8)
    return wrap(np.arange(first, last, by, dtype=_optional(dtype)))


def _spaced(start: Any, stop: Any, num: Any) -> tuple[Any, Any, int]:
    """The ends as numpy knows them and the number of points, which are paid for."""
    start, stop, count = argument(start), argument(stop), max(int(num), 0)
    meter.allocate(count * max(np.size(start), np.size(stop)), 8)
    return start, stop, count


def _linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None, axis: int = 0
) -> Any:
    start, stop, count = _spaced(start, stop, num)
    meter.charge(count >> 5)
    options = int(num), bool(endpoint), bool(retstep), _optional(dtype), int(axis)
    found = _native("linspace")(start, stop, *options)
    return wrap(found)


def _logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None, axis: int = 0
) -> Any:
    start, stop, count = _spaced(start, stop, num)
    base = argument(base)
    size = count * max(np.size(start), np.size(stop)) * np.size(base)
    meter.reserve(size, 8)
    meter.charge(size >> 7)
    return wrap(np.logspace(start, stop, int(num), bool(endpoint), base, _optional(dtype), int(axis)))


def _eye(N: int, M: int | None = None, k: int = 0, dtype: Any = float) -> Any:  # noqa: N803 - numpy's names
    _dims((N, N if M is None else M))
    return wrap(np.eye(N, M, k, to_dtype(dtype)))


def _identity(n: int, dtype: Any = float) -> Any:
    return _eye(n, dtype=dtype)


def _diag(v: Any, k: int = 0) -> Any:
    a = as_array(v)
    if a.ndim == 1:
        meter.allocate((a.size + abs(k)) ** 2, 8)
    return wrap(np.diag(a, k).copy())


def _tile(A: Any, reps: Any) -> Any:  # noqa: N803 - numpy's name
    array, times = as_array(A), reps if isinstance(reps, list | tuple) else (reps,)
    meter.allocate(array.size * math.prod(max(int(t), 0) for t in times), 8)
    return wrap(np.tile(array, tuple(map(int, times))))


def _meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    arrays = [as_array(axis) for axis in xi]
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    meter.allocate(len(arrays) * math.prod(a.size for a in arrays), 8)
    return wrap(tuple(_native("meshgrid")(*arrays, sparse=bool(sparse), indexing=indexing)))


def _broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    return wrap(np.broadcast_to(as_array(array), _dims(shape)).copy())


def _einsum(subscripts: Any, *operands: Any, optimize: Any = False, dtype: Any = None) -> Any:
    if not isinstance(subscripts, str):
        subscripts, operands = _as_letters((subscripts, *operands))
    arrays = [as_array(operand) if dtype is None else as_array(operand, dtype) for operand in operands]
    sizes: dict[str, int] = {}
    for letters, a in zip(subscripts.replace(" ", "").partition("->")[0].split(","), arrays, strict=False):
        sizes.update(zip(letters.replace("...", ""), a.shape, strict=False))
    meter.reserve(min(math.prod(sizes.values()), max([a.size for a in arrays], default=1) ** 2), 8)
    made = math.prod([sizes.get(letter, 1) for letter in subscripts.partition("->")[2]]) if "->" in subscripts else 0
    meter.allocate(made, 8)
    meter.charge(math.prod(sizes.values()) >> 11)
    return wrap(np.einsum(subscripts, *arrays))


_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _as_letters(given: tuple[Any, ...]) -> tuple[str, tuple[Any, ...]]:
    """`einsum(a, [0, 1], b, [1, 2], [0, 2])` with letters for the numbers."""

    def letters(numbers: Any) -> str:
        return "".join([letter(number) for number in items(numbers)])

    def letter(number: Any) -> str:
        at = as_integer(number)
        if number is not ... and not (isinstance(at, int) and 0 <= at < len(_LETTERS)):
            raise ValueError("subscript is not within the valid range [0, 52)")
        return "..." if number is ... else _LETTERS[at]

    result = f"->{letters(given[-1])}" if len(given) % 2 else ""
    pairs = given[: len(given) - len(given) % 2]
    return ",".join([letters(numbers) for numbers in pairs[1::2]]) + result, pairs[::2]


def _einsum_path(subscripts: Any, *operands: Any, optimize: Any = "greedy") -> Any:
    if not isinstance(subscripts, str):
        subscripts, operands = _as_letters((subscripts, *operands))
    meter.charge(200 * len(operands) ** 2 + len(subscripts))
    if len(operands) > 12:
        raise ValueError("paths of at most 12 operands are looked for here")
    wanted = optimize if optimize in ("greedy", False, True) else "greedy"
    path, text = np.einsum_path(subscripts, *[as_array(operand) for operand in operands], optimize=wanted)
    return [step if type(step) is str else tuple(map(int, step)) for step in path], text


def _row_stack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    warnings.warn("`row_stack` alias is deprecated. Use `np.vstack` directly.", DeprecationWarning, stacklevel=1)
    return apply("vstack", (tup,), {"casting": casting} if dtype is None else {"dtype": dtype, "casting": casting})


def _product_of(name: str) -> Callable[[Any, Any], Any]:
    """`matvec` or `vecmat`: matrices by vectors, of the last dimensions."""

    def product(x1: Any, x2: Any, /) -> Any:
        left, right = as_array(x1), as_array(x2)
        matrix, vector = (left, right) if name == "matvec" else (right, left)
        if matrix.ndim > 1 and vector.ndim:
            rows = matrix.shape[-2] if name == "matvec" else matrix.shape[-1]
            outer = math.prod(np.broadcast_shapes(matrix.shape[:-2], vector.shape[:-1]))
            meter.allocate(outer * rows, 8)
            meter.work(outer * math.prod(matrix.shape[-2:]))
        with heeding():
            return wrap(getattr(np, name)(left, right))

    return product


def _multi_dot(arrays: Any, *, out: Any = None) -> Any:
    """Charged as from left to right, which is the dearest that numpy makes of it, and for the order that it finds."""
    given = [as_array(array) for array in items(arrays)]
    meter.charge(len(given) ** 3 >> 2)
    if len(given) > 2 and all([array.ndim in (1, 2) for array in given]):
        rows = given[0].shape[0] if given[0].ndim == 2 else 1
        for left, right in pairwise(given):
            columns = right.shape[1] if right.ndim == 2 else 1
            meter.allocate(rows * columns, 8)
            meter.product(rows, left.shape[-1], columns, np.result_type(left, right), 1)
    elif len(given) == 2:
        reserve_operation("matmul", *given)
    if out is not None and not isinstance(out, Array):
        raise TypeError("return arrays must be of ArrayType")
    made = np.linalg.multi_dot(given, out=None if out is None else overwriting(out._array))
    return wrap(made) if out is None else out


def _fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    np.fill_diagonal(as_array(a), unwrap(val), bool(wrap))


def _fromiter(iter: Any, dtype: Any, count: int = -1) -> Any:
    return wrap(as_array(list(items(iter))).astype(to_dtype(dtype)))


def _fromfunction(function: Any, shape: Any, *, dtype: Any = float, **options: Any) -> Any:
    dims = _dims(shape)
    meter.allocate(len(dims) * math.prod(dims), 8)
    return call(function, [wrap(axis) for axis in np.indices(dims, dtype=to_dtype(dtype))], None)


def _apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    given = as_array(arr)
    meter.allocate(given.size, 8)
    rows = np.moveaxis(given, axis, -1)
    results = [unwrap(call(func1d, [wrap(row), *args], kwargs or None)) for row in rows.reshape(-1, rows.shape[-1])]
    made = np.asarray(results)
    meter.allocate(made.size, 8)
    made = made.reshape(rows.shape[:-1] + made.shape[1:])
    return wrap(np.moveaxis(made, -1, axis) if made.ndim == given.ndim else made)


def _ndenumerate(arr: Any) -> Any:
    array = as_array(arr)
    return zip(burning(np.ndindex(array.shape)), map(wrap, array.ravel()), strict=True)


def _ndindex(*shape: Any) -> Any:
    dims = _dims(shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape)
    return np.ndindex(dims) if not math.prod(dims) > 1 << 20 else iter(())


def _geterr() -> dict[str, str]:
    return dict(sessions.active.settings.get(("numpy", "errors"), ERRORS))


def _seterr(
    all: Any = None, divide: Any = None, over: Any = None, under: Any = None, invalid: Any = None  # noqa: A002
) -> dict[str, str]:
    before = _geterr()
    asked = {"divide": divide, "over": over, "under": under, "invalid": invalid}
    wanted = {kind: asked[kind] or all or before[kind] for kind in before}
    for mode in wanted.values():
        if mode not in ("ignore", "warn", "raise"):
            raise ValueError(f"{mode!r} is not available here: errors are to ignore, warn or raise")
    sessions.active.settings["numpy", "errors"] = wanted
    return before


class _Errstate:
    """`numpy.errstate`."""

    __module__ = "numpy"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = kwargs

    def __enter__(self) -> None:
        self._before = _seterr(**self._kwargs)

    def __exit__(self, *exception: object) -> None:
        sessions.active.settings["numpy", "errors"] = self._before

    def __call__(self, func: Any) -> Any:
        def run(*args: Any, **kwargs: Any) -> Any:
            with _Errstate(**self._kwargs):
                return call(func, args, kwargs or None)

        return Builtin(getattr(func, "__name__", "run"), run)


# --- random numbers: numpy's legacy generator, so seeds give the same numbers


Source = Callable[[], np.random.RandomState]


def _session() -> np.random.RandomState:
    return sessions.active.numpy_random


def _draw(name: str, shape_at: int | None, source: Source | Callable[[], np.random.Generator]) -> Builtin:
    def draw(*args: Any, **kwargs: Any) -> Any:
        values = [argument(arg) for arg in args]
        options = {key: argument(value) for key, value in kwargs.items()}
        _reserve_draws(name, shape_at, values, options)
        if "dtype" in options:
            options["dtype"] = to_dtype(kwargs["dtype"])
        return wrap(getattr(source(), name)(*values, **options))

    return Builtin(name, draw)


def _reserve_draws(name: str, shape_at: int | None, values: list[Any], options: dict[str, Any]) -> None:
    """Charge random numbers before they are drawn. `shape_at`: the place of `size`; None where all arguments are it."""
    size: Any = tuple(values)
    parameters: list[Any] = []
    if shape_at is not None:
        size = options.get("size", values[shape_at] if len(values) > shape_at else None)
        parameters = [value for place, value in enumerate(values) if place != shape_at]
        parameters += [value for key, value in options.items() if key not in ("size", "dtype")]
    if name == "zipf" and parameters and np.size(parameters[0]) and np.min(parameters[0]) < 1.001:
        raise ValueError("zipf() draws for a of at least 1.001 here")  # below, it may search for very long
    vector = _VECTORS.get(name)
    if size is not None:
        drawn = math.prod(_dims(size))
    elif vector is not None:
        drawn = 1
    else:
        drawn = math.prod(_broadcast_shape(parameters))
        meter.allocate(drawn, 8)
    if vector is not None:
        place, key = vector
        length = int(np.size(options.get(key, values[place] if len(values) > place else 0)))
        drawn *= length
        meter.allocate(drawn, 8)
        meter.work(60 * length**3 if name == "multivariate_normal" else 0)
    meter.charge(drawn >> (2 if name == "zipf" else 5))


def _broadcast_shape(values: list[Any]) -> tuple[int, ...]:
    """The shape of values together; of those that do not fit together, which numpy refuses, that of none."""
    try:
        return np.broadcast_shapes(*map(np.shape, values))
    except ValueError:
        return ()


_WORDS = 624
"""Words of a Mersenne twister's state."""


def _legacy(source: Source) -> dict[str, Any]:
    """The functions of `numpy.random`, which are the methods of a `RandomState` too."""

    def seed(seed: Any = None) -> None:
        source().seed(unwrap(seed))

    def choice(a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
        _dims(() if size is None else size)
        meter.charge(_count(size) >> 5)
        a = _whole(a)
        if isinstance(a, int):
            values: Any = a
            if not replace:
                _dims(a)
                meter.charge(a >> 5)
        else:
            values = as_array(a, texts=True)
            meter.allocate(_count(size), values.itemsize)
        return wrap(source().choice(values, size, replace, None if p is None else as_array(p)))

    def permutation(x: Any) -> Any:
        x = _whole(x)
        if isinstance(x, int):
            _dims(x)
        meter.charge((x if isinstance(x, int) else len(x)) >> 5)
        return wrap(source().permutation(x if isinstance(x, int) else as_array(x, texts=True)))

    def shuffle(x: Any) -> None:
        meter.charge(len(x) >> (1 if isinstance(x, list) else 4))
        source().shuffle(x if isinstance(x, list) else overwriting(as_array(x, texts=True)))

    def get_state() -> tuple[Any, ...]:
        kind, key, *rest = source().get_state()
        return kind, wrap(key), *rest

    def set_state(state: Any) -> None:
        if not isinstance(state, list | tuple) or not 3 <= len(state) <= 5:
            raise TypeError("state must be a dict or a tuple.")
        kind, key, position, *rest = map(argument, state)
        if kind != "MT19937":
            raise ValueError("set_state can only be used with legacy MT19937 state instances.")
        at = as_integer(position)
        if not isinstance(at, int) or not 0 <= at <= _WORDS or np.shape(key) != (_WORDS,):  # numpy reads there
            raise ValueError(f"the state of a generator has {_WORDS} words, and a position in them")
        source().set_state((kind, np.asarray(key).astype(np.uint32), at, *rest))

    def random_integers(low: Any, high: Any = None, size: Any = None) -> Any:
        first, last = (1, low) if high is None else (low, high)
        warnings.warn(
            f"This function is deprecated. Please call randint({first}, {last} + 1) instead",
            DeprecationWarning, stacklevel=1,
        )  # fmt: skip
        found = drawing["randint"].function(first, int(_whole(last)) + 1, size)
        return wrap(np.int64(found)) if isinstance(found, int) else found

    plain = {
        function.__name__: Builtin(function.__name__, function)
        for function in (random_integers, seed, choice, permutation, shuffle, get_state, set_state, _bytes(source))
    }
    drawing = {name: _draw(name, at, source) for name, at in _SHAPES.items()}
    aliases = {name: _draw("random_sample", 0, source) for name in ("ranf", "sample")}
    return {**drawing, **aliases, **plain}


def _count(size: Any) -> int:
    """How many numbers a `size` asks for."""
    dims = size if isinstance(size, list | tuple) else (size,)
    return math.prod([int(dim) for dim in dims if isinstance(dim, int | np.integer) and dim > 0])


def _pool(a: Any, size: Any, replace: Any) -> Any:
    """What a choice is made from, charged; a number stands for a range, which is made where nothing comes twice."""
    meter.charge(_count(size) >> 5)
    _dims(() if size is None else size)
    a = _whole(a)
    if isinstance(a, int):
        if not replace:
            meter.charge(min(a, 16 * _count(size)) >> 5)
        return a
    values = as_array(a, texts=True)
    meter.allocate(_count(size), values.itemsize)
    return values


def _shuffled(x: Any) -> Any:
    meter.charge(len(x) >> (1 if isinstance(x, list) else 4))
    return x if isinstance(x, list) else overwriting(as_array(x, texts=True))


class RandomState:
    """`numpy.random.RandomState`: what it draws with, and its methods."""

    __slots__ = ("methods", "state")

    def __init__(self, state: Any, methods: dict[str, Any]) -> None:
        self.state, self.methods = state, methods

    def __str__(self) -> str:
        return str(self.state)

    def __repr__(self) -> str:
        return f"{self.state} at {sessions.active.identity(self):#X}".replace("0X", "0x")

    def __deepcopy__(self, memo: Any) -> Any:
        meter.charge(40)
        return _of_state(deepcopy(self.state))


class Generator(RandomState):
    """`numpy.random.Generator`."""

    __slots__ = ()


class BitGenerator:
    """Where a `Generator` takes its bits from."""

    __module__ = "numpy.random.bit_generator"
    __slots__ = ("native",)
    kind = ""

    def __init__(self, seed: Any = None) -> None:
        meter.charge(20)
        self.native = getattr(np.random, self.kind)(_entropy(seed))


def _bit_generator(name: str) -> type[BitGenerator]:
    module = f"numpy.random._{name.lower()}"
    return type(f"{module}.{name}", (BitGenerator,), {
        "__slots__": (), "kind": name, "__module__": module, "__qualname__": name,
    })  # fmt: skip


_BITS = {name: _bit_generator(name) for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")}
for _drawing, _room in ((RandomState, "numpy.random.mtrand"), (Generator, "numpy.random._generator")):
    _drawing.__module__, _drawing.__name__ = _room, f"{_room}.{_drawing.__qualname__}"


def _read_drawing(value: RandomState, name: str) -> Any:
    found = value.methods.get(name)
    if found is None:
        raise missing(value, name)
    return found


def _read_nothing(value: BitGenerator, name: str) -> Any:
    raise missing(value, name)


def _entropy(seed: Any) -> Any:
    """What a generator is seeded with: a number, or some. Raises TypeError."""
    if seed is None:
        return sessions.active.seed
    given = unwrap(seed)
    if isinstance(given, int | np.integer):
        number = int(given)
        meter.charge(10 + (number.bit_length() >> 5))
        return number
    if isinstance(given, str | float):
        raise TypeError(f"SeedSequence expects int or sequence of ints for entropy not {given}")
    found = as_array(given)
    meter.charge(10 + found.size)
    return found


def _random_state(seed: Any = None) -> Any:
    meter.charge(100)  # a table of methods of its own: 25 KiB
    if isinstance(seed, list | tuple | Array) and not isinstance(seed, Scalar):
        return _of_state(np.random.RandomState(_entropy(seed)))
    return _of_state(np.random.RandomState(sessions.active.seed if seed is None else int(unwrap(seed))))


def _default_rng(seed: Any = None) -> Generator:
    if isinstance(seed, Generator):
        return seed
    return _generator(seed if isinstance(seed, BitGenerator) else _BITS["PCG64"](seed))


def _generator(bit_generator: Any) -> Generator:
    if not isinstance(bit_generator, BitGenerator):
        raise TypeError(f"Generator is made of a bit generator here, not of '{type(bit_generator).__name__}'")
    meter.charge(40)
    made: Generator = _of_state(np.random.Generator(bit_generator.native))
    return made


def _of_state(state: Any) -> Any:
    if isinstance(state, np.random.RandomState):
        return RandomState(state, _legacy(lambda: state))

    def permutation(x: Any, axis: int = 0) -> Any:
        x = _whole(x)
        meter.charge((x if isinstance(x, int) else len(x)) >> 5)
        return wrap(state.permutation(x if isinstance(x, int) and _dims(x) else as_array(x, texts=True), axis))

    def permuted(x: Any, *, axis: Any = None, out: Any = None) -> Any:
        given = as_array(x)
        meter.allocate(given.size, 8)
        meter.charge(given.size >> 4)
        made = state.permuted(given, axis=axis, out=None if out is None else overwriting(out._array))
        return wrap(made) if out is None else out

    def shuffle(x: Any, axis: int = 0) -> None:
        state.shuffle(_shuffled(x), axis)

    def choice(
        a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True
    ) -> Any:
        pool = _pool(a, size, replace)
        shares = None if p is None else as_array(p)
        meter.charge(0 if shares is None else shares.size >> 5)
        if axis:
            meter.allocate(_count(size) * (np.size(pool) // max(1, np.shape(pool)[axis])), 8)
        return wrap(state.choice(pool, size, replace, shares, axis, shuffle))

    shapes = {name: at for name, at in _SHAPES.items() if name not in _LEGACY} | {"integers": 2}
    drawing = {name: _draw(name, at, lambda: state) for name, at in shapes.items()}
    functions = permutation, permuted, shuffle, choice, _bytes(lambda: state)
    return Generator(state, drawing | {each.__name__: Builtin(each.__name__, each) for each in functions})


def _bytes(source: Callable[[], Any]) -> Callable[[Any], bytes]:
    def bytes(length: Any) -> Any:  # noqa: A001 - numpy's name
        count = int(unwrap(length))
        meter.allocate(max(0, count), 1)
        return source().bytes(count)

    return bytes


_SHAPES: dict[str, int | None] = {
    "rand": None, "randn": None, "random": 0, "random_sample": 0, "standard_normal": 0, "normal": 2, "uniform": 2,
    "randint": 2, "exponential": 1, "binomial": 2, "poisson": 1, "beta": 2, "gamma": 2, "laplace": 2, "lognormal": 2,
    "chisquare": 1, "f": 2, "geometric": 1, "gumbel": 2, "logistic": 2, "negative_binomial": 2, "pareto": 1, "power": 1,
    "rayleigh": 1, "standard_cauchy": 0, "standard_exponential": 0, "standard_gamma": 1, "standard_t": 1,
    "vonmises": 2, "wald": 2, "zipf": 1, "logseries": 1, "noncentral_chisquare": 2, "noncentral_f": 3,
    "hypergeometric": 3, "triangular": 3, "weibull": 1, "multivariate_normal": 2, "multinomial": 2, "dirichlet": 1,
}  # fmt: skip
_VECTORS = {"multivariate_normal": (0, "mean"), "multinomial": (1, "pvals"), "dirichlet": (0, "alpha")}
"""Functions that draw vectors, and the argument that these are as long as."""
_LEGACY = frozenset("rand randn random_sample randint".split())
"""What a `Generator` calls by other names."""
RANDOM: dict[str, Any] = {
    **_legacy(_session),
    "default_rng": Builtin("default_rng", _default_rng),
    "RandomState": RandomState, "Generator": Generator, "BitGenerator": BitGenerator, **_BITS,
}  # fmt: skip
CONSTRUCTORS[RandomState], CONSTRUCTORS[Generator] = _random_state, _generator
for _bits in _BITS.values():
    CONSTRUCTORS[_bits], READERS[_bits], LISTED[_bits] = _bits, _read_nothing, []
LISTED[RandomState] = list(_legacy(_session))
LISTED[Generator] = [*(set(_SHAPES) - _LEGACY), *"integers choice permutation permuted shuffle bytes".split()]
READERS[RandomState] = READERS[Generator] = _read_drawing
sessions.closed.update([RandomState, Generator, BitGenerator, *_BITS.values()])
LINALG: dict[str, Any] = {
    name.partition(".")[2]: _function(name) for name in _REDUCTIONS.split() if name.startswith("linalg.")
}
LINALG["multi_dot"] = Builtin("multi_dot", _multi_dot)
LINALG["LinAlgError"] = class_of(np.linalg.LinAlgError)
EXCEPTIONS: dict[str, Any] = {
    name: class_of(getattr(np.exceptions, name))
    for name in (
        "AxisError ComplexWarning DTypePromotionError ModuleDeprecationWarning RankWarning TooHardError"
        " VisibleDeprecationWarning"
    ).split()
}
EXCEPTIONS["AxisError"].__str__ = lambda self: str(as_host(self))
FFT: dict[str, Any] = {
    name.partition(".")[2]: _function(name) for name in _REDUCTIONS.split() if name.startswith("fft.")
}
NUMPY: dict[str, Any] = {
    **{name: _function(name) for name in (*_ELEMENTWISE.split(), *_PRODUCTS.split())},
    **{name: _function(name) for name in _REDUCTIONS.split() if "." not in name},
    **SCALARS,
    "bool_": SCALARS["bool"], "int_": SCALARS["int64"], "double": SCALARS["float64"],
    "single": SCALARS["float32"], "ndarray": Array, "generic": Scalar, "dtype": DType,
    "ufunc": UFunc,
    "array": Builtin("array", _array), "asarray": Builtin("asarray", _asarray), "zeros": Builtin("zeros", _filled(0.0)),
    "ascontiguousarray": _ordered("ascontiguousarray", "C"), "block": Builtin("block", _block),
    "ones": Builtin("ones", _filled(1.0)), "empty": Builtin("empty", _filled(0.0)), "full": Builtin("full", _full),
    "zeros_like": Builtin("zeros_like", _like(0)), "ones_like": Builtin("ones_like", _like(1)),
    "empty_like": Builtin("empty_like", _like(0)), "full_like": Builtin("full_like", _full_like),
    "arange": Builtin("arange", _arange), "linspace": Builtin("linspace", _linspace),
    "logspace": Builtin("logspace", _logspace), "eye": Builtin("eye", _eye), "identity": Builtin("identity", _identity),
    "diag": Builtin("diag", _diag), "tile": Builtin("tile", _tile), "repeat": _function("repeat"),
    "isscalar": Builtin("isscalar", is_scalar),
    "meshgrid": Builtin("meshgrid", _meshgrid), "broadcast_to": Builtin("broadcast_to", _broadcast_to),
    "row_stack": Builtin("row_stack", _row_stack),
    **{name: Builtin(name, _product_of(name)) for name in ("matvec", "vecmat")},
    "einsum": Builtin("einsum", _einsum), "einsum_path": Builtin("einsum_path", _einsum_path), "vectorize": Vectorize,
    "fill_diagonal": Builtin("fill_diagonal", _fill_diagonal), "fromiter": Builtin("fromiter", _fromiter),
    "fromfunction": Builtin("fromfunction", _fromfunction), "asfortranarray": _ordered("asfortranarray", "F"),
    "apply_along_axis": Builtin("apply_along_axis", _apply_along_axis), "asanyarray": Builtin("asanyarray", _asarray),
    "ndenumerate": Builtin("ndenumerate", _ndenumerate), "ndindex": Builtin("ndindex", _ndindex),
    "bitwise_count": _function("bitwise_count"),
    "seterr": Builtin("seterr", _seterr),
    "errstate": _Errstate, "nditer": Iterated,
    **FILES, **GRIDS, **PLACING, **PRINTING, **POLYNOMIALS, **TYPES,
    "True_": true_or_false(True), "False_": true_or_false(False), "geterr": Builtin("geterr", _geterr),
    "short": SCALARS["int16"], "ushort": SCALARS["uint16"], "uintc": SCALARS["uint32"],
    **dict.fromkeys(("uint", "uintp", "ulong", "ulonglong"), SCALARS["uint64"]), "little_endian": True,
    "intp": SCALARS["int64"], "byte": SCALARS["int8"], "ubyte": SCALARS["uint8"],
    "half": SCALARS["float16"], "intc": SCALARS["int32"], "long": SCALARS["int64"], "longlong": SCALARS["int64"],
    "csingle": SCALARS["complex64"], "cdouble": SCALARS["complex128"],
    "fft": Module.of("numpy.fft", FFT), "testing": Module.of("numpy.testing", TESTING),
    "pi": np.pi, "e": np.e, "inf": np.inf, "nan": np.nan, "newaxis": None, "euler_gamma": np.euler_gamma,
    "polynomial": Module.of("numpy.polynomial", POLYNOMIAL), "strings": Module.of("numpy.strings", STRINGS),
    "char": Module.of("numpy.char", CHAR),
    "exceptions": Module.of("numpy.exceptions", EXCEPTIONS),
    "random": Module.of("numpy.random", RANDOM), "linalg": Module.of("numpy.linalg", LINALG),
    "__version__": np.__version__,
}  # fmt: skip

for _contents in (NUMPY, RANDOM, LINALG, FFT, TESTING):
    for _name, _value in _contents.items():
        if isinstance(_value, Builtin) and not isinstance(_value, UFunc):
            _value.function = _weighing(_value.function)


def _removed() -> dict[tuple[str, str], str]:
    """What numpy says about names that it had once."""
    found = {}
    for name in {**getattr(np, "__expired_attributes__", {}), **getattr(np, "__former_attrs__", {})}:
        with suppress(Exception), catch_warnings():
            simplefilter("ignore")
            try:
                getattr(np, name)
            except AttributeError as error:
                found["numpy", name] = str(error)
    return found


TOLD.update(_removed())
MODULES: dict[str, dict[str, Any]] = {
    "numpy.polynomial": POLYNOMIAL, **{f"numpy.polynomial.{room}": contents for room, contents in ROOMS.items()},
    "numpy.exceptions": EXCEPTIONS, "numpy.lib": LIB, "numpy.lib.stride_tricks": STRIDE_TRICKS,
    "numpy.strings": STRINGS, "numpy.char": CHAR,
    "numpy": NUMPY, "numpy.random": RANDOM, "numpy.linalg": LINALG, "numpy.fft": FFT, "numpy.testing": TESTING,
}  # fmt: skip


def _construct_dtype(value: Any) -> DType:
    return DType(to_dtype(value))


def _construct_array(
    shape: Any, dtype: Any = float, buffer: Any = None, offset: Any = 0, strides: Any = None, order: Any = None
) -> Any:
    """`numpy.ndarray(shape)`: zeros, where numpy's has what was in memory, or elements of another array's memory."""
    if strides is not None:
        raise NotImplementedError("an array is made without strides here: numpy.lib.stride_tricks.as_strided has them")
    if buffer is None:
        return _filled(0.0)(shape, dtype, "C" if order is None else order)
    if not isinstance(buffer, Array):
        raise TypeError("an array is made of another array's memory here: numpy.frombuffer takes bytes")
    memory, kind = buffer._array, to_dtype(dtype)
    if kind.kind not in "fiuc" or memory.dtype.kind not in "fiuc":
        raise TypeError("an array of another array's memory holds numbers here")
    return wrap(np.ndarray(_dims(shape), kind, memory, int(unwrap(offset)), order=memory_order(order or "C")))


CONSTRUCTORS[Array] = _construct_array
CONSTRUCTORS[DType] = _construct_dtype
for _cls in SCALARS.values():
    CONSTRUCTORS[_cls] = _cls
