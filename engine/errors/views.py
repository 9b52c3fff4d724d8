"""Views, splits, joins and rearrangements: what is wrong with their arguments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from engine.errors.arguments import type_name

Shape = Sequence[int]


def pad_scalar() -> RuntimeError:
    """``pad_sequence`` of numbers."""
    return RuntimeError("ArrayRef: invalid slice, N = 1; size = 0")


def dim_of_no_dims(dim: int) -> IndexError:
    return IndexError(f"Dimension specified as {dim} but tensor has no dimensions")


def expand_mismatch(target: int, extent: int, dim: int, size: Shape, shape: Shape) -> RuntimeError:
    return RuntimeError(
        f"The expanded size of the tensor ({target}) must match the existing size ({extent}) at non-singleton "
        f"dimension {dim}.  Target sizes: {list(size)}.  Tensor sizes: {list(shape)}"
    )


def broadcast_shapes_type(shape: object) -> RuntimeError:
    return RuntimeError(
        f"Input shapes should be of type ints, a tuple of ints, or a list of ints, got {shape}"
    )


def broadcast_shapes_mismatch(extent: int, dim: int, index: int, given: object, so_far: Shape) -> RuntimeError:
    return RuntimeError(
        f"Attempting to broadcast a dimension of length {extent} at {dim}! Mismatching argument at index {index} had "
        f"{given}; but expected shape should be broadcastable to {list(so_far)}"
    )


def not_expandable(size: Shape, shape: Shape) -> RuntimeError:
    """``sum_to_size``."""
    return RuntimeError(f"size {{{list(size)}}} is not expandable to size {{{list(shape)}}}.")


def unflatten_empty() -> RuntimeError:
    return RuntimeError("unflatten: sizes must be non-empty")


def movedim_repeated(role: str, dims: Shape) -> RuntimeError:
    """``role``: source or destination."""
    return RuntimeError(f"movedim: repeated dim in `{role}` ({list(dims)})")


def movedim_lengths(source: Shape, destination: Shape) -> RuntimeError:
    return RuntimeError(
        f"movedim: Invalid source or destination dims: source ({list(source)} dims) should contain the same number of "
        f"dims as destination ({list(destination)} dims)"
    )


# --- parts


def select_scalar() -> IndexError:
    return IndexError("select() cannot be applied to a 0-dim tensor.")


def slice_scalar() -> IndexError:
    return IndexError("slice() cannot be applied to a 0-dim tensor.")


def slice_step() -> RuntimeError:
    return RuntimeError("slice step must be positive")


def narrow_tensor() -> RuntimeError:
    return RuntimeError("start must be an 0-dim integral Tensor.")


def narrow_scalar() -> RuntimeError:
    return RuntimeError("narrow() cannot be applied to a 0-dim tensor.")


def narrow_negative() -> RuntimeError:
    return RuntimeError("narrow(): length must be non-negative.")


def narrow_start(start: int, extent: int) -> IndexError:
    return IndexError(f"start out of range (expected to be in range of [{-extent}, {extent}], but got {start})")


def diagonal_dims(dim1: int, dim2: int) -> RuntimeError:
    return RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")


def unfold_size(dim: int, extent: int, size: int) -> RuntimeError:
    return RuntimeError(f"maximum size for tensor at dimension {dim} is {extent} but size is {size}")


def unfold_negative(size: int) -> RuntimeError:
    return RuntimeError(f"size is {size} but must be >= 0")


def unfold_step(step: int) -> RuntimeError:
    return RuntimeError(f"step is {step} but must be > 0")


def as_strided_lengths() -> RuntimeError:
    return RuntimeError("mismatch in length of strides and shape")


def as_strided_size(size: Shape, strides: Shape) -> RuntimeError:
    return RuntimeError(f"Storage size calculation overflowed with sizes={list(size)} and strides={list(strides)}")


def as_strided_negative(strides: Shape) -> RuntimeError:
    return RuntimeError(f"as_strided: Negative strides are not supported at the moment, got strides: {list(strides)}")


def resize_elements(requested: Shape, elements: Any, given: Shape) -> RuntimeError:
    """``x.resize``, which has to keep the number of elements."""
    shapes = ["x".join(map(str, shape)) for shape in (requested, given)]
    return RuntimeError(
        f"requested resize to {shapes[0]} ({elements} elements in total), but the given tensor has a size "
        f"of {shapes[1]} ({math.prod(given)} elements). autograd's resize can only change the shape of a given tensor, "
        "while preserving the number of elements. "
    )


def negative_offset(offset: int) -> RuntimeError:
    return RuntimeError(f"Tensor: invalid storage offset {offset}")


def view_outside(sizes: Shape, strides: Shape, offset: int, itemsize: int, available: int) -> RuntimeError:
    """A view whose base has become smaller than the view needs; ``available``: bytes."""
    if offset < 0:
        return negative_offset(offset)
    needed = (offset + 1 + sum((n - 1) * s for n, s in zip(sizes, strides, strict=True))) * itemsize
    return storage_too_small(sizes, strides, offset, itemsize, needed, available)


def storage_too_small(
    sizes: Shape, strides: Shape, offset: int, itemsize: int, needed: int, available: int
) -> RuntimeError:
    """``needed`` and ``available``: bytes."""
    return RuntimeError(
        f"setStorage: sizes {list(sizes)}, strides {list(strides)}, storage offset {offset}, and itemsize {itemsize} "
        f"requiring a storage size of {needed} are out of bounds for storage of size {available}"
    )


# --- splits and joins


def split_scalar(function: str) -> RuntimeError:
    """``function``: split or chunk."""
    return RuntimeError(f"{function} expects at least a 1-dimensional tensor")


def split_sizes_negative(sizes: Shape) -> RuntimeError:
    return RuntimeError(
        f"split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={list(sizes)}"
    )


def sections(count: int) -> RuntimeError:
    """``tensor_split``."""
    return RuntimeError(f"number of sections must be larger than 0, got {count}")


def tensor_split_dtype(got: str) -> RuntimeError:
    return RuntimeError(f"tensor_split expected tensor_indices_or_sections to have dtype of long, but got {got}")


def tensor_split_dimensions(ndim: int) -> RuntimeError:
    return RuntimeError(
        "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor,"
        f" but got a tensor with {ndim} dims"
    )


def tensor_split_scalar() -> RuntimeError:
    return RuntimeError("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")


def split_dimensions(function: str, needed: int, ndim: int) -> RuntimeError:
    """``function``: hsplit, vsplit or dsplit."""
    return RuntimeError(
        f"torch.{function} requires a tensor with at least {needed} dimension, but got a tensor with {ndim} dimensions!"
    )


def split_not_divisible(function: str, dim: int, extent: int, size: int) -> RuntimeError:
    return RuntimeError(
        f"torch.{function} attempted to split along dimension {dim}, but the size of the dimension {extent} is not "
        f"divisible by the split_size {size}!"
    )


def tensor_list(function: str, argument: str, got: Any) -> TypeError:
    return TypeError(
        f"{function}(): argument '{argument}' (position 1) must be tuple of Tensors, not {type_name(got)}"
    )


def list_element(index: int, got: Any) -> TypeError:
    return TypeError(f"expected Tensor as element {index} in argument 0, but got {type_name(got)}")


def cat_scalar(position: int) -> RuntimeError:
    return RuntimeError(f"zero-dimensional tensor (at position {position}) cannot be concatenated")


def block_diag_dimensions(index: int, ndim: int) -> RuntimeError:
    return RuntimeError(
        f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {index} has {ndim} dimensions"
    )


def expected_vector(shape: Shape) -> RuntimeError:
    """``combinations``, ``cartesian_prod``."""
    return RuntimeError(f"Expect a 1D vector, but got shape {list(shape)}")


def index_put_everywhere() -> RuntimeError:
    return RuntimeError(
        "ntensor >= 3 INTERNAL ASSERT FAILED at "
        '"/__w/pytorch/pytorch/aten/src/ATen/native/cpu/IndexKernelUtils.h":8, please report a bug to PyTorch. '
    )


def index_put_mask() -> RuntimeError:
    return RuntimeError("masked_fill_ only supports boolean masks, but got mask with dtype nullptr (uninitialized)")


def index_put_nothing() -> RuntimeError:
    return RuntimeError("sym_strides() called on an undefined Tensor")


def meshgrid_dimensions(tensor: str) -> RuntimeError:
    return RuntimeError(f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {tensor}")


def meshgrid_indexing(indexing: str) -> RuntimeError:
    return RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')


# --- rearrangements


def repeats_negative() -> RuntimeError:
    return RuntimeError("Repeats must be non-negative")


def repeats_size(repeats: int, extent: int, dim: int) -> RuntimeError:
    return RuntimeError(
        "repeats must have the same size as input along dim, but got "
        f"repeats.size(0) = {repeats} and input.size({dim}) = {extent}"
    )


def repeats_dimensions() -> RuntimeError:
    return RuntimeError("repeats must be 0-dim or 1-dim tensor")


def repeats_allocated() -> RuntimeError:
    return RuntimeError("allocated size does not match required size")


def repeats_output_size(expected: int, got: int) -> RuntimeError:
    return RuntimeError(f"repeat_interleave: Invalid output_size, expected {expected} but got {got}")


def roll_empty() -> RuntimeError:
    return RuntimeError("`shifts` required")


def rot90_same(first: int, second: int) -> RuntimeError:
    return RuntimeError(f"expected rotation dims to be different, but got dim0 = {first} and dim1 = {second}")


def rot90_dims(given: int) -> RuntimeError:
    return RuntimeError(f"expected total rotation dims == 2, but got dims = {given}")


def meshgrid_dtypes() -> RuntimeError:
    return RuntimeError("meshgrid expects all tensors to have the same dtype")


def constant_pad_odd(length: int) -> RuntimeError:
    return RuntimeError(f"Length of pad must be even but instead it equals {length}")


def pad_odd() -> RuntimeError:
    return RuntimeError("Padding length must be divisible by 2")


def pad_too_long(length: int, ndim: int) -> RuntimeError:
    return RuntimeError(
        "Length of pad should be no more than twice the number of dimensions of the input. Pad length is "
        f"{length}while the input has {ndim}dimensions."
    )


def channels_last_dimensions(ndim: int) -> RuntimeError:
    kind = "channels_last" if ndim == 4 else "channels_last_3d"
    return RuntimeError(f"required rank {ndim} tensor to use {kind} format")
