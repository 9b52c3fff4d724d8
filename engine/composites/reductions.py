"""Reductions as users call them: the choice among overloads, norms, and statistics made of other ops."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from engine import errors
from engine.autograd.inplace import check_inplace
from engine.codegen.publish import LINALG, public, publish
from engine.composites.arithmetic import UNSET
from engine.composites.to_python import cast
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.ops.reduction import not_nan
from engine.signatures.native import check
from engine.types import dtypes, shapes
from engine.types.coo import Coo

publish("method torch", "amax", "amin", inplace=False)


def _check(function: str, input: Any) -> None:
    if not isinstance(input, Tensor):
        raise errors.argument_type(function, "input", 1, "Tensor", input)


def _asked(input: Any, dtype: Any, dim: Any = None) -> Any:
    """The dtype of a result. RuntimeError for one that cannot be part of a graph which it would have to be."""
    dtype = dtypes.asked(dtype)
    if isinstance(dtype, dtypes.dtype) and dtype.np.kind not in dtypes.INEXACT and input.requires_grad and state.grad:
        if dim is not None:
            shapes.wrap_dims(dim if isinstance(dim, tuple | list) else (dim,), input.ndim)
        raise errors.autograd_dtype(dtype.type_name)
    return dtype


def _dims(dim: Any) -> Any:
    """A tuple of ints for one or several dimensions; None for all."""
    if dim is None:
        return None
    return (dim,) if type(dim) is int else shapes.dims(dim)


def _keep(function: str, keepdim: Any, position: int) -> bool:
    if not isinstance(keepdim, bool):
        raise errors.argument_type(function, "keepdim", position, "bool", keepdim)
    return keepdim


def _total(name: str, doc: str, asked: Callable[..., Any]) -> None:
    """Publish `sum` or `mean`; `asked`: the dtype of a result, of which the input and the dimensions are told."""
    whole, along = getattr(ops, name), getattr(ops, f"{name}_dim")

    @public("method torch", name, doc=doc)
    def function(
        input: Tensor,
        dim: Any = UNSET,
        keepdim: bool = False,
        *,
        dtype: Any = None,
        axis: Any = UNSET,
        keepdims: bool = False,
    ) -> Any:
        if axis is not UNSET:
            dim = axis
        if dim is UNSET:
            _check(name, input)
            if keepdim or keepdims:
                check("torch", name, (input,), {"keepdim": keepdim})
            return whole(input, dtype=dtype and asked(input, dtype))
        dtype = dtype and asked(input, dtype, dim)
        return along(input, _dims(dim), _keep(name, keepdims or keepdim, 2), dtype=dtype)


_total("sum", "The sum of all elements, or along dimensions.", _asked)
_total("mean", "The mean of all elements, or along dimensions.", lambda input, dtype, dim=None: dtypes.asked(dtype))


@public("method torch")
def nansum(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """As `sum`, leaving NaN out."""
    return ops.nansum(input, _dims(dim), keepdim, dtype=_asked(input, dtype))


@public("method torch")
def nanmean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """As `mean`, leaving NaN out."""
    if input._array.dtype.kind not in dtypes.INEXACT:
        raise errors.nanmean_dtype(input.dtype.type_name)
    dtype = dtypes.asked(dtype)
    if isinstance(dtype, dtypes.dtype) and dtype.np.kind not in dtypes.INEXACT:
        raise errors.nanmean_result_dtype(dtype.type_name)
    mask = not_nan(input)
    number = ops.sum_dim(mask, _dims(dim), keepdim)
    return ops.nansum(input, _dims(dim), keepdim, dtype=dtype) / number


@public("method torch")
def prod(
    input: Tensor,
    dim: Any = UNSET,
    keepdim: bool = False,
    *,
    dtype: Any = None,
    axis: Any = UNSET,
    keepdims: bool = False,
) -> Any:
    """The product of all elements, or along a dimension."""
    dim = axis if dim is UNSET else dim
    if dim is UNSET:
        _check("prod", input)
        return ops.prod(input, dtype=_asked(input, dtype))
    keep = _keep("prod", keepdims or keepdim, 3)
    return ops.prod_dim_int(input, shapes.integer(dim), keep, dtype=_asked(input, dtype, dim))


def _running(name: str, doc: str) -> None:
    row, write = getattr(ops, name), getattr(ops, f"{name}_")

    @public("method torch", name, doc=doc)
    def function(input: Tensor, dim: int, *, dtype: Any = None) -> Any:
        if dtypes.asked(dtype) is dtypes.bool_:
            shapes.wrap_dim(dim, input.ndim)
            raise errors.not_implemented_for(f"{name}_out_cpu", "Bool")
        return row(input, shapes.integer(dim), dtype=_asked(input, dtype, dim))

    @public("method", f"{name}_", doc=f"In-place `{name}`.")
    def in_place(self: Tensor, dim: int, *, dtype: Any = None) -> Any:
        check_inplace(self, self.requires_grad)
        shapes.wrap_dim(dim, self.ndim)
        dtype = dtypes.asked(dtype)
        if dtype is not None and dtype is not self.dtype:  # which it can only be
            raise errors.accumulation_dtype(self.dtype.cpp_name, dtype.cpp_name)
        return write(self, dim, dtype=dtype)


_running("cumsum", "Running sums along a dimension.")
_running("cumprod", "Running products along a dimension.")


@public("method torch")
def logcumsumexp(input: Tensor, dim: int) -> Any:
    """Logarithms of running sums of exponentials."""
    return ops.logcumsumexp(input, shapes.wrap_dim(dim, input.ndim))


@public("method torch special")
def logsumexp(input: Tensor, dim: Any, keepdim: bool = False, *, axis: Any = None, keepdims: bool = False) -> Any:
    """The logarithm of the sum of exponentials, computed without overflow."""
    if dim is None:
        raise errors.argument_type("logsumexp", "dim", 2, "tuple of ints", dim)
    if isinstance(dim, tuple | list) and not dim and not keepdim and not keepdims and input.ndim:
        raise errors.logsumexp_all(input.ndim)
    return ops.logsumexp(input, _dims(dim), _keep("logsumexp", keepdims or keepdim, 3))


def _spread(name: str, where: str) -> None:
    row = getattr(ops, name)

    @public(where, name)
    def function(
        input: Tensor,
        dim: Any = None,
        unbiased: bool | None = None,
        keepdim: bool = False,
        *,
        correction: float | None = None,
        axis: Any = None,
        keepdims: bool = False,
    ) -> Any:
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        if unbiased is not None:
            correction = 1 if unbiased else 0
        dim = _dims(axis if dim is None else dim)
        if correction is None and dim is not None:
            correction = 1  # without dimensions, PyTorch leaves it to the op
        if isinstance(correction, complex):
            raise errors.conversion_overflow("double")
        return row(input, dim, correction=correction, keepdim=_keep(name, keepdims or keepdim, 4))


for _name, _where in (("var", "method torch"), ("std", "method torch"), ("var_mean", "torch"), ("std_mean", "torch")):
    _spread(_name, _where)


def _extreme(name: str, elementwise: str) -> None:
    whole, along, pairwise = getattr(ops, name), getattr(ops, f"{name}_dim"), getattr(ops, elementwise)

    @public("method torch", name)
    def function(
        input: Tensor,
        dim: Any = UNSET,
        keepdim: bool = False,
        *,
        other: Any = None,
        axis: Any = UNSET,
        keepdims: bool = False,
    ) -> Any:
        other = dim if isinstance(dim, Tensor) else other
        if other is not None:
            if keepdim is not False:
                raise errors.argument_type(name, "dim", 2, "int", other)
            return pairwise(input, other)
        dim = axis if dim is UNSET else dim
        if dim is UNSET:
            _check(name, input)
            return whole(input)
        return along(input, shapes.integer(dim), _keep(name, keepdims or keepdim, 3))


_extreme("max", "maximum")
_extreme("min", "minimum")


def _middle(name: str) -> None:
    whole, along = getattr(ops, name), getattr(ops, f"{name}_dim")

    @public("method torch", name)
    def function(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
        if dim is None:
            _check(name, input)
            return whole(input)
        return along(input, shapes.wrap_dim(dim, input.ndim), keepdim)


_middle("median")
_middle("nanmedian")
publish("method torch", "mode", "kthvalue", "cummax", "cummin", "aminmax", inplace=False)


@public("linalg")
def vector_norm(x: Tensor, ord: float = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The p-norm of all elements, or along dimensions."""
    dtype = dtypes.asked(dtype)
    if dtype is not None:
        if not (x.dtype.is_floating_point or x.dtype.is_complex):
            raise errors.norm_dtype(x.dtype.type_name)
        if (dtype.is_floating_point or dtype.is_complex) and x.dtype.is_complex is not dtype.is_complex:
            raise errors.norm_kind("complex" if x.dtype.is_complex else "real", dtype.type_name)
        if (dtype.is_floating_point or dtype.is_complex) and dtypes.promote_types(x.dtype, dtype) is not dtype:
            raise errors.norm_narrowing(x.dtype.type_name, dtype.type_name)
    return ops.linalg_vector_norm(x, ord, _dims(dim), keepdim, dtype=dtype)


