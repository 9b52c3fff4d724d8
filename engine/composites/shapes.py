"""The forms in which users reshape and transpose.

`x.view(2, 3)` and `x.view((2, 3))` are one row; `flatten` is a view or a copy in another shape.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine import errors
from engine.codegen.publish import public, publish
from engine.core.registry import GRAPH, NUMPY, ops
from engine.core.tensor import Tensor
from engine.kernels.shape import in_format
from engine.ops.shape import sum_to
from engine.types import dtypes
from engine.types.shapes import broadcast, dims, infer_size, integer, sizes, wrap_dim

publish("method torch", "transpose", "t", "unsqueeze")
publish("method torch", "transpose", names="swapdims")


@public("method torch")
def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """`transpose` under numpy's name."""
    return ops.transpose(input, axis0, axis1)


def named_sizes(function: str, given: tuple[Any, ...], named: dict[str, Any], name: str) -> tuple[Any, ...]:
    """The sizes of `f(size=(2, 3))`. TypeError for another keyword, or sizes given twice."""
    if given or set(named) != {name}:
        raise errors.unexpected_keyword(function, next((k for k in named if k != name), name))
    return (named[name],)


def tensor_list(function: str, tensors: Any) -> Sequence[Tensor]:
    """The tensors of `f([a, b])` and `f(a, b)`. TypeError when something else is among them."""
    if len(tensors) == 1 and isinstance(tensors[0], tuple | list):
        tensors = tensors[0]
    return checked_list(function, tensors)


def checked_list(function: str, tensors: Any) -> Sequence[Tensor]:
    """The list of tensors an argument must be. TypeError otherwise."""
    if not isinstance(tensors, tuple | list):
        raise errors.tensor_list(function, "tensors", tensors)
    for index, t in enumerate(tensors):
        if not isinstance(t, Tensor):
            raise errors.expected_tensor_element(index, 0, t)
    return tensors


def reshape_to(x: Tensor, shape: Sequence[int]) -> Tensor:
    """A view where the memory allows it, otherwise a copy in C order."""
    a = x._array
    if a.flags.c_contiguous:
        return ops.view(x, shape)
    size = infer_size(shape, a.size)
    try:
        a.reshape(size, copy=False)
    except ValueError:
        return ops._unsafe_view(ops.clone(x, dtypes.contiguous_format), size)
    return ops._reshape_alias(x, size)


GRAPH["reshape"] = reshape_to
NUMPY["reshape"] = lambda a, shape: a.reshape(shape)  # np.reshape takes three times as long to get there


@public("method")
def view(self: Tensor, *size: Any, dtype: Any = None, **named: Any) -> Tensor:
    """The same memory in another shape; with a dtype, the same bytes read as another type."""
    if named:
        size = named_sizes("view", size, named, "size")
    elif not size and dtype is None:
        raise errors.missing_positional("view", "size")
    if len(size) == 1 and (isinstance(size[0], dtypes.dtype) or isinstance(size[0], type)):
        dtype = size[0]
    if dtype is not None:
        return view_dtype(self, dtypes.asked(dtype))
    return ops.view(self, sizes(size))


def view_dtype(x: Tensor, dtype: dtypes.dtype) -> Tensor:
    """The same bytes read as another type; the last dimension grows or shrinks with the size of an element."""
    if x._array.dtype == dtype.np:
        return x.detach()
    return ops.view_dtype(x, dtype.np)


@public("method")
def view_as(self: Tensor, other: Tensor) -> Tensor:
    """`view` with the shape of `other`."""
    return ops.view(self, other._array.shape)


def publish_sized(name: str, argument: str, call: Callable[[Tensor, Any], Tensor], doc: str) -> None:
    """Publish a method that takes whole numbers as arguments, as one sequence, or by the name of its argument."""

    @public("method", name, doc=doc)
    def method(self: Tensor, *given: Any, **named: Any) -> Tensor:
        if not given and not named:
            raise errors.missing_positional(name, argument)
        return call(self, sizes(named_sizes(name, given, named, argument) if named else given))


publish_sized("reshape", "shape", reshape_to, "As `torch.reshape`, the sizes as arguments or as one sequence.")


@public("torch")
def reshape(input: Tensor, shape: Sequence[int]) -> Tensor:
    """The same elements in another shape: a view where the memory allows it, otherwise a copy."""
    return reshape_to(input, sizes((shape,)))


@public("method")
def reshape_as(self: Tensor, other: Tensor) -> Tensor:
    """`reshape` to the shape of `other`."""
    return reshape_to(self, other._array.shape)


