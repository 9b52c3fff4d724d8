"""`generate_vmap_rule`: a Function that runs another, and its backward, for all entries at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from engine import errors
from engine.batching.level import Level, tensors_in
from engine.core.registry import ops
from engine.core.tensor import Tensor

Dims = tuple[int | None, ...]


class VmapRule:
    """The rule of one call of a Function: what is mapped of its arguments, of its outputs and of what it saves.

    What `setup_context` saves are entries, of which the node keeps the batches; what `backward` finds saved are entries
    again.
    """

    def __init__(self, function: Any, in_dims: Dims, level: Level, called: Callable[..., Any]) -> None:
        """`called(ctx, name, *args)`: what the Function gives, where `name` says which of its members."""
        self.function, self.in_dims, self.called = function, in_dims, called
        self.size, self.randomness = level.size, level.randomness
        self.out_dims: Dims = ()
        self.saved_dims: Dims = ()
        self.kept_dims: dict[str, Any] = {}
        self.shapes: tuple[tuple[int, ...] | None, ...] = ()

    def body(self) -> dict[str, Any]:
        """The members of the class that `apply` is called on."""
        names = ("forward", "setup_context", "backward", "jvp")
        # as `partial`s they are no functions of a program, which would get another `ctx` than the node
        members: dict[str, Any] = {name: staticmethod(partial(getattr(self, name))) for name in names}
        return {**members, "generate_vmap_rule": True, "__module__": self.function.__module__}

    def _mapped(self, function: Callable[..., Any], dims: Dims, args: tuple[Any, ...]) -> Any:
        """Call a function of a level and of entries at it."""
        level = Level(self.size, self.randomness)
        with level.mapping():
            return function(level, *_wrapped(level, args, dims))

    def forward(self, *operands: Any) -> Any:
        """All outputs as batches, and last the dimensions that they are mapped over."""

        def run(level: Level, *entries: Any) -> Any:
            return unwrapped(level, self.function.forward(*entries))

        found, dims = self._mapped(run, self.in_dims, operands)
        if isinstance(found, list):
            raise errors.function_vmap_outputs()
        self.out_dims = dims if isinstance(dims, tuple) else (dims,)
        return (*found, dims) if isinstance(found, tuple) else (found, dims)

    def setup_context(self, ctx: Any, inputs: tuple[Any, ...], outputs: tuple[Any, ...]) -> None:
        """Let the Function set up the node, to which it gives entries."""
        *batches, dims = outputs

        def run(level: Level, *entries: Any) -> None:
            given, made = entries[: len(inputs)], entries[len(inputs) :]
            self.shapes = tuple([t._array.shape if isinstance(t, Tensor) else None for t in given])
            rules, ctx.rules = ctx.rules, (*ctx.rules, (self, level))
            try:
                self.called(ctx, "setup_context", given, made if isinstance(dims, tuple) else made[0])
                self._keep(level, ctx.attributes)
            finally:
                ctx.rules = rules

        self._mapped(run, (*self.in_dims, *self.out_dims), (*inputs, *batches))

    def saving(self, level: Level, tensors: tuple[Any, ...]) -> tuple[Any, ...]:
        """The batches of entries that are to be saved."""
        batches, self.saved_dims = unwrapped(level, tensors)
        return batches  # type: ignore[no-any-return]

    def _keep(self, level: Level, attributes: dict[str, Any]) -> None:
        """Let batches stand on a node where the Function stored entries, alone or in lists."""
        for name, value in attributes.items():
            if any(map(level.maps, tensors_in((value,)))):
                attributes[name], self.kept_dims[name] = unwrapped(level, value)

    def _with_entries(self, level: Level, attributes: dict[str, Any]) -> dict[str, Any]:
        """The attributes that the Function stored, with entries again."""
        kept = {name: attributes[name] for name in self.kept_dims if name in attributes}
        return {**attributes, **{name: _wrapped(level, value, self.kept_dims[name]) for name, value in kept.items()}}

    def _from_saved(self, ctx: Any, name: str, given: Sequence[Any], dims: Dims) -> tuple[Any, Any]:
        """Call `backward` or `jvp` of the Function on entries; returns (batches, dimensions)."""
        saved = ctx.saved_tensors

        def run(level: Level, *entries: Any) -> Any:
            unpacked, ctx.unpacked = ctx.unpacked, entries[: len(saved)]
            attributes, ctx.attributes = ctx.attributes, self._with_entries(level, ctx.attributes)
            try:
                return unwrapped(level, self.called(ctx, name, *entries[len(saved) :]))
            finally:
                ctx.unpacked, ctx.attributes = unpacked, attributes

        return self._mapped(run, (*self.saved_dims, *dims), (*saved, *given))  # type: ignore[no-any-return]

    def backward(self, ctx: Any, *grad_outputs: Any) -> Any:
        """The gradients of all entries, added up where the input is no batch."""
        given = grad_outputs[:-1]
        dims = tuple([None if g is None else dim for g, dim in zip(given, self.out_dims, strict=True)])
        return self._reduced(self._from_saved(ctx, "backward", given, dims), self.in_dims, self.shapes)

    def jvp(self, ctx: Any, *tangents: Any) -> Any:
        """The tangents of all entries."""
        dims = tuple([None if t is None else dim for t, dim in zip(tangents, self.in_dims, strict=True)])
        found = self._from_saved(ctx, "jvp", tangents, dims)
        return (*self._reduced(found, self.out_dims, (None,) * len(self.out_dims)), None)

    def _reduced(self, found: tuple[Any, Any], wanted: Dims, shapes: Sequence[Any]) -> tuple[Any, ...]:
        values, dims = found
        if not isinstance(values, tuple):
            values, dims = (values,), (dims,)
        return tuple(map(self._reduced_leaf, values, dims, wanted, shapes))

    def _reduced_leaf(self, value: Any, dim: int | None, wanted: int | None, shape: tuple[int, ...] | None) -> Any:
        """A gradient mapped over the dimension that its input is, and in that one's shape."""
        if value is None or dim is None and wanted is None:
            return value
        if wanted is None:
            return value.sum(dim)
        if not isinstance(value, Tensor):
            raise errors.object_attribute(type(value).__name__, "unsqueeze")
        if dim is None:
            value = ops.unsqueeze(value, wanted)
            dim = wanted
            size = value._array.shape
            value = ops.expand(value, (*size[:dim], self.size, *size[dim + 1 :]))
        if shape is not None:
            value, dim = self._mapped(lambda level, entry: unwrapped(level, entry.sum_to_size(shape)), (dim,), (value,))
        return value if dim == wanted else _moved(value, dim, wanted)


