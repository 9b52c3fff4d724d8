"""Systems of linear equations, inverses, determinants and decompositions of matrices."""

from __future__ import annotations

from typing import Any

from engine.errors.warnings import warn


class LinAlgError(RuntimeError):
    """``torch.linalg.LinAlgError``: a matrix that cannot be inverted or factorised."""


LinAlgError.__module__ = "torch._C"
LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"


def _where(batch: int | None) -> str:
    """The place of a matrix in its stack."""
    return "" if batch is None else f"(Batch element {batch}): "


# --- operands


def matrix_expected(function: str, argument: str, ndim: int) -> RuntimeError:
    return RuntimeError(f"{function}: The input tensor {argument} must have at least 2 dimensions.")


def square_expected(function: str, rows: int, columns: int) -> RuntimeError:
    return RuntimeError(f"{function}: A must be batches of square matrices, but they are {rows} by {columns} matrices")


def linalg_dtype(function: str, type_name: str) -> RuntimeError:
    return RuntimeError(f"{function}: Expected a floating point or complex tensor as input. Got {type_name}")


def linalg_low_precision(function: str, type_name: str) -> RuntimeError:
    return RuntimeError(f"{function}: Low precision dtypes not supported. Got {type_name}")


def solve_dtypes(function: str, first: str, second: str, left: str = "A") -> RuntimeError:
    return RuntimeError(
        f"{function}: Expected {left} and B to have the same dtype, but found {left} of type {first} and B of type "
        f"{second} instead"
    )


def solve_shapes(function: str, first: tuple[int, ...], second: tuple[int, ...], left: bool) -> RuntimeError:
    equation = "AX = B" if left else "XA = B"
    return RuntimeError(
        f"{function}: Incompatible shapes of A and B for the equation {equation} "
        f"({first[-2]}x{first[-1]} and {second[-2]}x{second[-1]})"
    )


def old_solve_dtypes(first: str, second: str) -> RuntimeError:
    """``triangular_solve``, ``cholesky_solve``."""
    return RuntimeError(
        f"Expected b and A to have the same dtype, but found b of type {first} and A of type {second} instead."
    )


def old_solve_dimensions(prefix: str, argument: str, ndim: int) -> RuntimeError:
    if not prefix:
        return RuntimeError(f"{argument} should have at least 2 dimensions, but has {ndim} dimensions instead")
    return RuntimeError(
        f"{prefix}Expected {argument} to have at least 2 dimensions, but it has {ndim} dimensions instead"
    )


def old_solve_shapes(function: str, first: tuple[int, ...], second: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        f"Incompatible matrix sizes for {function}: each A matrix is {first[-1]} by {first[-1]} but each b matrix is "
        f"{second[-2]} by {second[-1]}"
    )


def singular_ldl(code: int) -> RuntimeError:
    """``linalg.ldl_factor`` of a matrix that has a zero in D. PyTorch did not foresee it."""
    return RuntimeError(
        'false INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/aten/src/ATen/native/BatchLinearAlgebra.cpp":1642, '
        f"please report a bug to PyTorch. torch.linalg.ldl_factor: Unknown error code: {code}."
    )


def ldl_pivots_shape(shape: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        "torch.linalg.ldl_solve: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape "
        f"{list(shape)} instead"
    )


def ldl_pivots_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"torch.linalg.ldl_solve: Expected pivots to be integers. Got {type_name}")


def old_solve_square(rows: int, columns: int) -> RuntimeError:
    return RuntimeError(f"A must be batches of square matrices, but they are {rows} by {columns} matrices")


def lu_unpack_range() -> RuntimeError:
    return RuntimeError(
        "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.Did you properly pass the result of "
        "lu_factor?"
    )


