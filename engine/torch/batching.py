"""`torch.vmap`: a function mapped over a dimension of its arguments, one call per entry, and the results stacked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine import errors
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.kernels import random
from engine.torch.trees import Spec, flatten, spread, unflatten
from engine.types.shapes import wrap_dim

RANDOMNESS = ("error", "different", "same")


@contextmanager
def refusing_randomness(randomness: str) -> Iterator[None]:
    """Refuse random numbers drawn inside if `randomness` says so. RuntimeError for an unknown word."""
    if randomness not in RANDOMNESS:
        raise errors.vmap_randomness(randomness)
    before = random.default_generator.state_bytes() if randomness == "error" else None
    yield
    if before is not None and not np.array_equal(before, random.default_generator.state_bytes()):
        raise errors.vmap_random()


def _name(func: Callable[..., Any]) -> str:
    return getattr(func, "__name__", repr(func))


def _dims(func: Callable[..., Any], in_dims: Any, args: tuple[Any, ...]) -> tuple[list[Any], Spec, list[int | None]]:
    """The leaves of the arguments, their structure, and the dimension of each that is mapped."""
    if not isinstance(in_dims, int | tuple):
        raise errors.vmap_in_dims_type(_name(func), in_dims)
    if not args:
        raise errors.vmap_no_inputs(_name(func))
    leaves, spec = flatten(args)
    found = spread(in_dims, spec)
    if found is None:
        raise errors.vmap_in_dims_structure(_name(func), in_dims, flatten(in_dims)[1], spec)
    dims: list[int | None] = []
    for leaf, dim in zip(leaves, found, strict=True):
        if dim is not None and not isinstance(dim, int):
            raise errors.vmap_in_dim_type(_name(func), in_dims, dim)
        if dim is not None and not isinstance(leaf, Tensor):
            raise errors.vmap_not_tensor(_name(func), in_dims, dim, leaf)
        if dim is not None and not -leaf.ndim <= dim < leaf.ndim:
            raise errors.vmap_in_dim(_name(func), in_dims, dim, leaf.ndim)
        dims.append(None if dim is None else wrap_dim(dim, leaf.ndim))
    return leaves, spec, dims


def _size(leaves: list[Any], dims: list[int | None]) -> int:
    sizes = [leaf._array.shape[dim] for leaf, dim in zip(leaves, dims, strict=True) if dim is not None]
    if not sizes:
        raise errors.vmap_nothing_mapped()
    if len(set(sizes)) > 1:
        raise errors.vmap_sizes(sizes)
    return int(sizes[0])


def _stacked(func: Callable[..., Any], rows: list[Any], out_dims: Any, empty: bool) -> Any:
    """The results of all calls as one, mapped dimensions at `out_dims`; of one call that only shows shapes, `empty`."""
    first, spec = flatten(rows[0])
    for leaf in first:
        if not isinstance(leaf, Tensor):
            raise errors.vmap_output(_name(func), leaf)
    if not isinstance(out_dims, int | tuple | list | dict | None):
        raise errors.vmap_out_dims_type(_name(func), out_dims)
    dims = spread(out_dims, spec)
    if dims is None and isinstance(out_dims, tuple) and len(out_dims) == 1:
        dims = spread(out_dims[0], spec)
    if dims is None:
        raise errors.vmap_out_dims(_name(func), out_dims, flatten(out_dims)[1], spec)
    columns = list(zip(*(flatten(row)[0] for row in rows), strict=True))
    results = []
    for column, dim in zip(columns, dims, strict=True):
        if dim is None and any(t is not column[0] for t in column):
            raise errors.vmap_out_dim_none(_name(func))
        stacked = column[0] if dim is None else ops.stack(list(column), dim)
        results.append(stacked if not empty or dim is None else stacked.narrow(dim, 0, 0))
    return unflatten(results, spec)


def _called(
    func: Callable[..., Any], row: list[Any], dims: list[int | None], spec: Spec, kwargs: Any, last: bool
) -> Any:
    """The function of one entry. What is made from mapped tensors is marked: numbers cannot be read from it.

    Graphs from outside stay whole until the `last` entry has gone through them.
    """
    outer, state.batching = state.batching, True
    again, state.again = state.again, state.again or not last
    for leaf, dim in zip(row, dims, strict=True):
        if dim is not None:
            leaf._batched = 1
    try:
        result = func(*unflatten(row, spec), **kwargs)
    finally:
        state.batching, state.again = outer, again
    if not outer:
        for leaf in flatten(result)[0]:
            if isinstance(leaf, Tensor):
                leaf._batched = 0
    return result


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """A function mapped over a dimension of its arguments: one call per entry, results stacked.

    `randomness`: error, different (every entry draws its own numbers) or same.
    """
    if randomness not in RANDOMNESS:
        raise errors.vmap_randomness(randomness)
    if chunk_size is not None and chunk_size <= 0:
        raise errors.vmap_chunk_size(chunk_size)

    def transformed(*args: Any, **kwargs: Any) -> Any:
        leaves, spec, dims = _dims(func, in_dims, args)
        start = random.default_generator.state_bytes() if randomness == "same" else None
        rows = []
        size = _size(leaves, dims)
        if not size:  # one call with zeros shows what there would be
            leaves = [t if d is None else t.new_zeros((*t._array.shape[:d], 1, *t._array.shape[d + 1 :]))
                      for t, d in zip(leaves, dims, strict=True)]
        with refusing_randomness(randomness):
            for entry in range(max(size, 1)):
                if start is not None:
                    random.default_generator.restore(start)
                row = [
                    leaf if dim is None else ops.select(leaf, dim, entry)
                    for leaf, dim in zip(leaves, dims, strict=True)
                ]
                rows.append(_called(func, row, dims, spec, kwargs, entry >= size - 1))
        return _stacked(func, rows, out_dims, empty=not size)

    transformed.__name__ = getattr(func, "__name__", "transformed")
    return transformed