@public("method torch")
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """One dimension in place of those from `start_dim` to `end_dim`."""
    shape = input._array.shape
    start, end = wrap_dim(start_dim, len(shape)), wrap_dim(end_dim, len(shape))
    if start > end:
        raise errors.flatten_order()
    if not shape:
        return reshape_to(input, (1,))
    if start == end:
        return input
    merged = 1
    for extent in shape[start : end + 1]:
        merged *= extent
    return reshape_to(input, (*shape[:start], merged, *shape[end + 1 :]))


@public("method torch")
def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    """A dimension split into several, the opposite of `flatten`."""
    shape = input._array.shape
    if not isinstance(sizes, list | tuple):
        raise errors.argument_type("unflatten", "sizes", 2, "tuple of ints", sizes)
    if not sizes:
        raise errors.unflatten_empty()
    dim = wrap_dim(dim, len(shape))
    if not shape:
        raise errors.unflatten_scalar(dim)
    extent = shape[dim]
    given = [integer(n) for n in sizes]
    product = 1
    for n in given:
        product *= n
    fits = extent % -product == 0 if product < 0 and given.count(-1) == 1 else product == extent
    if not fits:
        raise errors.unflatten_sizes(given, dim, extent)
    return ops.view(input, (*shape[:dim], *given, *shape[dim + 1 :]))


@public("method torch")
def ravel(input: Tensor) -> Tensor:
    """One dimension, copied only if the memory is not in order."""
    return ops.view(contiguous(input), (-1,))


@public("method")
def contiguous(self: Tensor, *, memory_format: Any = dtypes.contiguous_format) -> Tensor:
    """The tensor itself when its memory is in C order, otherwise a copy that is."""
    if in_format(self._array, memory_format):
        return self
    return ops.clone(self, memory_format)


@public("method torch")
def clone(input: Tensor, *, memory_format: Any = None) -> Tensor:
    """A copy that the gradient flows through."""
    return ops.clone(input, memory_format)


@public("method")
def expand(self: Tensor, *size: Any, implicit: bool = False, **named: Any) -> Tensor:
    """A view in which dimensions of size 1 are repeated; -1 keeps a size."""
    if not size and not named:
        raise errors.missing_positional("expand", "size")
    if not isinstance(implicit, bool):
        raise errors.keyword_type("expand", "implicit", "bool", implicit)
    return ops.expand(self, sizes(named_sizes("expand", size, named, "size") if named else size))


@public("method")
def expand_as(self: Tensor, other: Tensor) -> Tensor:
    """`expand` to the shape of `other`."""
    return ops.expand(self, other._array.shape)


@public("method torch")
def broadcast_to(input: Tensor, *dims: Any, size: Any = None) -> Tensor:
    """`expand` as a function."""
    return ops.expand(input, sizes(dims if size is None else (size,)))


@public("torch")
def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """The tensors expanded to one shape; those that have it already are returned themselves."""
    given = checked_list("broadcast_tensors", tensors)
    shape = broadcast(*[t._array.shape for t in given])
    return tuple([t if t._array.shape == shape else ops.expand(t, shape) for t in given])


@public("torch")
def broadcast_shapes(*shapes: Any) -> dtypes.Size:
    """The shape that all of `shapes` broadcast to."""
    result: list[int] = []
    for index, given in enumerate(shapes):
        if not isinstance(given, int | tuple | list):
            raise errors.broadcast_shapes_type(given)
        shape = dims(given)
        result = [1] * (len(shape) - len(result)) + result
        for offset in range(1, len(shape) + 1):
            if shape[-offset] not in (1, result[-offset]):
                if result[-offset] != 1:
                    shown = shape if isinstance(given, int) else given
                    raise errors.broadcast_shapes_mismatch(shape[-offset], -offset, index, shown, result)
                result[-offset] = shape[-offset]
    return dtypes.size(tuple(result))


@public("method")
def sum_to_size(self: Tensor, *size: Any) -> Tensor:
    """The sum over what broadcasting `size` to this shape would repeat."""
    if not size:
        raise errors.missing_positional("sum_to_size", "size")
    shape = sizes(size)
    own = self._array.shape
    extra = len(own) - len(shape)
    if extra < 0 or any(n not in (1, m) for n, m in zip(shape, own[extra:], strict=True)):
        raise errors.not_expandable(shape, own)
    return sum_to(self, shape)


