"""Parts of tensors and tensors made of parts: splits, joins, grids, repetition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import errors
from engine.batching.level import by_entry
from engine.codegen.publish import public, publish
from engine.composites.shapes import checked_list, contiguous, flatten, publish_sized, reshape_to, tensor_list
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.types import dtypes
from engine.types.plain_printing import plain
from engine.types.shapes import Shape, dims, integer, sizes, whole, wrap_dim

publish("method torch", "select", "diagonal", "tril", "triu", "diag_embed")
publish("method", "unfold")


@public("method torch")
def narrow(input: Tensor, dim: int, start: Any, length: int) -> Tensor:
    """The part of a dimension from `start`, of `length`."""
    if isinstance(start, Tensor) and (start.ndim or start._array.dtype.kind not in "iu"):
        raise errors.narrow_tensor()
    if not input._array.ndim:
        raise errors.narrow_scalar()
    if length < 0:
        raise errors.narrow_negative()
    extent = input._array.shape[wrap_dim(dim, input._array.ndim)]
    begin = integer(start)
    if not -extent <= begin <= extent:
        raise errors.narrow_start(begin, extent)
    begin = begin + extent if begin < 0 else begin
    if begin + length > extent:
        raise errors.narrow_range(begin, length, extent)
    return ops.slice(input, dim, begin, begin + length, 1)


@public("method torch")
def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """The matrix of a vector on its diagonal, or the diagonal of a matrix."""
    ndim = input._array.ndim
    if ndim == 1:
        return ops.diag_embed(input, diagonal)
    if ndim == 2:
        return ops.diagonal_copy(input, diagonal)
    raise errors.diag_dimensions(ndim)


@public("method torch")
def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """All elements on the diagonal of a matrix."""
    return ops.diag_embed(ops.view(contiguous(input), (-1,)), offset)


@public("method torch")
def split(
    tensor: Tensor, split_size_or_sections: Any = None, dim: int = 0, *, split_size: Any = None
) -> tuple[Tensor, ...]:
    """Parts of one size (the last may be smaller), or of the given sizes."""
    size = split_size if split_size_or_sections is None else split_size_or_sections
    if isinstance(size, tuple | list):
        return ops.split_with_sizes(tensor, dims(size), dim)
    if isinstance(size, np.integer):
        raise errors.argument_type("split_with_sizes", "split_sizes", 2, "tuple of ints", size)
    return ops.split(tensor, integer(size), dim)


@public("method torch")
def split_with_sizes(input: Tensor, split_sizes: Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Parts of the given sizes."""
    if not isinstance(split_sizes, tuple | list):
        raise errors.argument_type("split_with_sizes", "split_sizes", 2, "tuple of ints", split_sizes)
    return ops.split_with_sizes(input, dims(split_sizes), dim)


publish("method torch", "unbind")


@public("method torch")
def unsafe_split(input: Tensor, split_size: int, dim: int = 0) -> tuple[Tensor, ...]:
    """`split` into copies."""
    return ops.unsafe_split(input, whole("unsafe_split", "split_size", 1, split_size), dim)


