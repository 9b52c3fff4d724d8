"""`torch.vmap`: a function mapped over a dimension of its arguments, called once for all entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine import errors
from engine.batching.level import Level
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.kernels import random
from engine.torch.trees import TreeSpec, flatten, spread, unflatten
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


def _dims(
    func: Callable[..., Any], in_dims: Any, args: tuple[Any, ...]
) -> tuple[list[Any], TreeSpec, list[int | None]]:
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


def _outputs(func: Callable[..., Any], result: Any, out_dims: Any) -> tuple[list[Tensor], TreeSpec, list[int | None]]:
    """The tensors a function returned, their structure, and where the mapped dimension of each is to be."""
    leaves, spec = flatten(result)
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise errors.vmap_output(_name(func), leaf)
    if not isinstance(out_dims, int | tuple | list | dict | None):
        raise errors.vmap_out_dims_type(_name(func), out_dims)
    dims = spread(out_dims, spec)
    if dims is None and isinstance(out_dims, tuple) and len(out_dims) == 1 and isinstance(result, Tensor):
        dims = spread(out_dims[0], spec)
    if dims is None:
        raise errors.vmap_out_dims(_name(func), out_dims, flatten(out_dims)[1], spec)
    return leaves, spec, dims


def _unmapped(func: Callable[..., Any], level: Level, leaf: Tensor, dim: int | None) -> Tensor:
    """A result as it leaves the function: all entries, along `dim`."""
    if dim is None:
        if level.maps(leaf):
            raise errors.vmap_out_dim_none(_name(func))
        return leaf
    if leaf._batch is not None and level.maps(leaf):
        batch, source = leaf._batch.tensor, leaf._batch.dim
    else:
        batch, source = level.expanded(leaf), 0
    to = wrap_dim(dim, batch.ndim)
    if to == source:
        return batch
    order = [d for d in range(batch.ndim) if d != source]
    order.insert(to, source)
    return ops.permute(batch, tuple(order))  # type: ignore[no-any-return]


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """A function mapped over a dimension of its arguments, which is called once: its ops run on all entries.

    `randomness`: error, different (every entry draws its own numbers) or same. `chunk_size` entries at a time.
    """
    if randomness not in RANDOMNESS:
        raise errors.vmap_randomness(randomness)
    if chunk_size is not None and chunk_size <= 0:
        raise errors.vmap_chunk_size(chunk_size)

    def mapped(leaves: list[Any], spec: TreeSpec, dims: list[int | None], size: int, kwargs: Any) -> Any:
        level = Level(size, randomness)
        with refusing_randomness(randomness), level.mapping():
            entries = [leaf if dim is None else level.entry(leaf, dim) for leaf, dim in zip(leaves, dims, strict=True)]
            result = func(*unflatten(entries, spec), **kwargs)
            outputs, shape, places = _outputs(func, result, out_dims)
            with level.outside():
                found = [_unmapped(func, level, t, place) for t, place in zip(outputs, places, strict=True)]
        return found, shape, places

    def transformed(*args: Any, **kwargs: Any) -> Any:
        leaves, spec, dims = _dims(func, in_dims, args)
        size = _size(leaves, dims)
        if not size:  # one call with zeros shows what there would be
            nothing = [
                t if d is None else t.new_zeros((*t._array.shape[:d], 1, *t._array.shape[d + 1 :]))
                for t, d in zip(leaves, dims, strict=True)
            ]
            found, shape, places = mapped(nothing, spec, dims, 1, kwargs)
            found = [t if d is None else t.narrow(d, 0, 0) for t, d in zip(found, places, strict=True)]
        elif chunk_size is None or chunk_size >= size:
            found, shape, places = mapped(leaves, spec, dims, size, kwargs)
        else:
            parts = []
            for start in range(0, size, chunk_size):
                count = min(chunk_size, size - start)
                given = [t if d is None else t.narrow(d, start, count) for t, d in zip(leaves, dims, strict=True)]
                parts.append(mapped(given, spec, dims, count, kwargs))
            _, shape, places = parts[0]
            columns = zip(*[part[0] for part in parts], strict=True)
            found = [
                column[0] if d is None else ops.cat(list(column), d) for column, d in zip(columns, places, strict=True)
            ]
        return unflatten(found, shape)

    transformed.__name__ = getattr(func, "__name__", "transformed")
    return transformed
