"""Making tensors: from Python data, from sizes, and `torch.FloatTensor` and its kin.

Sizes are checked against the limits of the run before anything is allocated. `empty` gives zeros: what PyTorch finds in
memory cannot be repeated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypedDict, Unpack

import numpy as np

from engine import errors
from engine.batching.level import by_entry, on_batches
from engine.codegen.deferred import MISSING
from engine.codegen.publish import public
from engine.composites.from_python import from_data
from engine.core.registry import GRAPH, NUMPY
from engine.core.state import state
from engine.core.tensor import Tensor, number
from engine.core.views import share
from engine.kernels.memory_format import empty_like
from engine.kernels.ranges import arange_values, linspace_values, logspace_values
from engine.kernels.shape import clone_kernel, in_order
from engine.limits import meter
from engine.types import dtypes
from engine.types.coo import Coo, empty
from engine.types.dtypes import cast_number
from engine.types.shapes import Shape, contiguous_strides, integer, is_index, whole, wrap_dims


class Options(TypedDict, total=False):
    """Keywords of the functions that make tensors."""

    dtype: Any
    layout: Any
    device: Any
    requires_grad: bool
    pin_memory: bool


def finished(
    array: Any,
    requires_grad: bool = False,
    device: Any = None,
    pin_memory: bool = False,
    dtype: Any = None,
    layout: Any = None,
) -> Tensor:
    """A new leaf of a numpy value, which has its dtype and layout already.

    Raises for devices that are not there and for integers that require grad.
    """
    if device is not None:
        check_device(device)
    if pin_memory:
        raise errors.no_pinned_memory()
    if requires_grad is not False:
        if not isinstance(requires_grad, bool):
            raise errors.keyword_type("tensor", "requires_grad", "bool", requires_grad)
        if requires_grad and array.dtype.kind not in dtypes.INEXACT:
            raise errors.integer_requires_grad()
    return Tensor._from_array(array if array.ndim else array[()], requires_grad)


def check_device(device: Any) -> None:
    """Only the CPU is there. Raises AssertionError for CUDA and XPU, RuntimeError for others and what is no device."""
    found = dtypes.device(device)
    if found.type != "cpu":
        raise errors.no_device(found.type)


def numpy_dtype(dtype: Any, function: str = "tensor") -> Any:
    """The numpy dtype of a torch dtype, of Python's `float`, `int`, `bool`, `complex`; None stays None."""
    if dtype is None:
        return None
    if isinstance(dtype, dtypes.dtype):
        return dtype.np
    found = dtypes.PYTHON_TYPES.get(dtype) if isinstance(dtype, type) else None
    if found is None:
        raise errors.keyword_type(function, "dtype", "torch.dtype", dtype)
    return found.np


def asked(options: Options, function: str, otherwise: Any = None) -> Any:
    """The numpy dtype that a function is asked for, or else `otherwise`, or else the default dtype."""
    for keyword in options:
        if keyword not in Options.__annotations__:
            raise errors.unexpected_keyword(function, keyword)
    if options.get("dtype") is not None:
        return numpy_dtype(options["dtype"], function)
    return dtypes.get_default().np if otherwise is None else otherwise


def strided_only(options: Options, like: Any = None) -> None:
    """Refuse the layout of sparse tensors, and to make a dense tensor like a sparse one."""
    layout = options.get("layout")
    if layout is dtypes.sparse_coo:
        raise errors.full_sparse()
    if isinstance(like, Tensor) and like.is_sparse and layout is None:
        raise errors.sparse_unavailable("making a tensor like it")


def checked_size(function: str, size: tuple[Any, ...], keyword: Any = None) -> Shape:
    """The shape of `zeros(2, 3)`, `zeros((2, 3))` or `zeros(size=(2, 3))`. TypeError for anything but ints."""
    if keyword is not None:
        size = (keyword,)
    elif not size:
        raise errors.missing_positional(function, "size")
    if len(size) == 1 and isinstance(size[0], tuple | list):
        size = tuple(size[0])
    elif isinstance(size[0], tuple | list):
        raise errors.too_many_positional(function, 1, len(size))
    shape = []
    for position, extent in enumerate(size):
        if isinstance(extent, float | str | bool) or not is_index(extent):
            if position == 0:
                raise errors.argument_type(function, "size", 1, "tuple of ints", extent)
            raise errors.size_item(function, position + 1, extent)
        shape.append(integer(extent))
    return tuple(shape)