def lu_dimensions(function: str, shape: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(f"{function}: Expected tensor with 2 or more dimensions. Got size: {list(shape)} instead")


def lu_solve_pivots_dtype() -> RuntimeError:
    return RuntimeError("linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32")


def lu_solve_pivots_shape() -> RuntimeError:
    return RuntimeError("linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix")


def lu_unpack_pivots() -> RuntimeError:
    return RuntimeError(
        "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\n"
        "Note: this function is intended to be used with the output produced by torch.linalg.lu_factor"
    )


def pinv_operand(type_name: str, shape: tuple[int, ...]) -> RuntimeError:
    sizes = ", ".join(map(str, shape))
    return RuntimeError(
        f"linalg.pinv({type_name}{{[{sizes}]}}): expected a tensor with 2 or more dimensions of float, double, cfloat "
        "or cdouble types"
    )


def lstsq_dimensions(argument: str, least: int) -> RuntimeError:
    return RuntimeError(f"torch.linalg.lstsq: {argument} must have at least {least} dimension{'s' * (least > 1)}.")


def lstsq_shapes(dim: int) -> RuntimeError:
    return RuntimeError(f"torch.linalg.lstsq: input.size(-2) should match other.size({dim})")


def lstsq_ranks() -> RuntimeError:
    return RuntimeError(
        "torch.linalg.lstsq: input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1"
    )


def lstsq_dtypes(first: str, second: str) -> RuntimeError:
    return RuntimeError(
        "torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's dtype "
        f"{first} and other's dtype {second}"
    )


def lstsq_driver() -> RuntimeError:
    return RuntimeError("torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)")


def reflections_matrix(function: str, name: str) -> RuntimeError:
    return RuntimeError(f"{function}: {name} must have at least 2 dimensions.")


def reflections_dimensions(function: str, name: str, less: int, got: int, ndim: int) -> RuntimeError:
    wanted = "one dimension less than input" if less else "the same number of dimensions as input"
    return RuntimeError(
        f"{function}: Expected {name} to have {wanted}, but got {name}.ndim equal to {got} and input.ndim is equal "
        f"to {ndim}"
    )


def reflections_batch(function: str, name: str, got: tuple[int, ...]) -> RuntimeError:
    return RuntimeError(
        f"{function}: Expected batch dimensions of {name} to be equal to input.shape[:-2], but got {list(got)}"
    )


def ormqr_sides(side: int) -> RuntimeError:
    return RuntimeError(f"torch.ormqr: other.shape[{side}] must be equal to input.shape[-2]")


def ormqr_count(side: int) -> RuntimeError:
    return RuntimeError(f"torch.ormqr: tau.shape[-1] must be equal to min(other.shape[{side}], input.shape[-1])")


def ormqr_dtypes(name: str, own: str, got: str) -> RuntimeError:
    return RuntimeError(
        f"torch.ormqr: Expected input and {name} to have the same dtype, but input has dtype{own} and {name} has "
        f"dtype {got}"
    )


def householder_count() -> RuntimeError:
    return RuntimeError(
        "torch.linalg.householder_product: input.shape[-1] must be greater than or equal to tau.shape[-1]"
    )


def householder_dtypes(tau: str, own: str) -> RuntimeError:
    return RuntimeError(f"torch.linalg.householder_product: tau dtype {tau} does not match input dtype {own}")


def householder_shape() -> RuntimeError:
    return RuntimeError(
        "torch.linalg.householder_product: input.shape[-2] must be greater than or equal to input.shape[-1]"
    )


def geqrf_dimensions() -> RuntimeError:
    return RuntimeError("torch.geqrf: input must have at least 2 dimensions.")


def qr_mode(mode: object) -> RuntimeError:
    return RuntimeError(
        f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
    )


def eigh_uplo(uplo: object) -> RuntimeError:
    return RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {uplo}")


def svd_driver() -> RuntimeError:
    return RuntimeError(
        "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend."
    )


def old_svd_dimensions(ndim: int) -> RuntimeError:
    return RuntimeError(
        f"linalg.svd: input should have at least 2 dimensions, but has {ndim} dimensions instead"
    )


def eig_dtype(type_name: str) -> RuntimeError:
    return RuntimeError(f"Unknown Complex ScalarType for {type_name}")


def cond_order(order: object) -> RuntimeError:
    return RuntimeError(f"linalg.cond got an invalid norm type: {order}")


def cond_dimensions() -> RuntimeError:
    return RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")


def matrix_rank_dtype() -> RuntimeError:
    return RuntimeError("This function doesn't handle types other than float and double")


def vander_length() -> RuntimeError:
    return RuntimeError("N must be greater than 1.")


def vander_dimensions() -> RuntimeError:
    return RuntimeError("x must be a one-dimensional tensor.")


def tensorinv_ind(ind: int) -> RuntimeError:
    return RuntimeError(f"Expected a strictly positive integer for 'ind', but got {ind}")


def tensorinv_shape(last: int, first: int) -> RuntimeError:
    return RuntimeError(
        "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got "
        f"{last} != {first}"
    )


def lowrank_size(q: int, most: int) -> ValueError:
    return ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={most}")


def lowrank_iterations(niter: int) -> ValueError:
    return ValueError(f"niter(={niter}) must be non-negative integer")


# --- matrices that have no inverse, no factors, no singular values


def singular(function: str, element: int, batch: int | None = None) -> LinAlgError:
    """``inv``; ``element``: the zero on the diagonal, counted from 1."""
    return LinAlgError(
        f"{function}: {_where(batch)}The diagonal element {element} is zero, the inversion could not be completed "
        "because the input matrix is singular."
    )


def singular_solve(function: str, batch: int | None = None) -> LinAlgError:
    return LinAlgError(f"{function}: {_where(batch)}The solver failed because the input matrix is singular.")


def singular_factor(function: str, element: int, batch: int | None = None) -> RuntimeError:
    return RuntimeError(
        f"{function}: {_where(batch)}U[{element},{element}] is zero and using it on lu_solve would result in a "
        "division by zero. If you still want to perform the factorization, consider calling linalg.lu(A, pivot) or "
        "linalg.lu_factor_ex(A, pivot)"
    )


def not_positive_definite(function: str, order: int, batch: int | None = None) -> LinAlgError:
    return LinAlgError(
        f"{function}: {_where(batch)}The factorization could not be completed because the input is not "
        f"positive-definite (the leading minor of order {order} is not positive-definite)."
    )


def svd_not_finite(batch: int | None = None) -> LinAlgError:
    return LinAlgError(
        f"linalg.svd: {_where(batch)}The algorithm failed to converge because the input matrix contained non-finite "
        "values."
    )


def eig_not_finite() -> RuntimeError:
    return RuntimeError("torch.linalg.eig: input tensor should not contain infs or NaNs.")


def not_converged(function: str, batch: int | None = None) -> LinAlgError:
    """Iterations of a decomposition that did not end."""
    return LinAlgError(
        f"{function}: {_where(batch)}The algorithm failed to converge because the input matrix is ill-conditioned or "
        "has too many repeated singular values."
    )


def lu_without_pivoting(function: str) -> RuntimeError:
    return RuntimeError(f"{function}: LU without pivoting is not implemented on the CPU")


# --- gradients that do not exist


def qr_without_q() -> RuntimeError:
    return RuntimeError(
        "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use linalg.qr(A, "
        "mode='reduced') if you are going to differentiate through linalg.qr."
    )


def qr_complete() -> RuntimeError:
    return RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows > ncols.")


# --- warnings


def _deprecated(name: str, replacement: str, how: str) -> None:
    warn(
        UserWarning,
        f"torch.{name} is deprecated in favor of torch.linalg.{replacement} and will be removed in a future PyTorch "
        f"release.\n{how}",
        once=name,
    )


def warn_cholesky() -> None:
    _deprecated(
        "cholesky", "cholesky",
        "L = torch.cholesky(A)\nshould be replaced with\nL = torch.linalg.cholesky(A)\nand\n"
        "U = torch.cholesky(A, upper=True)\nshould be replaced with\nU = torch.linalg.cholesky(A).mH\n"
        "This transform will produce equivalent results for all valid (symmetric positive definite) inputs.",
    )


def warn_qr() -> None:
    _deprecated(
        "qr", "qr",
        "The boolean parameter 'some' has been replaced with a string parameter 'mode'.\nQ, R = torch.qr(A, some)\n"
        "should be replaced with\nQ, R = torch.linalg.qr(A, 'reduced' if some else 'complete')",
    )


def warn_triangular_solve() -> None:
    # The missing space is PyTorch's.
    warn(
        UserWarning,
        "torch.triangular_solve is deprecated in favor of torch.linalg.solve_triangularand will be removed in a future "
        "PyTorch release.\ntorch.linalg.solve_triangular has its arguments reversed and does not return a copy of one "
        "of the inputs.\nX = torch.triangular_solve(B, A).solution\nshould be replaced with\n"
        "X = torch.linalg.solve_triangular(A, B).",
        once="triangular_solve",
    )


def warn_lu_solve() -> None:
    # The missing space is PyTorch's.
    warn(
        UserWarning,
        "torch.lu_solve is deprecated in favor of torch.linalg.lu_solveand will be removed in a future PyTorch "
        "release.\nNote that torch.linalg.lu_solve has its arguments reversed.\nX = torch.lu_solve(B, LU, pivots)\n"
        "should be replaced with\nX = torch.linalg.lu_solve(LU, pivots, B)",
        once="lu_solve",
    )


def warn_lu() -> None:
    _deprecated(
        "lu", "lu_factor / torch.linalg.lu_factor_ex",
        "LU, pivots = torch.lu(A, compute_pivots)\nshould be replaced with\n"
        "LU, pivots = torch.linalg.lu_factor(A, compute_pivots)\nand\n"
        "LU, pivots, info = torch.lu(A, compute_pivots, get_infos=True)\nshould be replaced with\n"
        "LU, pivots, info = torch.linalg.lu_factor_ex(A, compute_pivots)",
    )


def first_failure(info: Any) -> tuple[int, int | None] | None:
    """What LAPACK reported of the first matrix that failed, and its place in the stack."""
    if not info.any():
        return None
    if not info.ndim:
        return int(info), None
    flat = info.reshape(-1)
    batch = int(flat.nonzero()[0][0])
    return int(flat[batch]), batch


def svd_phase() -> RuntimeError:
    return RuntimeError(
        "svd_backward: The singular vectors in the complex case are specified up to multiplication by e^{i phi}. "
        "The specified loss function depends on this phase term, making it ill-defined."
    )


def eigenvector_phase(function: str) -> RuntimeError:
    return RuntimeError(
        f"{function}: The eigenvectors in the complex case are specified up to multiplication by e^{{i phi}}. "
        "The specified loss function depends on this quantity, so it is ill-defined."
    )
