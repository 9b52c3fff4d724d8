"""Tensors as text, to the character as PyTorch prints them.

One notation serves the whole tensor: integers with a dot, fixed point or scientific, decided by its non-zero finite
values, all padded to the widest of those. Long tensors show the ends of each dimension.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np

from engine import errors, settings
from engine.limits import meter
from engine.types import dtypes
from engine.types.coo import Coo

Array: TypeAlias = "np.ndarray[Any, Any] | np.generic | Coo"


@dataclass
class PrintOptions:
    """``precision``: digits after the point; ``threshold``: elements above which a tensor is summarised;
    ``edgeitems``: items kept at each end of a summarised dimension; ``linewidth``: characters;
    ``sci_mode``: scientific notation, None = as the values need it."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


MAX_PRECISION = 308
"""More digits than this no double has; it also bounds the text a program can make by printing."""

PROFILES: dict[str, dict[str, Any]] = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}

options = PrintOptions()
settings.contents(vars(options))


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """``torch.set_printoptions``: what is not given stays, except ``sci_mode``, which becomes automatic."""
    if precision is not None and not 0 <= precision <= MAX_PRECISION:
        raise errors.precision_out_of_range(MAX_PRECISION)
    if profile is not None:
        for name, value in PROFILES.get(profile, {}).items():
            setattr(options, name, value)
    if precision is not None:
        options.precision = precision
    if threshold is not None:
        options.threshold = threshold
    if edgeitems is not None:
        options.edgeitems = edgeitems
    if linewidth is not None:
        options.linewidth = linewidth
    options.sci_mode = sci_mode


def get_printoptions() -> dict[str, Any]:
    """``torch.get_printoptions``: the options as keyword arguments of :func:`set_printoptions`."""
    return asdict(options)


@contextmanager
def printoptions(**changes: Any) -> Iterator[None]:
    """``torch.printoptions``: :func:`set_printoptions` for the length of a ``with`` block."""
    before = get_printoptions()
    set_printoptions(**changes)
    try:
        yield
    finally:
        set_printoptions(**before)


class _Integers:
    """Format of integers and bools."""

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        self.width = max((len(str(v)) for v in _extremes(values)), default=1)

    def __call__(self, value: Any) -> str:
        return str(value).rjust(self.width)


class _Reals:
    """Format of floats: the notation that suits the non-zero finite ones among ``values``."""

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        shown = values[np.isfinite(values) & (values != 0)].astype(np.float64)
        self.width = 1
        self.spec = ".0f"
        self.dot = "."
        if not shown.size:
            return
        magnitudes = np.abs(shown)
        low, high = float(magnitudes.min()), float(magnitudes.max())
        scientific = options.sci_mode
        if scientific is None:
            # high / low may overflow to inf, which is > 1000 as it should be
            scientific = high > 1e8 or low < 1e-4 or high / low > 1000.0
        if scientific:
            self.spec, self.dot = f".{options.precision}e", ""
        elif not np.array_equal(shown, np.ceil(shown)):
            self.spec, self.dot = f".{options.precision}f", ""
        # Within one sign the length of the text grows towards the ends of the range, so the ends suffice.
        ends = [*_extremes(shown[shown > 0]), *_extremes(shown[shown < 0])]
        self.width = max(len(format(v, self.spec)) for v in ends) + len(self.dot)

    def __call__(self, value: float) -> str:
        text = format(value, self.spec)
        if self.dot and math.isfinite(value):
            text += self.dot
        return text.rjust(self.width)


class _Complexes:
    """Format of complex numbers: real and imaginary parts each in a notation of their own."""

    def __init__(self, values: np.ndarray[Any, Any]) -> None:
        self.real = _Reals(values.real)
        self.imag = _Reals(values.imag)
        # one more for the j; the sign between the parts does not count
        self.width = self.real.width + self.imag.width + 1

    def __call__(self, value: complex) -> str:
        imag = self.imag(value.imag).lstrip()
        sign = "" if imag[0] in "+-" else "+"
        return f"{self.real(value.real)}{sign}{imag}j"


_Style: TypeAlias = _Integers | _Reals | _Complexes


def _style(values: np.ndarray[Any, Any]) -> _Style:
    if values.dtype.kind == "c":
        return _Complexes(values)
    return _Reals(values) if values.dtype.kind in dtypes.FLOATING else _Integers(values)


def _extremes(values: np.ndarray[Any, Any]) -> list[Any]:
    return [values.min().item(), values.max().item()] if values.size else []