def allocate(function: str, shape: Shape, dtype: Any) -> None:
    """Charge the run for a tensor; RuntimeError for negative sizes."""
    for extent in shape:
        if extent < 0:
            if function == "zeros":
                raise errors.negative_size(function)
            raise errors.negative_dimension(extent, shape)
    meter.allocate(math.prod(shape), dtype.itemsize)


def _filled(name: str, fill: Callable[..., Any], doc: str) -> Callable[..., Tensor]:
    def factory(*sizes: Any, size: Any = None, memory_format: Any = None, **options: Unpack[Options]) -> Tensor:
        shape = checked_size(name, sizes, size)
        kind = asked(options, name)
        if options.get("layout") is dtypes.sparse_coo and fill is np.zeros:
            return finished(empty(shape, kind), **options)
        strided_only(options)
        allocate(name, shape, kind)
        value = fill(shape, kind)
        if memory_format is not None:
            value = clone_kernel(value, memory_format)
        return finished(value, **options)

    def laid_out(a: Any) -> Any:
        if not a.ndim or a.flags.c_contiguous:
            return fill(a.shape, a.dtype) if a.ndim else fill((), a.dtype)[()]
        value = empty_like(a, a.dtype)
        value[...] = fill((), a.dtype)
        return value

    @on_batches
    def like(input: Tensor, *, memory_format: Any = None, **options: Unpack[Options]) -> Tensor:
        if not isinstance(input, Tensor):
            raise errors.argument_type(f"{name}_like", "input", 1, "Tensor", input)
        a = input._array
        kind = asked(options, f"{name}_like", a.dtype)
        if type(a) is Coo and fill is np.zeros and options.get("layout") is None:
            return finished(empty(a.shape, kind, a.sparse_dim), **options)
        strided_only(options, input)
        meter.allocate(a.size, kind.itemsize)
        value = empty_like(in_order(a, memory_format), kind)
        value[...] = fill((), kind)
        return finished(value, **options)

    @by_entry
    def new_method(self: Tensor, *sizes: Any, size: Any = None, **options: Unpack[Options]) -> Tensor:
        strided_only(options, self)
        shape = checked_size(f"new_{name}", sizes, size)
        kind = asked(options, f"new_{name}", self._array.dtype)
        allocate(f"new_{name}", shape, kind)
        return finished(fill(shape, kind), **options)

    public("torch", name, doc=doc)(factory)
    public("torch", f"{name}_like", doc=doc)(like)
    public("method", f"new_{name}", doc=doc)(new_method)
    GRAPH[f"{name}_like"] = like
    NUMPY[f"{name}_like"] = laid_out
    return like


zeros_like = _filled("zeros", np.zeros, "A tensor of zeros.")
ones_like = _filled("ones", np.ones, "A tensor of ones.")
_filled("empty", np.zeros, "A tensor whose values do not matter; here they are zeros.")


def _fill_value(value: Any, function: str) -> Any:
    if not isinstance(value, int | float | complex | Tensor | np.generic) or isinstance(value, Tensor) and value.ndim:
        raise errors.argument_type(function, "fill_value", 2, "Number", value)
    return number(value)


@public("torch")
def full(size: Sequence[int], fill_value: Any, **options: Unpack[Options]) -> Tensor:
    """A tensor of one value, whose type is the value's."""
    strided_only(options)
    if not isinstance(size, tuple | list):
        raise errors.argument_type("full", "size", 1, "tuple of ints", size)
    shape = checked_size("full", (size,))
    if isinstance(fill_value, Tensor) and fill_value.requires_grad:
        raise errors.argument_type("full", "fill_value", 2, "Number", fill_value)
    if isinstance(fill_value, np.generic):
        fill_value = number(fill_value)
    kind = numpy_dtype(options.get("dtype"), "full")
    if kind is None:
        if isinstance(fill_value, Tensor):
            kind = fill_value.dtype.np
        else:
            kind = dtypes.of_number(_fill_value(fill_value, "full")).np
    allocate("full", shape, kind)
    value = cast_number(_fill_value(fill_value, "full"), kind, scalar=True)
    return finished(np.full(shape, value), **options)


