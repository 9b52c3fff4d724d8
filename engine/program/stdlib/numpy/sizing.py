"""What a call of one of numpy's functions takes, in work and in memory: paid for before it is made."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.costs import STEP
from engine.limits import meter
from engine.program.arrays import WIDEST, count_leaves, reserve, reserve_operation
from engine.program.charges import as_integer, len_of_range
from engine.program.stdlib.numpy.functions import ELEMENTWISE, PRODUCTS

_ELEMENTWISE = frozenset(ELEMENTWISE)
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


def weigh_texts(name: str, args: tuple[Any, ...]) -> None:
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


def reserve_result(name: str, args: tuple[Any, ...], options: dict[str, Any]) -> None:
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
    ns = NANOSECONDS.get(name, 4)
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
    elif name in PRODUCTS and len(args) > 1:
        reserve_operation("matmul", np.asarray(args[0]), np.asarray(args[1]))
    elif name in _ELEMENTWISE or name in ("where", "clip", "isclose", "allclose"):
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
NANOSECONDS = {
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