@public("linalg")
def matrix_norm(A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The norm of matrices: `"fro"`, `"nuc"`, ±inf, ±1 or ±2."""
    dtype = dtypes.asked(dtype)
    if ord not in ("fro", "nuc") and (isinstance(ord, str) or abs(ord) not in (1, 2, math.inf)):
        raise errors.matrix_norm_order(ord)
    if A.ndim < 2:
        raise errors.matrix_norm_dimensions()
    if A._array.dtype.kind not in dtypes.INEXACT:
        raise errors.linalg_dtype("linalg.matrix_norm", A.dtype.type_name)
    dims = _dims(dim) or ()
    if len(dims) != 2:
        raise errors.matrix_norm_dim_count(dims)
    rows, columns = (shapes.wrap_dim(d, A.ndim) for d in dims)
    if rows == columns:
        raise errors.matrix_norm_same_dims(rows, columns)
    if ord == "fro":
        return ops.linalg_vector_norm(A, 2, (rows, columns), keepdim, dtype=dtype)
    if dtype is not None:
        A = cast(A, dtype.np)
    if ord == "nuc" or not isinstance(ord, str) and abs(ord) == 2:
        return _spectral_norm(A, ord, rows, columns, keepdim)
    first, second = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sums = ops.linalg_vector_norm(A, 1, (first,), keepdim)
    if not keepdim and second > first:
        second -= 1
    return _largest(sums, ord, second, keepdim)


def _largest(values: Tensor, ord: float, dim: int, keepdim: bool) -> Any:
    """The largest value for a positive `ord`, where nothing is largest 0; the smallest for a negative one."""
    if ord > 0 and not values._array.shape[dim]:
        return ops.sum_dim(values, (dim,), keepdim)
    return (ops.amax if ord > 0 else ops.amin)(values, (dim,), keepdim)


def _spectral_norm(A: Tensor, ord: Any, rows: int, columns: int, keepdim: bool) -> Any:
    last = [d for d in range(A.ndim) if d not in (rows, columns)] + [rows, columns]
    values = LINALG["svdvals"](ops.permute(A, tuple(last)))
    if ord == "nuc":
        result = ops.sum_dim(values, (-1,), keepdim)
    else:
        result = _largest(values, ord, -1, keepdim)
    if keepdim:
        result = ops.permute(ops.unsqueeze(result, -1), tuple(last.index(d) for d in range(A.ndim)))
    return result


@public("linalg", "norm")
def linalg_norm(A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """The norm of a vector or a matrix, depending on how many dimensions there are."""
    dims = _dims(dim)
    if dims is not None and len(dims) not in (1, 2):
        raise errors.norm_dim_count(dims)
    if dims is None and ord is not None and A.ndim not in (1, 2):
        raise errors.norm_needs_dim(A.ndim)
    matrix = isinstance(ord, str) or ord is not None and (A.ndim if dims is None else len(dims)) == 2
    if matrix:
        return matrix_norm(A, ord, (0, 1) if dims is None else dims, keepdim, dtype=dtype)
    return vector_norm(A, 2 if ord is None else ord, dims, keepdim, dtype=dtype)


@public("method torch")
def norm(input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    """The p-norm of all elements or along dimensions; `"nuc"` for matrices."""
    if isinstance(input, Tensor) and type(input._array) is Coo:
        if dim is not None or keepdim or p not in ("fro", 2):
            raise errors.sparse_unavailable("this norm")
        return ops.norm_ScalarOpt_dim(input, 2, ())
    if p == "fro" and dim is None:
        if dtype is None:
            return ops.linalg_vector_norm(input, 2, None, keepdim)
        return vector_norm(input, 2, None, keepdim, dtype=dtype)
    dims = _dims(dim)
    if not isinstance(p, str):
        return vector_norm(input, 2.0 if p is None else p, dims, keepdim, dtype=dtype)
    if p == "fro" and (dims is None or len(dims) <= 2):
        return vector_norm(input, 2, dims, keepdim, dtype=dtype)
    return matrix_norm(input, p, tuple(range(input.ndim)) if dims is None else dims, keepdim, dtype=dtype)


publish("method torch", "dist", "renorm")