@public("torch")
@on_batches
def full_like(input: Tensor, fill_value: Any, *, memory_format: Any = None, **options: Unpack[Options]) -> Tensor:
    """A tensor of one value in the shape of another."""
    strided_only(options, input)
    a = input._array
    kind = asked(options, "full_like", a.dtype)
    meter.allocate(a.size, kind.itemsize)
    value = empty_like(in_order(a, memory_format), kind)
    value[...] = cast_number(_fill_value(fill_value, "full_like"), kind, scalar=True)
    return finished(value, **options)


@public("method")
@by_entry
def new_full(self: Tensor, size: Sequence[int], fill_value: Any, **options: Unpack[Options]) -> Tensor:
    """As `torch.full`, of this tensor's type."""
    strided_only(options, self)
    if not isinstance(size, tuple | list):
        raise errors.argument_type("new_full", "size", 1, "tuple of ints", size)
    shape = checked_size("new_full", (size,))
    kind = asked(options, "new_full", self._array.dtype)
    allocate("full", shape, kind)
    value = cast_number(_fill_value(fill_value, "new_full"), kind, scalar=True)
    return finished(np.full(shape, value), **options)


@public("torch")
def eye(n: int, m: int | None = None, **options: Unpack[Options]) -> Tensor:
    """Ones on the diagonal of a matrix of zeros."""
    strided_only(options)
    rows, columns = integer(n), integer(n) if m is None else integer(m)
    for extent, letter in ((rows, "n"), (columns, "m")):
        if extent < 0:
            raise errors.eye_size(extent, letter)
    kind = asked(options, "eye")
    meter.allocate(rows * columns, kind.itemsize)
    return finished(np.eye(rows, columns, dtype=kind), **options)


def _strided(shape: Shape, strides: Shape, kind: Any, options: Options) -> Tensor:
    if len(shape) != len(strides):
        raise errors.as_strided_lengths()
    extent = 1 + sum((n - 1) * s for n, s in zip(shape, strides, strict=True)) if all(shape) else 0
    allocate("empty_strided", (extent,), kind)
    memory = np.zeros(extent, kind)
    return finished(np.ndarray(shape, kind, memory, 0, tuple([s * kind.itemsize for s in strides])), **options)


@public("torch")
def empty_strided(size: Any, stride: Any, **options: Unpack[Options]) -> Tensor:
    """As `empty`, with the given distances between neighbours in memory."""
    strided_only(options)
    kind = asked(options, "empty_strided")
    shape = checked_size("empty_strided", (size,))
    return _strided(shape, checked_size("empty_strided", (stride,)), kind, options)


@public("method")
def new_empty_strided(self: Tensor, size: Any, stride: Any, **options: Unpack[Options]) -> Tensor:
    """As `torch.empty_strided`, of this tensor's type."""
    strided_only(options, self)
    kind = asked(options, "new_empty_strided", self._array.dtype)
    shape = checked_size("new_empty_strided", (size,))
    return _strided(shape, checked_size("new_empty_strided", (stride,)), kind, options)


@public("torch")
def empty_permuted(size: Any, physical_layout: Any, **options: Unpack[Options]) -> Tensor:
    """As `empty`, with the dimensions in memory in the given order."""
    strided_only(options)
    kind = asked(options, "empty_permuted")
    shape = checked_size("empty_permuted", (size,))
    order = wrap_dims(physical_layout, len(shape))
    dense = contiguous_strides([shape[d] for d in order])
    strides = tuple([dense[order.index(d)] for d in range(len(shape))])
    return _strided(shape, strides, kind, options)


