"""Products of matrices and vectors."""

from __future__ import annotations

from engine.errors.arguments import type_name
from engine.errors.warnings import warn


def not_a_matrix(argument: str) -> RuntimeError:
    return RuntimeError(f"{argument} must be a matrix")


def not_a_matrix_but(argument: str, ndim: int) -> RuntimeError:
    return RuntimeError(f"{argument} must be a matrix, got {ndim}-D tensor")


def not_a_batch(argument: str) -> RuntimeError:
    return RuntimeError(f"{argument} must be a 3D tensor")


def mm_shapes(first: tuple[int, ...], second: tuple[int, ...]) -> RuntimeError:
    sizes = f"{first[0]}x{first[1]} and {second[0]}x{second[1]}"
    return RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({sizes})")


def mm_dtypes(first: str, second: str) -> RuntimeError:
    """Both as C++ spells them."""
    return RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {first} != {second}")


def addmm_dtypes(first: str, second: str) -> RuntimeError:
    return RuntimeError(f"self and mat2 must have the same dtype, but got {first} and {second}")


def expected_scalar_type(expected: str, found: str) -> RuntimeError:
    return RuntimeError(f"expected scalar type {expected} but found {found}")


def bmm_shapes(expected: tuple[int, int], got: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        f"Expected size for first two dimensions of batch2 tensor to be: {list(expected)} but got: {list(got[:2])}."
    )


def vecdot_dtypes(first: str, second: str) -> RuntimeError:
    return RuntimeError(
        f"linalg.vecdot: Expected x and y to have the same dtype, but found x of type {first} and y of type {second} "
        "instead"
    )


def addbmm_batches(first: int, second: int) -> RuntimeError:
    return RuntimeError(f"batch1 and batch2 must have same number of batches, got {first} and {second}")


def addbmm_shapes(first: tuple[int, ...], second: tuple[int, ...]) -> RuntimeError:
    sizes = f"{first[0]}x{first[1]} and {second[0]}x{second[1]}"
    return RuntimeError(f"Incompatible matrix sizes for bmm ({sizes})")


def mv_dimensions(*ndims: int) -> RuntimeError:
    return RuntimeError(f"vector + matrix @ vector expected, got {', '.join(map(str, ndims))}")


def mv_shapes(input: int, mat: tuple[int, ...], vec: int) -> RuntimeError:  # noqa: A002 - PyTorch's name
    return RuntimeError(f"size mismatch, got input ({input}), mat ({mat[0]}x{mat[1]}), vec ({vec})")


def mv_dtypes(*names: str) -> RuntimeError:
    return RuntimeError("addmv input tensors must have the same dtype, but got {}, {}, and {}".format(*names))


def dot_dimensions(first: int, second: int) -> RuntimeError:
    return RuntimeError(f"1D tensors expected, but got {first}D and {second}D tensors")


def dot_dtypes(first: str, second: str) -> RuntimeError:
    return RuntimeError(f"dot : expected both vectors to have same dtype, but found {first} and {second}")


def dot_sizes(first: int, second: int) -> RuntimeError:
    return RuntimeError(
        f"inconsistent tensor size, expected tensor [{first}] and src [{second}] to have the same number of "
        f"elements, but got {first} and {second} elements respectively"
    )


def vector_expected(function: str, argument: str, ndim: int) -> RuntimeError:
    """``outer``, ``addr``."""
    return RuntimeError(f"{function}: Expected 1-D argument {argument}, but got {ndim}-D")


def trace_dimensions(ndim: int) -> RuntimeError:
    return RuntimeError(f"trace: expected a matrix, but got tensor with dim {ndim}")


def inner_shapes(first: tuple[int, ...], second: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        "inner() the last dimension must match on both input tensors but got shapes "
        f"{list(first)} and {list(second)}"
    )


def at_least_1d(function: str, first: int, second: int) -> RuntimeError:
    return RuntimeError(f"both arguments to {function} need to be at least 1D, but they are {first}D and {second}D")


def tensordot_dims(dims: object) -> RuntimeError:
    return RuntimeError(
        "tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] containing two lists, but "
        f"got dims={dims}"
    )


def tensordot_negative(dims: int) -> RuntimeError:
    return RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")


def tensordot_too_many(dims: int) -> RuntimeError:
    return RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")


def tensordot_lengths() -> RuntimeError:
    return RuntimeError("both dimension lists should have same length")


def tensordot_dtypes() -> RuntimeError:
    return RuntimeError("both inputs should have same dtype")


def chain_matmul_dimensions(ndim: int) -> RuntimeError:
    return RuntimeError(f"Tensor dimension is {ndim}, expected 2 instead.")


def chain_matmul_empty() -> RuntimeError:
    return RuntimeError("chain_matmul(): Expected one or more matrices")


