"""Reading and writing parts of a tensor."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors.arguments import type_name

Shape = Sequence[int]


def index_out_of_bounds(index: int, dim: int, size: int) -> IndexError:
    return IndexError(f"index {index} is out of bounds for dimension {dim} with size {size}")


def index_of_nothing() -> IndexError:
    """Positions asked of a dimension without any."""
    return IndexError("index is out of bounds for dimension with size 0")


def index_of_scalar() -> IndexError:
    return IndexError(
        "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a "
        "0-dim tensor to a number"
    )


def too_many_indices(ndim: int, given: int | None = None) -> IndexError:
    """`given` is told where indices are a list: ``index_put_``."""
    return IndexError(f"too many indices for tensor of dimension {ndim}{'' if given is None else f' (got {given})'}")


def index_type(index: object) -> IndexError:
    return IndexError(
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got "
        f"{type_name(index)})"
    )


def index_dtype() -> IndexError:
    """A float tensor as an index."""
    return IndexError("tensors used as indices must be long, int, byte or bool tensors")


def negative_step() -> ValueError:
    return ValueError("step must be greater than zero")


def mask_shape(mask: Shape, mask_dim: int, shape: Shape, dim: int) -> IndexError:
    return IndexError(
        f"The shape of the mask {list(mask)} at index {mask_dim} does not match the shape of the indexed tensor "
        f"{list(shape)} at index {dim}"
    )


def index_shapes(*shapes: Shape) -> IndexError:
    """Index tensors that do not broadcast with each other."""
    listed = ", ".join(str(list(shape)) for shape in shapes)
    return IndexError(f"shape mismatch: indexing tensors could not be broadcast together with shapes {listed}")


def index_value_shape(value: Shape, result: Shape) -> RuntimeError:
    """``x[index] = value``."""
    return RuntimeError(
        f"shape mismatch: value tensor of shape {list(value)} cannot be broadcast to indexing result of shape "
        f"{list(result)}"
    )


def assigned_type(value: object, tensor_type: str) -> TypeError:
    return TypeError(f"can't assign a {type_name(value)} to a {tensor_type}")


def index_in_self() -> IndexError:
    """``index_select``, ``index_add``, ``embedding``."""
    return IndexError("index out of range in self")


def indices_outside(index: int, size: int) -> RuntimeError:
    """``index_select`` along the second dimension."""
    return RuntimeError(f"INDICES element is out of DATA bounds, id={index} axis_dim={size}")


def select_out_of_range(index: int, shape: Shape, dim: int) -> IndexError:
    return IndexError(f"select(): index {index} out of range for tensor of size {list(shape)} at dimension {dim}")


def gather_index(index: int, dim: int, size: int) -> RuntimeError:
    """``gather``, ``scatter``: here the exception is a RuntimeError."""
    return RuntimeError(f"index {index} is out of bounds for dimension {dim} with size {size}")


def gather_dimensions(of: str) -> RuntimeError:
    return RuntimeError(f"Index tensor must have the same number of dimensions as {of} tensor")


def index_to_scalar(count: int) -> RuntimeError:
    return RuntimeError(f"index_select(): Index to scalar can have only 1 value, got {count} value(s)")


def gather_dtype(function: str, types: str = "int32/int64") -> RuntimeError:
    """``gather(): Expected dtype int32/int64 for index``; ``index_select`` says ``int32 or int64``."""
    return RuntimeError(f"{function}(): Expected dtype {types} for index")


def index_fill_dtype() -> IndexError:
    return IndexError("index_fill_(): Expected dtype int64 for index.")


def index_fill_vector() -> RuntimeError:
    return RuntimeError("Index has to be a vector/scalar")


def index_fill_complex() -> RuntimeError:
    return RuntimeError("index_fill_(): Converting complex Scalar to non-complex type is not supported")


def index_add_index(function: str, type_name: str) -> RuntimeError:
    """``index_add``, ``index_reduce``."""
    return RuntimeError(f"{function}_(): Expected dtype int32/int64 for index but got: {type_name}")


def index_add_vector(function: str, type_name: str, shape: Shape) -> IndexError:
    given = f"dim: {len(shape)} with type: {type_name} and size: {list(shape)}"
    return IndexError(f"{function}_(): Index is supposed to be a vector, but got {given}")


def index_count(function: str, indices: int, size: int, dim: int) -> RuntimeError:
    return RuntimeError(
        f"{function}(): Number of indices ({indices}) should be equal to source.size(dim): ({size}), for dim: {dim}"
    )


def index_copy_index(ndim: int) -> IndexError:
    return IndexError(f"index_copy_(): Index should have dimension 1 or 0 (got {ndim})")


def index_copy_scalar(count: int) -> IndexError:
    return IndexError(f"index_copy_(): When source is scalar, index should have one element (got {count})")


def index_copy_dimensions(source: int, destination: int) -> IndexError:
    return IndexError(
        "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source "
        f"dimensionality ({source}), destination dimensionality ({destination})"
    )


def index_copy_index_dtype(found: str) -> RuntimeError:
    return RuntimeError(f"index_copy_(): Expected a long tensor for index, but got {found}")


def index_copy_slices(destination: Shape, dim: int, source: Shape) -> RuntimeError:
    own, other = (" ".join(map(str, shape)) for shape in (destination, source))
    return RuntimeError(
        "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: "
        f"{own} at dimension {dim} and source slice shape: {other} at dimension 0."
    )


def index_copy_count(indices: int, size: int) -> IndexError:
    return IndexError(f"index_copy_(): Number of indices ({indices}) should be equal to source.size(dim) ({size})")


def index_copy_out_of_bounds(index: int, dim: int, size: int) -> IndexError:
    return IndexError(f"index_copy_(): index {index} is out of bounds for dimension {dim} with size {size}")


def take_from_empty() -> IndexError:
    return IndexError("take(): tried to take from an empty tensor")


def take_out_of_range(index: int, elements: int) -> IndexError:
    return IndexError(f"out of range: tried to access index {index} on a tensor of {elements} elements.")


def masked_fill_mask(cpp_name: str) -> RuntimeError:
    return RuntimeError(f"masked_fill_ only supports boolean masks, but got mask with dtype {cpp_name}")


def masked_select_mask() -> RuntimeError:
    return RuntimeError("masked_select: expected BoolTensor for mask")


def dimension_specifier(value: object) -> TypeError:
    """``Tensor.index``."""
    return TypeError(f"expected a dimension specifyer but found {value!r}")


def take_along_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"torch.take_along_dim(): dtype of indices should be Long but got {type_name}")
