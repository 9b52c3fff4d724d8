"""Shapes and dimensions: broadcasting, views, joining, splitting, reducing."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors.arguments import type_name

Shape = Sequence[int]


def broadcast_mismatch(first: int, second: int, dim: int) -> RuntimeError:
    """Two tensors that do not broadcast; ``dim``: counted in the result."""
    return RuntimeError(
        f"The size of tensor a ({first}) must match the size of tensor b ({second}) at non-singleton dimension {dim}"
    )


# --- dimensions


def dim_out_of_range(dim: int, ndim: int) -> IndexError:
    """A 0-d tensor counts as one dimension."""
    ndim = max(ndim, 1)
    return IndexError(f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {dim})")


def repeats_vector() -> RuntimeError:
    return RuntimeError("repeat_interleave only accept 1D vector as repeat")


def logsumexp_all(ndim: int) -> RuntimeError:
    return RuntimeError(f"output with shape [] doesn't match the broadcast shape {[1] * ndim}")


def repeated_dim(dim: int) -> RuntimeError:
    return RuntimeError(f"dim {dim} appears multiple times in the list of dims")


def permute_length(ndim: int, dims: int) -> RuntimeError:
    return RuntimeError(
        "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
        f"ordering of dimensions i.e. input.dim() = {ndim} is not equal to len(dims) = {dims}"
    )


def permute_duplicates() -> RuntimeError:
    return RuntimeError("permute(): duplicate dims are not allowed.")


def t_dimensions(ndim: int, name: str = "t") -> RuntimeError:
    """``t()``, ``t_()``."""
    return RuntimeError(f"{name}() expects a tensor with <= 2 dimensions, but self is {ndim}D")


def matrix_transpose(name: str, ndim: int) -> RuntimeError:
    """``mT``, ``mH``."""
    return RuntimeError(f"tensor.{name} is only supported on matrices or batches of matrices. Got {ndim}-D tensor.")


def adjoint_dimensions(ndim: int) -> RuntimeError:
    """``H``."""
    hint = " For batches of matrices, consider using tensor.mH" if ndim > 2 else ""
    return RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {ndim}-D tensor.{hint}")


def flatten_order() -> RuntimeError:
    return RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")


def unflatten_scalar(dim: int) -> RuntimeError:
    return RuntimeError(
        f"unflatten got an unexpected error:\nDimension specified as {dim} but tensor has no dimensions"
    )


def unflatten_sizes(sizes: Shape, dim: int, extent: int) -> RuntimeError:
    return RuntimeError(
        f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} ({extent}) in the input "
        "tensor"
    )


def too_few_dimensions(function: str) -> RuntimeError:
    """``tril``, ``triu``."""
    return RuntimeError(f"{function}: input tensor must have at least 2 dimensions")


def diag_dimensions(ndim: int) -> RuntimeError:
    return RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {ndim}D")


def rot90_dimensions(ndim: int) -> RuntimeError:
    return RuntimeError(f"expected total dims >= 2, but got total dims = {ndim}")


def roll_lengths(shifts: int, dims: int) -> RuntimeError:
    return RuntimeError(f"shifts and dimensions must align. shifts: {shifts}, dims:{dims}")


# --- views and expansion


def invalid_shape(shape: Shape, elements: int) -> RuntimeError:
    """``view``/``reshape`` to another number of elements."""
    return RuntimeError(f"shape '{list(shape)}' is invalid for input of size {elements}")


def two_inferred() -> RuntimeError:
    return RuntimeError("only one dimension can be inferred")


def invalid_extent(extent: int, index: int, shape: Shape) -> RuntimeError:
    return RuntimeError(f"invalid shape dimension {extent} at index {index} of shape {list(shape)}")


def ambiguous_shape(shape: Shape) -> RuntimeError:
    return RuntimeError(
        f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified dimension size -1 can "
        "be any value and is ambiguous"
    )


def not_viewable() -> RuntimeError:
    return RuntimeError(
        "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
        "contiguous subspaces). Use .reshape(...) instead."
    )


def expand_too_few(tensor_type: str, size: Shape, target: Shape) -> RuntimeError:
    """``expand`` to fewer dimensions; ``tensor_type``: ``torch.FloatTensor``."""
    return RuntimeError(
        f"expand({tensor_type}{{{list(size)}}}, size={list(target)}): the number of sizes provided ({len(target)}) "
        f"must be greater or equal to the number of dimensions in the tensor ({len(size)})"
    )


def expand_leading(extent: int, dim: int) -> RuntimeError:
    return RuntimeError(
        f"The expanded size of the tensor ({extent}) isn't allowed in a leading, non-existing dimension {dim}"
    )


def repeat_too_few() -> RuntimeError:
    return RuntimeError(
        "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
    )


# --- joining and splitting


def cat_empty() -> ValueError:
    return ValueError("torch.cat(): expected a non-empty list of Tensors")


def cat_dimensions(first: int, other: int) -> RuntimeError:
    return RuntimeError(f"Tensors must have same number of dimensions: got {first} and {other}")


def cat_sizes(dim: int, expected: int, got: int, number: int) -> RuntimeError:
    """``number``: which tensor of the list."""
    return RuntimeError(
        f"Sizes of tensors must match except in dimension {dim}. Expected size {expected} but got size {got} for "
        f"tensor number {number} in the list."
    )


def empty_tensor_list(function: str) -> RuntimeError:
    """``stack``, ``hstack``, ``vstack`` …"""
    return RuntimeError(f"{function} expects a non-empty TensorList")


def stack_sizes(first: Shape, other: Shape, number: int) -> RuntimeError:
    return RuntimeError(
        f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 and {list(other)} at entry "
        f"{number}"
    )


def split_size_zero(extent: int) -> RuntimeError:
    return RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {extent}")


def split_size_negative(size: int) -> RuntimeError:
    return RuntimeError(f"split expects split_size be non-negative, but got split_size={size}")


def split_sizes(extent: int, dim: int, sizes: Shape) -> RuntimeError:
    return RuntimeError(
        f"split_with_sizes expects split_sizes to sum exactly to {extent} (input tensor's size at dimension {dim}), "
        f"but got split_sizes={list(sizes)}"
    )


def chunk_count(chunks: int) -> RuntimeError:
    return RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")


def narrow_range(start: int, length: int, extent: int) -> RuntimeError:
    return RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({extent}).")


# --- reductions


def arg_reduce_empty(function: str) -> IndexError:
    """``argmax()``, ``argmin()`` of no elements."""
    return IndexError(f"{function}(): Expected reduction dim to be specified for input.numel() == 0.")


def topk_range() -> RuntimeError:
    return RuntimeError("selected index k out of range")


# --- einsum, tensordot, meshgrid


def einsum_no_operands() -> ValueError:
    return ValueError(
        "einsum(): must specify the equation string and at least one operand, or at least one operand and its "
        "subscripts list"
    )


def einsum_operands(fewer: bool) -> RuntimeError:
    many = "fewer" if fewer else "more"
    return RuntimeError(f"einsum(): {many} operands were provided than specified in the equation")


def einsum_subscript(index: int) -> RuntimeError:
    return RuntimeError(
        f"einsum(): invalid subscript given at index {index} in the equation string, subscripts must be in [a-zA-Z]"
    )


def einsum_dimensions(subscripts: int, ndim: int, operand: int) -> RuntimeError:
    return RuntimeError(
        f"einsum(): the number of subscripts in the equation ({subscripts}) does not match the number of dimensions "
        f"({ndim}) for operand {operand} and no ellipsis was given"
    )


def einsum_sizes(subscript: str, size: int, operand: int, seen: int) -> RuntimeError:
    return RuntimeError(
        f"einsum(): subscript {subscript} has size {size} for operand {operand} which does not broadcast with "
        f"previously seen size {seen}"
    )


def einsum_repeated_sizes(subscript: str, operand: int, size: int, seen: int) -> RuntimeError:
    return RuntimeError(
        f"einsum(): subscript {subscript} is repeated for operand {operand} but the sizes don't match, "
        f"{size} != {seen}"
    )


def einsum_unknown_output(subscript: str) -> RuntimeError:
    return RuntimeError(
        f"einsum(): output subscript {subscript} does not appear in the equation for any input operand"
    )


def einsum_output_twice(subscript: str) -> RuntimeError:
    return RuntimeError(f"einsum(): output subscript {subscript} appears more than once in the output")


def tensordot_sizes(first: int, first_dim: int, second: int, second_dim: int) -> RuntimeError:
    return RuntimeError(
        f"contracted dimensions need to match, but first has size {first} in dim {first_dim} and second has size "
        f"{second} in dim {second_dim}"
    )


def cross_sizes(dim: int, first: int, second: int) -> RuntimeError:
    return RuntimeError(f"linalg.cross: inputs dimension {dim} must have length 3. Got {first} and {second}")


def movedim_kinds(source: object, destination: object) -> TypeError:
    """One of them an int, the other a tuple."""
    forms, notes = ("int source, int destination", "tuple of ints source, tuple of ints destination"), []
    for form, expected in zip(forms, (int, tuple | list), strict=True):
        shown = []
        for value in (source, destination):
            kind = "int" if isinstance(value, int) else f"tuple of ({', '.join('int' for _ in value)})"  # type: ignore[attr-defined]
            wrong = not isinstance(value, expected)
            shown.append(f"!{kind}!" if wrong else kind)
        notes.append(
            f" * ({form})\n      didn't match because some of the arguments have invalid types: ({', '.join(shown)})\n"
        )
    names = ", ".join(type_name(value) for value in (source, destination))
    return TypeError(
        f"movedim() received an invalid combination of arguments - got ({names}), but expected one of:\n"
        f"{''.join(notes)}"
    )


def combinations_negative(r: int) -> RuntimeError:
    return RuntimeError(f"Expect a non-negative number, but got {r}")


def flip_dimensions(function: str, needed: int) -> RuntimeError:
    return RuntimeError(f"Input must be >= {needed}-d.")


def view_dtype(rule: str, own: str, other: str, got: int | None = None) -> RuntimeError:
    """``x.view(dtype)`` of another size; ``rule``: what does not hold."""
    end = "" if got is None else f", but got {got}"
    return RuntimeError(f"{rule} to view {own} as {other} (different element sizes){end}")