@public("method", "squeeze")
def squeeze_method(self: Tensor, *dim: Any, **kwargs: Any) -> Tensor:
    """As `torch.squeeze`."""
    if len(dim) > 1:
        return squeeze(self, dim)
    if "axis" in kwargs:
        kwargs["dim"] = kwargs.pop("axis")
    return squeeze(self, *dim, **kwargs)


_ALL: Any = object()


@public("torch")
def squeeze(input: Tensor, dim: Any = _ALL) -> Tensor:
    """The tensor without its dimensions of size 1, or without those of them that are named."""
    if dim is _ALL:
        return ops.squeeze(input)
    if isinstance(dim, tuple | list):
        return ops.squeeze_dims(input, dims(dim))
    return ops.squeeze_dim(input, integer(dim))


@public("method", "permute")
def permute_method(self: Tensor, *dims: Any, **named: Any) -> Tensor:
    """As `torch.permute`, the dimensions as arguments or as one sequence."""
    if not dims and not named:
        raise errors.missing_positional("permute", "dims")
    if isinstance(named.get("dims"), int):
        raise errors.keyword_type("permute", "dims", "tuple of ints", named["dims"])
    return ops.permute(self, sizes(named_sizes("permute", dims, named, "dims") if named else dims))


@public("torch")
def permute(input: Tensor, dims: Sequence[int]) -> Tensor:
    """The dimensions in another order."""
    if isinstance(dims, int):
        raise errors.argument_type("permute", "dims", 2, "tuple of ints", dims)
    return ops.permute(input, sizes((dims,)))


@public("method torch", "movedim", "moveaxis")
def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """Dimensions moved to other positions, the others kept in order."""
    ndim = input._array.ndim
    if isinstance(source, int) != isinstance(destination, int):
        raise errors.movedim_kinds(source, destination)
    from_, to = dims(source), dims(destination)
    if len(from_) != len(to):
        raise errors.movedim_lengths(from_, to)
    wrapped_from, wrapped_to = [wrap_dim(d, ndim) for d in from_], [wrap_dim(d, ndim) for d in to]
    for role, given, wrapped in (("source", from_, wrapped_from), ("destination", to, wrapped_to)):
        if len(set(wrapped)) != len(wrapped):
            raise errors.movedim_repeated(role, given)
    if not ndim:
        return ops.alias(input)
    rest = iter([d for d in range(ndim) if d not in wrapped_from])
    moved = dict(zip(wrapped_to, wrapped_from, strict=True))
    return ops.permute(input, tuple([moved[d] if d in moved else next(rest) for d in range(ndim)]))


def _reversed(self: Tensor) -> Tensor:
    """`x.T`: all dimensions in reverse order."""
    ndim = self._array.ndim
    if not ndim:
        errors.warn_transpose_of_scalar("T")
    elif ndim != 2:
        errors.warn_transpose_of_many_dimensions()
    return ops.permute(self, tuple(range(ndim - 1, -1, -1)))


def _matrix_transposed(self: Tensor) -> Tensor:
    """`x.mT`: the last two dimensions swapped."""
    if self._array.ndim < 2:
        if self._array.ndim:
            raise errors.matrix_transpose("mT", 1)
        errors.warn_transpose_of_scalar("mT")
        return self
    return ops.transpose(self, -2, -1)


def _adjoint(self: Tensor) -> Tensor:
    """`x.mH`: transposed and conjugated."""
    if self._array.ndim < 2:
        if self._array.ndim:
            raise errors.matrix_transpose("mH", 1)
        errors.warn_transpose_of_scalar("mH")
        return _conjugated(self)
    return _conjugated(ops.transpose(self, -2, -1))


def _matrix_adjoint(self: Tensor) -> Tensor:
    """`x.H`: transposed and conjugated, for matrices only."""
    if self._array.ndim not in (0, 2):
        raise errors.adjoint_dimensions(self._array.ndim)
    if not self._array.ndim:
        errors.warn_transpose_of_scalar("H")
        return _conjugated(self)
    return _conjugated(ops.transpose(self, 0, 1))


def _conjugated(x: Tensor) -> Tensor:
    return x.conj() if x._array.dtype.kind == "c" else x


for _name, _function in (("T", _reversed), ("mT", _matrix_transposed), ("mH", _adjoint), ("H", _matrix_adjoint)):
    setattr(Tensor, _name, property(_function))


@public("method torch")
def adjoint(input: Tensor) -> Tensor:
    """The last two dimensions swapped, and conjugated."""
    if input._array.ndim == 1:
        raise errors.matrix_transpose("adjoint()", 1)
    if not input._array.ndim:
        errors.warn_adjoint_of_scalar()
        return _conjugated(input)
    return _adjoint(input)