@public("method torch")
def unsafe_split_with_sizes(input: Tensor, split_sizes: Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """`split_with_sizes` into copies."""
    return ops.unsafe_split_with_sizes(input, dims(split_sizes), dim)


def _chunk(row: str) -> Any:
    def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
        if not input._array.ndim:
            raise errors.split_scalar("chunk")
        chunks = whole("chunk", "chunks", 1, chunks)
        if chunks <= 0:
            raise errors.chunk_count(chunks)
        extent = input._array.shape[wrap_dim(dim, input._array.ndim)]
        size = -(-extent // chunks)
        if not size:
            parts = [0] * (chunks - 1) + [extent]
            return getattr(ops, row + "_with_sizes")(input, tuple(parts), dim)
        return getattr(ops, row)(input, size, dim)

    return chunk


for _name, _row in (("chunk", "split"), ("unsafe_chunk", "unsafe_split")):
    public("method torch", _name, doc="At most `chunks` parts of equal size, the last may be smaller.")(_chunk(_row))


@public("method torch")
def tensor_split(
    input: Tensor, indices_or_sections: Any = None, dim: int = 0, *, indices: Any = None, sections: Any = None
) -> tuple[Tensor, ...]:
    """As many parts as asked for, sizes differing by at most one; or cut at the given indices."""
    given = next((each for each in (sections, indices, indices_or_sections) if each is not None), None)
    if not input._array.ndim:
        raise errors.tensor_split_scalar()
    if isinstance(given, Tensor):
        if given._array.dtype != np.int64:
            raise errors.tensor_split_dtype(given.dtype.type_name)
        if given.ndim > 1:
            raise errors.tensor_split_dimensions(given.ndim)
    extent = input._array.shape[wrap_dim(dim, input._array.ndim)]
    if isinstance(given, Tensor):
        meter.charge(given._array.size >> 3)
        given = given._array.tolist()
    if isinstance(given, tuple | list):
        cuts = [0, *map(integer, given), extent]
    else:
        count = integer(given)
        if count <= 0:
            raise errors.sections(count)
        small, larger = divmod(extent, count)
        cuts = [i * small + min(i, larger) for i in range(count + 1)]
    return tuple([ops.slice(input, dim, start, end) for start, end in zip(cuts[:-1], cuts[1:], strict=True)])


def _split_along(name: str, needed: int, axis: int) -> Any:
    def splitter(input: Tensor, *args: Any, **kwargs: Any) -> tuple[Tensor, ...]:
        sections = args[0] if args else next(iter(kwargs.values()))
        ndim = input._array.ndim
        if ndim < needed:
            raise errors.split_dimensions(name, needed, ndim)
        dim = 0 if name == "hsplit" and ndim == 1 else axis
        if isinstance(sections, int):
            extent = input._array.shape[dim]
            if not sections or extent % sections:
                raise errors.split_not_divisible(name, dim, extent, sections)
        return tensor_split(input, sections, dim)

    return splitter


for _name, _needed, _axis in (("hsplit", 1, 1), ("vsplit", 2, 0), ("dsplit", 3, 2)):
    _doc = f"`tensor_split` along dimension {_axis}."
    public("method torch", _name, doc=_doc)(_split_along(_name, _needed, _axis))


def _some(function: str, tensors: Any) -> Sequence[Tensor]:
    """The list of tensors an argument must be, at least one."""
    given = checked_list(function, tensors)
    if not given:
        raise errors.empty_tensor_list(function)
    return given


@public("torch", "cat", "concat", "concatenate")
def cat(tensors: Sequence[Tensor], dim: int = 0, *, axis: int | None = None, out: None = None) -> Tensor:
    """The tensors joined along a dimension they have."""
    given = checked_list("cat", tensors)
    if not given:
        raise errors.cat_empty()
    return ops.cat(given, dim if axis is None else axis)


@public("torch")
def stack(tensors: Sequence[Tensor], dim: int = 0, *, out: None = None) -> Tensor:
    """The tensors joined along a new dimension."""
    given = _some("stack", tensors)
    return ops.stack(given, dim)


def _at_least(ndim: int) -> Any:
    def raised(*tensors: Any) -> Any:
        if len(tensors) == 1 and isinstance(tensors[0], Tensor):
            return _raised(tensors[0], ndim)
        return tuple([_raised(t, ndim) for t in tensor_list(f"atleast_{ndim}d", tensors)])

    return raised


def _raised(x: Tensor, ndim: int) -> Tensor:
    own = x._array.ndim
    if own >= ndim:
        return x
    if not own:
        return reshape_to(x, (1,) * ndim)
    if own == 1:
        x = ops.unsqueeze(x, 0)
    return ops.unsqueeze(x, -1) if ndim == 3 else x


for _ndim in (1, 2, 3):
    _doc = f"The tensors with dimensions of size 1 added until they have {_ndim}."
    public("torch", f"atleast_{_ndim}d", doc=_doc)(_at_least(_ndim))


@public("torch")
def hstack(tensors: Sequence[Tensor], *, out: None = None) -> Tensor:
    """Joined along the second dimension, vectors along the first."""
    given = _some("hstack", tensors)
    raised = [_raised(t, 1) for t in given]
    return ops.cat(raised, 0 if raised[0]._array.ndim == 1 else 1)


@public("torch", "vstack", "row_stack")
def vstack(tensors: Sequence[Tensor], *, out: None = None) -> Tensor:
    """Joined along the first dimension, vectors as rows."""
    given = _some("vstack", tensors)
    return ops.cat([_raised(t, 2) for t in given], 0)


@public("torch")
def dstack(tensors: Sequence[Tensor], *, out: None = None) -> Tensor:
    """Joined along the third dimension."""
    given = _some("dstack", tensors)
    return ops.cat([_raised(t, 3) for t in given], 2)


@public("torch")
def column_stack(tensors: Sequence[Tensor], *, out: None = None) -> Tensor:
    """Joined along the second dimension, vectors as columns."""
    given = _some("column_stack", tensors)
    return hstack([reshape_to(t, (t._array.size, 1)) if t._array.ndim < 2 else t for t in given])


@public("torch")
def block_diag(*tensors: Tensor) -> Tensor:
    """A matrix with the tensors as blocks on its diagonal."""
    if not tensors:
        return Tensor._from_array(np.empty((1, 0), dtypes.get_default().np))
    return ops.block_diag(list(checked_list("block_diag", tensors)))


@public("torch")
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Vectors expanded to a grid, one dimension each; `xy` swaps the first two."""
    given = tensor_list("meshgrid", tensors)
    if indexing is None:
        errors.warn_meshgrid()
        indexing = "ij"
    if not given:
        raise errors.empty_tensor_list("meshgrid")
    if any([t._array.dtype != given[0]._array.dtype for t in given]):
        raise errors.meshgrid_dtypes()
    if indexing not in ("ij", "xy"):
        raise errors.meshgrid_indexing(indexing)
    for t in given:
        if t._array.ndim > 1:
            raise errors.meshgrid_dimensions(plain(t._array, t.dtype.cpp_type))
    order = list(range(len(given)))
    if indexing == "xy" and len(order) > 1:
        order[0], order[1] = 1, 0
    shape = tuple([given[i]._array.size for i in order])
    return tuple(
        [
            ops.expand(ops.view(t, tuple([-1 if i == index else 1 for i in order])), shape)
            for index, t in enumerate(given)
        ]
    )


@public("torch")
def cartesian_prod(*tensors: Any) -> Tensor:
    """All combinations of the elements of vectors, one per row."""
    given = checked_list("cartesian_prod", tensors)
    for t in given:
        if t._array.ndim != 1:
            raise errors.expected_vector(t._array.shape)
    if len(given) == 1:
        return given[0]
    return ops.stack([flatten(grid) for grid in meshgrid(given, indexing="ij")], 1)


@public("torch")
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All choices of `r` elements of a vector, one per row."""
    if input._array.ndim != 1:
        raise errors.expected_vector(input._array.shape)
    if r < 0:
        raise errors.combinations_negative(r)
    if r == 0:
        return Tensor._from_array(np.empty(0, input._array.dtype))
    meter.allocate(input._array.size ** min(r, 64), 8 * r)
    places = np.meshgrid(*[np.arange(input._array.size)] * r, indexing="ij")
    mask = np.ones(places[0].shape, bool)
    for left, right in zip(places[:-1], places[1:], strict=True):
        mask &= left <= right if with_replacement else left < right
    chosen = Tensor._from_array(mask)
    grids = meshgrid(*[input] * r, indexing="ij")
    return ops.stack([ops.masked_select(grid, chosen) for grid in grids], 1)


@public("torch")
def tile(input: Tensor, dims: Sequence[int]) -> Tensor:
    """`repeat` with counts of 1 for leading dimensions that are not named."""
    if not isinstance(dims, tuple | list):
        raise errors.argument_type("tile", "dims", 2, "tuple of ints", dims)
    counts = sizes((dims,))
    return ops.repeat(input, (1,) * (input._array.ndim - len(counts)) + counts)


@public("method torch")
def repeat_interleave(
    input: Tensor, repeats: Any = None, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Each element repeated: so many times all, or each its own number of times."""
    if (input if repeats is None else repeats).__class__ is Tensor and state.batching is not None:
        return _repeated_by_entry(input, repeats, dim, output_size)
    return _repeated(input, repeats, dim, output_size)


def _repeated(input: Tensor, repeats: Any, dim: int | None, output_size: int | None) -> Tensor:
    counted = input if repeats is None else repeats
    if isinstance(repeats, Tensor):
        if repeats.ndim > 1:
            raise errors.repeats_dimensions()
        extent = input._array.size if dim is None else (*input._array.shape, 1)[wrap_dim(dim, input._array.ndim)]
        if repeats._array.size not in (1, extent):
            raise errors.repeats_size(repeats._array.size, extent, 0 if dim is None else dim)
    if isinstance(counted, Tensor) and counted.dtype not in (dtypes.int32, dtypes.int64):
        raise errors.not_implemented_for("repeat_interleave_cpu", counted.dtype.type_name)
    if dim is not None and not input._array.ndim:
        place = wrap_dim(dim, 0)
        raise errors.dim_of_no_dims(dim) if isinstance(repeats, Tensor) else errors.dim_out_of_range(place + 1, 0)
    if repeats is None and input._array.ndim != 1:
        raise errors.repeats_vector()
    if repeats is None:
        counts = input._array
        if (counts < 0).any():
            raise errors.repeats_negative()
        meter.charge(counts.size >> 7)
        meter.allocate(int(counts.sum(dtype=np.float64)), 8)
        return Tensor._from_array(np.repeat(np.arange(counts.size, dtype=counts.dtype), counts))
    x = flatten(input) if dim is None else input
    if not x._array.ndim:
        x = reshape_to(x, (1,))
    axis = wrap_dim(-1 if dim is None else dim, x._array.ndim)
    shape: Shape = x._array.shape
    each = repeats._array.reshape(-1) if isinstance(repeats, Tensor) else np.array([integer(repeats)])
    if (each < 0).any():
        raise errors.repeats_negative()
    if isinstance(repeats, Tensor) and each.size != 1:
        if output_size is not None and output_size != each.sum():
            raise errors.repeats_allocated()
        meter.charge(each.size >> 7)
        meter.allocate(int(each.sum(dtype=np.float64)), 8)
        index = Tensor._from_array(np.repeat(np.arange(each.size), each))
        return ops.index_select(x, axis, index)
    times = int(each[0])
    if output_size is not None and output_size != times * shape[axis]:
        wrong = errors.repeats_output_size(times * shape[axis], output_size)
        raise errors.repeats_allocated() if isinstance(repeats, Tensor) else wrong
    wide = ops.expand(ops.unsqueeze(x, axis + 1), (*shape[: axis + 1], times, *shape[axis + 1 :]))
    return flatten(ops.clone(wide, dtypes.contiguous_format), axis, axis + 1)


_repeated_by_entry = by_entry(_repeated)


@public("torch")
def flip(input: Tensor, dims: Any) -> Tensor:
    """The order of elements reversed along dimensions."""
    if not isinstance(dims, tuple | list):
        raise errors.argument_type("flip", "dims", 2, "tuple of ints", dims)
    return ops.flip(input, sizes((dims,)))


publish_sized("repeat", "repeats", ops.repeat, "Copies side by side, so many along each dimension.")
publish_sized("tile", "dims", tile, "As `torch.tile`, the counts as arguments or as one sequence.")
publish_sized("flip", "dims", ops.flip, "As `torch.flip`, the dimensions as arguments or as one sequence.")


@public("method torch")
def fliplr(input: Tensor) -> Tensor:
    """Columns in reverse order."""
    if input._array.ndim < 2:
        raise errors.flip_dimensions("fliplr", 2)
    return ops.flip(input, (1,))


@public("method torch")
def flipud(input: Tensor) -> Tensor:
    """Rows in reverse order."""
    if input._array.ndim < 1:
        raise errors.flip_dimensions("flipud", 1)
    return ops.flip(input, (0,))


@public("method torch")
def roll(input: Tensor, shifts: Any, dims: Any = ()) -> Tensor:
    """Elements shifted along dimensions, those pushed out coming back in."""
    return ops.roll(input, sizes((shifts,)), () if dims is None else sizes((dims,)))


@public("method torch")
def rot90(input: Tensor, k: int = 1, dims: Sequence[int] = (0, 1)) -> Tensor:
    """The tensor turned by `k` quarter turns in the plane of two dimensions."""
    return ops.rot90(input, integer(k), sizes((dims,)))


@public("torch")
def constant_pad_nd(input: Tensor, pad: Sequence[int], value: Any = 0) -> Tensor:
    """Constants added around: `pad` is (before, after) for the last dimension, the last but one, and so on."""
    return ops.constant_pad_nd(input, sizes((pad,)), value)
