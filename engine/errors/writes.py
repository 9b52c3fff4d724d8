"""Index tensors, masks and sources of ops that write: types and sizes that do not fit."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors.arguments import type_name
from engine.errors.warnings import warn

Shape = Sequence[int]


def index_put_dtypes(destination: str, source: str) -> RuntimeError:
    return RuntimeError(
        f"Index put requires the source and destination dtypes match, got {destination} for the destination and "
        f"{source} for the source."
    )


def index_not_vector(function: str) -> IndexError:
    return IndexError(f"{function}(): Index is supposed to be a vector")


def index_source_dim(dim: int, dimensions: int) -> RuntimeError:
    return RuntimeError(
        f"index_add_(): Indexing dim {dim} is out of bounds of the source tensor with dim {dimensions}"
    )


def index_source_shape(own: Shape, source: Shape) -> RuntimeError:
    return RuntimeError(
        "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
        f"{list(own)} source.shape = {list(source)}"
    )


def gather_size(dim: int, index: Shape, shape: Shape, along: int) -> RuntimeError:
    return RuntimeError(
        f"Size does not match at dimension {dim} expected index {list(index)} to be no larger than self {list(shape)} "
        f"apart from dimension {along}"
    )


def scatter_size(index: Shape, shape: Shape, dim: int, source: Shape | None) -> RuntimeError:
    text = f"Expected index {list(index)} to be no larger than self {list(shape)} apart from dimension {dim}"
    return RuntimeError(text if source is None else f"{text} and to be no larger size than src {list(source)}")


def scatter_dtype(function: str) -> RuntimeError:
    return RuntimeError(f"{function}(): Expected self.dtype to be equal to src.dtype")


def scatter_reduce_argument(choices: str) -> RuntimeError:
    return RuntimeError(f"reduce argument must be either {choices.replace(', ', ' or ', 1)}.")


def scatter_reduce_modes(given: str) -> RuntimeError:
    return RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {given}")


def scatter_reduce_derivable(given: str) -> RuntimeError:
    return RuntimeError(f"Expected 'reduce' to be one of 'sum', 'prod', 'mean', 'amax', 'amin' but got {given}.")


def index_reduce_modes(given: str) -> RuntimeError:
    return RuntimeError(
        f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {given}."
    )


def fill_value_dimensions(function: str, ndim: int) -> RuntimeError:
    """``masked_fill_``, ``index_fill_``."""
    return RuntimeError(
        f"{function} only supports a 0-dimensional value tensor, but got tensor with {ndim} dimension(s)."
    )


def fill_dimensions(ndim: int) -> RuntimeError:
    return RuntimeError(f"fill_ only supports 0-dimension value tensor but got tensor with {ndim} dimensions.")


def fill_arguments(got: object) -> TypeError:
    name = type_name(got)
    wrong = f"      didn't match because some of the arguments have invalid types: (!{name}!)\n"
    return TypeError(
        f"fill_() received an invalid combination of arguments - got ({name}), but expected one of:\n"
        f" * (Tensor value)\n{wrong} * (Number value)\n{wrong}"
    )


def reduced_zeros(function: str, source: str) -> RuntimeError:
    """What a product says to a second derivative where several zeros meet."""
    return RuntimeError(
        f"{function}(): Double backward is unsupported for {source} when >1 zeros in {source} are scattered to the "
        "same position in self"
    )


def masked_scatter_mask(type_name: str) -> RuntimeError:
    return RuntimeError(f"masked_scatter_ only supports boolean masks, but got mask with dtype {type_name}")


def masked_scatter_dtypes(own: str, source: str) -> RuntimeError:
    return RuntimeError(f"masked_scatter: expected self and source to have same dtypes but got{own} and {source}")


def masked_scatter_elements() -> RuntimeError:
    return RuntimeError("Number of elements of source < number of ones in mask")


def take_dtype(function: str, got: str) -> RuntimeError:
    return RuntimeError(f"{function}(): Expected a long tensor for index, but got {got}")


def put_dtypes(own: str, source: str) -> RuntimeError:
    return RuntimeError(f"put_(): self and source expected to have the same dtype, but got self.dtype = {own} and "
                        f"source.dtype = {source}")


def put_sizes(source: int, index: int) -> IndexError:
    return IndexError(
        "put_(): Expected source and index to have the same number of elements, but got source.numel() = "
        f"{source}, index.numel() = {index}"
    )


def copy_shape(own: Shape, source: Shape) -> RuntimeError:
    """``copy_`` of a tensor that does not expand to the destination."""
    extra = len(own) - len(source)
    if extra < 0:
        return RuntimeError(f"output with shape {list(own)} doesn't match the broadcast shape {list(source)}")
    for dim in range(len(own) - 1, extra - 1, -1):
        a, b = own[dim], source[dim - extra]
        if a != b and 1 not in (a, b):
            return RuntimeError(
                f"The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension {dim}"
            )
    broadcast = [max(a, b) for a, b in zip(own, [1] * extra + list(source), strict=True)]
    return RuntimeError(f"output with shape {list(own)} doesn't match the broadcast shape {broadcast}")


def scattered_shape(source: Shape, part: Shape) -> RuntimeError:
    """``select_scatter``, ``slice_scatter``, ``diagonal_scatter``."""
    return RuntimeError(
        "expected src to have a size equal to the slice of self. "
        f"src size = {list(source)}, slice size = {list(part)}"
    )


def warn_index_uint8() -> None:
    """``x[byte mask]``."""
    warn(UserWarning, "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.")


def warn_expanded_write(function: str) -> None:
    """``x.expand(2, 3).masked_fill_(mask, 0)``."""
    example = "tensor[indices] = tensor" if function == "index_put_" else "tensor[mask] = scalar"
    warn(
        UserWarning,
        f"Use of {function} on expanded tensors is deprecated. Please clone() the tensor before performing this "
        f"operation. This also applies to advanced indexing e.g. {example}",
    )


def warn_where_uint8() -> None:
    warn(
        UserWarning,
        "where received a uint8 condition tensor. This behavior is deprecated and will be removed in a future version "
        "of PyTorch. Use a boolean condition instead.",
        once="where_uint8",
    )


def take_along_dimensions(indices: int, ndim: int) -> RuntimeError:
    return RuntimeError(
        "torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
        f"{ndim} dimensions for input, and {indices} dimensions for indices"
    )


def fill_diagonal_dimensions() -> RuntimeError:
    return RuntimeError("dimensions must larger than 1")