@public("torch")
def arange(*args: Any, start: Any = 0, end: Any = None, step: Any = 1, **options: Unpack[Options]) -> Tensor:
    """Numbers from `start`, by `step`, below `end`; int64 if all three are ints."""
    strided_only(options)
    if len(args) == 1:
        end = args[0]
    elif len(args) > 3:
        raise errors.too_many_arguments("arange", 3, len(args))
    elif args:
        start, end, step = (*args, step)[:3]
    if end is None:
        raise errors.arange_arguments()
    single = len(args) == 1
    for place, name, value in ((1, "start", start), (1 if single else 2, "end", end), (3, "step", step)):
        if isinstance(value, Tensor) and (value.requires_grad or value._array.ndim):
            raise errors.argument_type("arange", name, place, "Number", value)
    start, end, step = number(start), number(end), number(step)
    if any(isinstance(v, complex) for v in (start, end, step)):
        raise errors.conversion_overflow("double")
    kind = numpy_dtype(options.get("dtype"), "arange")
    if kind is None:
        whole = all(isinstance(v, int) for v in (start, end, step))
        kind = dtypes.int64.np if whole else dtypes.get_default().np
    elif kind.kind in "iu":
        start, end, step = int(start), int(end), int(step)
    elif kind.kind == "c":
        raise errors.not_implemented_for("arange_cpu", dtypes.of(kind).type_name)
    count = range_length(start, end, step)
    meter.allocate(count, kind.itemsize)
    return finished(arange_values(start, step, count, kind), **options)