def _moved(batch: Tensor, dim: int | None, to: int) -> Tensor:
    assert dim is not None
    order = [d for d in range(batch._array.ndim) if d != dim]
    order.insert(to, dim)
    return ops.permute(batch, tuple(order))  # type: ignore[no-any-return]


def _wrapped(level: Level, value: Any, dim: Any) -> Any:
    """The entries of batches, which may be in lists, tuples and dictionaries, as the dimensions then are."""
    if isinstance(dim, list | tuple):
        return type(dim)([_wrapped(level, *pair) for pair in zip(value, dim, strict=True)])
    if isinstance(dim, dict):
        return {key: _wrapped(level, value[key], place) for key, place in dim.items()}
    return value if dim is None else level.entry(value, dim)


def unwrapped(level: Level, value: Any) -> tuple[Any, Any]:
    """The batches that entries stand for, and the dimensions they are mapped over: None for what is not mapped."""
    if isinstance(value, Tensor):
        return (value._batch.tensor, value._batch.dim) if value._batch and level.maps(value) else (value, None)
    if type(value) in (list, tuple):
        pairs = [unwrapped(level, item) for item in value]
        return type(value)([found for found, _ in pairs]), type(value)([dim for _, dim in pairs])
    if type(value) is dict:
        found = {key: unwrapped(level, item) for key, item in value.items()}
        return {key: batch for key, (batch, _) in found.items()}, {key: dim for key, (_, dim) in found.items()}
    return value, None