def multi_dot_count(count: int) -> RuntimeError:
    return RuntimeError(f"multi_dot(): expected at least 2 tensors but got {count}")


def multi_dot_end(which: str, ndim: int) -> RuntimeError:
    return RuntimeError(f"multi_dot(): the {which} tensor must be 1D or 2D but got {ndim}D")


def multi_dot_dimensions(index: int, ndim: int) -> RuntimeError:
    return RuntimeError(f"multi_dot(): tensor {index} must be 2D but got {ndim}D")


def multi_dot_dtypes(first: str, index: int, other: str) -> RuntimeError:
    return RuntimeError(
        f"multi_dot(): all tensors must have be the same dtype but tensor 0 is {first} and tensor {index} {other}"
    )


def multi_dot_shapes(index: int, first: tuple[int, ...], second: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        f"multi_dot(): tensors {index} and {index + 1} with shapes {list(first)} and {list(second)} cannot be "
        "multiplied"
    )


def expected_tensor_element(index: int, position: int, got: object) -> TypeError:
    return TypeError(f"expected Tensor as element {index} in argument {position}, but got {type_name(got)}")


def einsum_dot(operand: int | None) -> RuntimeError:
    if operand is None:
        return RuntimeError("einsum(): found '.' for output that is not part of any ellipsis (...)")
    return RuntimeError(f"einsum(): found '.' for operand {operand} that is not part of any ellipsis")


def einsum_second_ellipsis(operand: int | None) -> RuntimeError:
    if operand is None:
        return RuntimeError("einsum(): found '.' for output but an ellipsis (...) was already found")
    return RuntimeError(f"einsum(): found '.' for operand {operand} for which an ellipsis was already found")


def einsum_too_many_subscripts(subscripts: int, ndim: int, operand: int) -> RuntimeError:
    return RuntimeError(
        f"einsum(): the number of subscripts in the equation ({subscripts}) is more than the number of dimensions "
        f"({ndim}) for operand {operand}"
    )


def einsum_ellipsis_size(dim: int, operand: int, size: int, seen: int) -> RuntimeError:
    # The missing space is PyTorch's.
    return RuntimeError(
        f"einsum(): dimension {dim} covered by ellipsis in operand {operand}has size {size} which does not broadcast "
        f"with previously seen ellipsis with size {seen} for the respective dimension"
    )


def einsum_sublist() -> ValueError:
    return ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")


def einsum_broadcast() -> RuntimeError:
    return RuntimeError("non-broadcast dimensions must match")


def warn_chain_matmul() -> None:
    warn(
        UserWarning,
        "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use torch.linalg.multi_dot "
        "instead, which accepts a list of two or more tensors rather than multiple parameters.",
        once="chain_matmul",
    )


def cross_dimensions() -> RuntimeError:
    return RuntimeError("linalg.cross: inputs must have the same number of dimensions.")


def cross_no_dimension() -> RuntimeError:
    return RuntimeError("no dimension of size 3 in input")


def derivative_missing(name: str) -> NotImplementedError:
    return NotImplementedError(f"the derivative for '{name}' is not implemented.")


def cosine_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"expected common dtype to be floating point, yet common dtype is {type_name}")


def cdist_mode(mode: object) -> ValueError:
    return ValueError(f"{mode} is not a valid value for compute_mode")


def cdist_dimensions(number: int, ndim: int) -> RuntimeError:
    return RuntimeError(f"cdist only supports at least 2D tensors, X{number} got: {ndim}D")


def cdist_columns(first: int, second: int) -> RuntimeError:
    return RuntimeError(f"X1 and X2 must have the same number of columns. X1: {first} X2: {second}")


def cdist_dtype(number: int, type_name: str) -> RuntimeError:
    """`number`: of the argument."""
    return RuntimeError(f"cdist only supports floating-point dtypes, X{number} got: {type_name}")


def cdist_power() -> RuntimeError:
    return RuntimeError("cdist only supports non-negative p values")


def pdist_dimensions(ndim: int) -> RuntimeError:
    return RuntimeError(f"pdist only supports 2D tensors, got: {ndim}D")


def pdist_power() -> RuntimeError:
    return RuntimeError("pdist only supports non-negative p values")


def bilinear_dimensions(first: int, second: int) -> RuntimeError:
    return RuntimeError(f"bilinear(): input dimensions do not match: got {first} and {second}")


def bilinear_batch(dim: int, first: int, second: int) -> RuntimeError:
    return RuntimeError(f"bilinear(): input batch dimensions do not match at dim {dim}: got {first} and {second}")


def bilinear_size(what: str, got: int, expected: int) -> RuntimeError:
    return RuntimeError(f"bilinear(): {what} size does not match weight size: got {got} but expected {expected}")