def range_length(start: Any, end: Any, step: Any) -> int:
    """How many numbers there are from `start` below `end`."""
    if any(isinstance(v, complex) for v in (start, end, step)):
        raise errors.conversion_overflow("double")
    if any(isinstance(v, int) and not -(1 << 63) <= v < 1 << 63 for v in (start, end, step)):
        raise errors.integer_too_big()
    if step != step:
        raise errors.arange_step()
    if step == 0:
        raise errors.arange_step()
    if not (math.isfinite(start) and math.isfinite(end)):
        raise errors.arange_infinite(start, end)
    if (step > 0) != (end >= start) and end != start:
        raise errors.arange_sign()
    if all(isinstance(v, int) for v in (start, end, step)):
        return int(-((start - end) // step))
    return int(math.ceil((end - start) / step))


@public("torch", "range")
def range_(start: Any, end: Any, step: Any = 1, **options: Unpack[Options]) -> Tensor:
    """Numbers from `start` to `end` inclusive, of the default dtype."""
    strided_only(options)
    errors.warn_range()
    start, end, step = number(start), number(end), number(step)
    kind = asked(options, "range")
    if kind.kind in "iu" and any(isinstance(v, complex) for v in (start, end, step)):
        raise errors.conversion_overflow(f"{kind.name}_t" if kind != np.int32 else "int")
    range_length(start, end, step)
    count = int((end - start) / step) + 1
    meter.allocate(count, kind.itemsize)
    return finished(arange_values(start, step, count, kind), **options)


@public("torch")
def linspace(start: Any, end: Any, steps: int, **options: Unpack[Options]) -> Tensor:
    """`steps` evenly spaced numbers from `start` to `end` inclusive."""
    strided_only(options)
    _check_ends("linspace", start, end)
    start, end = number(start), number(end)
    count, kind = _steps(steps, options, "linspace", start, end)
    return finished(linspace_values(start, end, count, kind), **options)


@public("torch")
def logspace(start: Any, end: Any, steps: int, base: float = 10.0, **options: Unpack[Options]) -> Tensor:
    """Powers of `base` whose exponents are evenly spaced."""
    strided_only(options)
    _check_ends("logspace", start, end)
    start, end = number(start), number(end)
    count, kind = _steps(steps, options, "logspace", start, end)
    return finished(logspace_values(start, end, count, base, kind), **options)


def _check_ends(function: str, start: Any, end: Any) -> None:
    wide = {name: x.ndim for name, x in (("start", start), ("end", end)) if isinstance(x, Tensor) and x.ndim}
    if wide:
        raise errors.linspace_dimensions(function, wide)


def _steps(steps: Any, options: Options, function: str, *ends: Any) -> tuple[int, Any]:
    count = integer(steps)
    if count < 0:
        raise errors.linspace_steps()
    default = dtypes.get_default()
    if any(isinstance(x, complex) for x in ends):
        default = default.to_complex()
    kind = asked(options, function, default.np)
    if default.is_complex and kind.kind != "c":
        raise errors.linspace_complex(function, default.cpp_name, dtypes.of(kind).type_name)
    meter.allocate(count, kind.itemsize)
    return count, kind


def _triangle_indices(name: str, find: Callable[..., Any]) -> None:
    @public("torch", name, doc="Row and column numbers of the elements of a triangle of a matrix, row by row.")
    def indices(
        row: int, col: int, offset: int = 0, *, dtype: Any = dtypes.int64, device: Any = None, layout: Any = None
    ) -> Tensor:
        strided_only({"layout": layout})
        row, col, offset = (
            whole(name, argument, position, value)
            for position, (argument, value) in enumerate((("row", row), ("col", col), ("offset", offset)), 1)
        )
        for argument, value in (("row", row), ("col", col)):
            if value < 0:
                raise errors.negative_extent(argument, value)
        kind = numpy_dtype(dtype, name)
        if kind not in (np.int64, np.int32):
            raise errors.not_implemented_for(name, dtypes.of(kind).type_name)
        meter.allocate(row * col, 8)
        found = np.array(find(row, offset, col), kind).reshape(2, -1)
        return finished(found, False, device)


_triangle_indices("tril_indices", np.tril_indices)
_triangle_indices("triu_indices", np.triu_indices)


@public("torch")
def tensor(
    data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, pin_memory: bool = False
) -> Tensor:
    """A new leaf holding a copy of numbers, nested sequences of them, an array or a tensor."""
    if type(data) is float and dtype is None and device is None and not pin_memory and type(requires_grad) is bool:
        # The commonest call of all: a leaf of one number.
        return Tensor._from_array(dtypes.get_default().np.type(data), requires_grad)
    return _copied(data, dtype, device, requires_grad, pin_memory)


def _given(dtype: Any, device: Any, requires_grad: Any, pin_memory: Any) -> dict[str, Any]:
    """The options of `tensor` that are not the default."""
    places = {name: value for name, value in (("dtype", dtype), ("device", device)) if value is not None}
    switches = (("requires_grad", requires_grad), ("pin_memory", pin_memory))
    return places | {name: value for name, value in switches if value is not False}


def _guarded_tensor(guard: Any) -> Any:
    """The same for users, with a guard for calls that are wrong: see `engine.composites.bindings`."""

    def tensor(
        data: Any = MISSING,
        /,
        *more: Any,
        dtype: Any = None,
        device: Any = None,
        requires_grad: bool = False,
        pin_memory: bool = False,
        **others: Any,
    ) -> Any:
        if not more and not others and data is not MISSING:
            try:
                if type(data) is float and dtype is None and device is None and not pin_memory:
                    if type(requires_grad) is bool:
                        return Tensor._from_array(dtypes.get_default().np.type(data), requires_grad)
                return _copied(data, dtype, device, requires_grad, pin_memory)
            except Exception:
                return guard.failed((data,), _given(dtype, device, requires_grad, pin_memory))
        return guard.otherwise((data,), more, others | _given(dtype, device, requires_grad, pin_memory))

    return tensor


tensor.__dict__["guarded"] = _guarded_tensor


@on_batches
def _copied(data: Any, dtype: Any, device: Any, requires_grad: bool, pin_memory: bool) -> Tensor:
    _copies_construct(data, "torch.tensor")
    return finished(from_data(data, numpy_dtype(dtype, "tensor")), requires_grad, device, pin_memory)


def _copies_construct(data: Any, factory: str) -> None:
    if isinstance(data, Tensor):
        errors.warn_copy_construct(factory)
        if state.observer is not None and data.requires_grad:
            state.observer.left(data, "tensor")


@public("torch")
def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """The tensor itself, a tensor on the memory of an array, or else a copy."""
    if device is not None:
        check_device(device)
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    kind = numpy_dtype(dtype, "as_tensor")
    if isinstance(data, np.ndarray) and kind in (None, data.dtype):
        return from_numpy(data)
    return finished(from_data(data, kind), False)


@public("torch")
def asarray(
    obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None, requires_grad: bool | None = None
) -> Tensor:
    """As `as_tensor`, with `copy=True` for a copy in any case; a tensor is given, or loses, `requires_grad` itself."""
    if copy is False and not isinstance(obj, Tensor | np.ndarray | np.generic):
        raise errors.asarray_alias()
    made = as_tensor(obj, dtype, device)
    if copy:
        made = made.clone()
    if requires_grad is None:
        if isinstance(obj, Tensor) and obj.requires_grad:
            errors.warn_asarray()
    elif requires_grad or made.is_leaf:
        made._set_requires_grad(requires_grad, attribute=False)
    else:
        made = made.detach()
    return made


@public("torch")
def from_numpy(ndarray: Any) -> Tensor:
    """A tensor on the memory of an array."""
    if not isinstance(ndarray, np.ndarray):
        raise errors.not_an_array(ndarray)
    dtypes.of_foreign(ndarray.dtype)
    if any(stride < 0 for stride in ndarray.strides):
        raise errors.negative_strides()
    state.exposed(ndarray)
    made = Tensor._from_array(ndarray)
    share(made)
    return made


@public("torch")
def frombuffer(buffer: Any, *, dtype: Any, count: int = -1, offset: int = 0, requires_grad: bool = False) -> Tensor:
    """A vector on the memory of an array, or of the bytes of an immutable value."""
    if not isinstance(buffer, np.ndarray | bytes):
        raise errors.no_buffer()
    if isinstance(buffer, np.ndarray) and not buffer.flags.c_contiguous:
        raise errors.buffer_unreadable()
    kind = numpy_dtype(dtype, "frombuffer")
    size, length = kind.itemsize, len(buffer) if isinstance(buffer, bytes) else buffer.nbytes
    if not length or not count:
        raise errors.buffer_empty(length, count)
    if not 0 <= offset < length:
        raise errors.buffer_offset(offset, length)
    if count < 0:
        if (length - offset) % size:
            raise errors.buffer_remainder(length - offset, offset, size)
        count = (length - offset) // size
    if count * size > length - offset:
        raise errors.buffer_short(count, size, offset, length)
    if isinstance(buffer, bytes):
        errors.warn_buffer_read_only()
        meter.allocate(count, kind.itemsize)
    truths = kind == np.bool_
    read = np.frombuffer(buffer, np.uint8 if truths else kind, count, offset)
    state.exposed(read)
    made = finished(read != 0 if truths else read if read.flags.writeable else np.array(read), requires_grad)
    share(made)
    return made


@public("torch")
def from_dlpack(ext_tensor: Any, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A tensor on the memory of an array or of another tensor."""
    if isinstance(ext_tensor, Tensor):
        if ext_tensor._requires_grad:
            raise errors.dlpack_requires_grad()
        made = Tensor._from_array(share(ext_tensor))
        share(made)
    elif isinstance(ext_tensor, np.ndarray):
        made = from_numpy(ext_tensor)
    else:
        raise errors.dlpack_capsule()
    return made.clone() if copy else made


@public("torch")
def scalar_tensor(s: Any, **options: Unpack[Options]) -> Tensor:
    """A 0-d tensor of the default dtype."""
    strided_only(options)
    return finished(cast_number(number(s), asked(options, "scalar_tensor"), scalar=True), **options)


@public("method")
def new_tensor(self: Tensor, data: Any, **options: Unpack[Options]) -> Tensor:
    """As `torch.tensor`, of this tensor's type."""
    strided_only(options, self)
    _copies_construct(data, "tensor.new_tensor")
    return finished(from_data(data, asked(options, "new_tensor", self._array.dtype)), **options)