def array_text(array: Array, indent: int = 0) -> str:
    """The elements in brackets; lines after the first are indented by ``indent`` plus the depth."""
    values = np.asarray(array)
    if not values.size:
        return "[]"
    if not values.ndim:
        return _style(values.reshape(-1))(values.item())
    meter.charge(16)
    if values.size <= options.threshold:
        meter.charge(int(values.size) >> 1)
        return _rows(values.tolist(), values.shape, indent, _style(values.reshape(-1)))
    edge = options.edgeitems
    if not edge:
        return "[...]"
    for axis, extent in enumerate(values.shape):
        if extent > 2 * edge:
            values = np.take(values, [*range(edge), *range(extent - edge, extent)], axis)
    meter.charge(int(values.size) >> 1)
    return _rows(values.tolist(), np.shape(array), indent, _style(values.reshape(-1)))


def _rows(items: list[Any], shape: tuple[int, ...], indent: int, style: _Style) -> str:
    """``items`` written out; where there are fewer than ``shape`` says, the middle was left out."""
    cut = len(items) // 2 if len(items) < shape[0] else None
    if len(shape) > 1:
        texts = [_rows(item, shape[1:], indent + 1, style) for item in items]
        if cut is not None:
            texts.insert(cut, "...")
        separator = "," + "\n" * (len(shape) - 1) + " " * (indent + 1)
        return f"[{separator.join(texts)}]"
    texts = [style(item) for item in items]
    if cut is not None:
        texts.insert(cut, " ...")
    per_line = max(1, math.floor((options.linewidth - indent) / (style.width + 2)))
    lines = [", ".join(texts[i : i + per_line]) for i in range(0, len(texts), per_line)]
    separator = ",\n" + " " * (indent + 1)
    return f"[{separator.join(lines)}]"


def tensor_repr(
    array: Array,
    *,
    requires_grad: bool = False,
    grad_fn_name: str | None = None,
    class_name: str = "tensor",
    is_parameter: bool = False,
    tangent: object = None,
) -> str:
    """``repr`` of a tensor whose value is ``array``.

    ``grad_fn_name``: ``MulBackward0``, or None for a leaf; ``class_name``: ``tensor`` for Tensor and Parameter, the
    name of the class for any other subclass; ``is_parameter`` puts ``Parameter containing:`` on a line
    before; ``tangent`` is that of a dual tensor.
    """
    dtype = dtypes.of(array.dtype)
    suffixes = []
    if isinstance(array, Coo):
        suffixes += [f"size={array.shape}", f"nnz={array.count}"]
        if not _implied(dtype):
            suffixes.append(f"dtype={dtype}")
        suffixes.append("layout=torch.sparse_coo")
    elif not array.size:
        if array.ndim != 1:
            suffixes.append(f"size={tuple(array.shape)}")
        if dtype is not dtypes.get_default():
            suffixes.append(f"dtype={dtype}")
    else:
        if not options.edgeitems:
            suffixes.append(f"size={tuple(array.shape)}")
        if not _implied(dtype):
            suffixes.append(f"dtype={dtype}")
    if grad_fn_name is not None:
        suffixes.append(f"grad_fn=<{grad_fn_name}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    if tangent is not None:
        suffixes.append(f"tangent={tangent}")
    prefix = f"{class_name}("
    text = prefix + (_coo_text(array, len(prefix)) if isinstance(array, Coo) else array_text(array, len(prefix)))
    text = _with_suffixes(text, suffixes, len(prefix), isinstance(array, Coo)) + ")"
    if not is_parameter:
        return text
    return f"Parameter containing:\n{text if class_name == 'tensor' else f'Parameter({text})'}"


def _implied(dtype: dtypes.dtype) -> bool:
    """Whether the numbers as printed already say the dtype."""
    default = dtypes.get_default()
    default_complex = dtypes.complex128 if default is dtypes.float64 else dtypes.complex64
    return dtype in (default, default_complex, dtypes.int64, dtypes.bool_)


def _coo_text(array: Coo, indent: int) -> str:
    """The indices and values of a sparse tensor, each on lines of its own."""
    parts = []
    for name, part in (("indices", array.indices), ("values", array.values)):
        text = f"{name}=tensor("
        text += array_text(part, indent + len(text))
        parts.append(text + ("" if part.size else f", size={part.shape}") + ")")
    return (",\n" + " " * indent).join(parts)


def _with_suffixes(text: str, suffixes: list[str], indent: int, new_line: bool = False) -> str:
    """``text`` followed by the suffixes, each on a new line if it would not fit on the last one; with ``new_line``
    the first one in any case."""
    column = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if new_line or column + len(suffix) + 2 > options.linewidth:
            new_line = False
            text += ",\n" + " " * indent + suffix
            column = indent + len(suffix)
        else:
            text += ", " + suffix
            column += len(suffix) + 2
    return text


def format_tensor(array: Array, spec: str, *, text: str, class_name: str = "Tensor") -> str:
    """``format(tensor, spec)``: a 0-d Tensor formats as its number, any other as its repr ``text``.

    Raises TypeError for a ``spec`` where there is no number; ValueError as Python does for one that does not fit.
    """
    if not array.ndim and class_name == "Tensor":
        return format(array.item(), spec)
    if spec:
        raise errors.unsupported_format(class_name)
    return text
