"""Forward mode: tensors that carry a tangent, and what every op makes of the tangents of its inputs.

An op's tangent is the gradient of vᵀJ in v: the op runs once more on leaves, and two backward passes through it, with
its own formulas, multiply the Jacobian from the other side. Nothing of this is seen by the program's graph, unless an
input or a tangent requires grad itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import errors
from engine.autograd.api import grad, zeros_like
from engine.autograd.function import context
from engine.core.grad_mode import enable_grad
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.codegen.op import Op


class Level:
    """One `with dual_level():`; tangents belong to it and are gone with it. The state carries it to the ops."""

    def propagate(self, op: Op, inputs: Sequence[Any], out: Any) -> None:
        """Give the results of an op their tangents."""
        propagate(op, inputs, out)

    def of_write(self, op: Op, bound: dict[str, Any]) -> Tensor | None:
        """The tangent that an in-place op will leave."""
        return of_write(op, bound)

    def of_function(self, cls: Any, node: Any, args: Sequence[Any], results: Sequence[Any]) -> None:
        """Give the results of a custom Function their tangents."""
        function_tangents(cls, node, args, results, self)


def tangent_of(value: Any) -> Tensor | None:
    """The tangent that a value carries at the level in force."""
    return None if state.dual is None else tangent_at(state.dual, value)


def tangent_at(level: Level, value: Any) -> Tensor | None:
    """The tangent that a value carries at a level."""
    if not isinstance(value, Tensor) or value._tangent is None:
        return None
    found, tangent = value._tangent
    return tangent if found is level else None


@contextmanager
def primal_only() -> Iterator[None]:
    """Ops inside carry no tangents on, and nobody watches them."""
    level, watched, observer = state.dual, state.watched, state.observer
    state.dual = state.observer = None
    state.watched = False
    try:
        yield
    finally:
        state.dual, state.observer = level, observer
        state.watched = watched


def propagate(op: Op, inputs: Sequence[Any], out: Any) -> None:
    """Give the results of an op their tangents.

    Raises NotImplementedError for ops that draw random numbers.
    """
    given = [t for value in inputs for t in (value if isinstance(value, list | tuple) else (value,))]
    level = state.dual
    if not any(tangent_of(t) is not None for t in given):
        return
    if out is inputs[0]:  # a tensor that sees its own memory anew: `x.squeeze_()`
        with primal_only():
            out._tangent = level, op.call(tangent_at(level, out), *inputs[1:])
        return
    results = [out] if isinstance(out, Tensor) else list(out)
    if op.node_class is None or not any(t is not None and t._array.dtype.kind in "fc" for t in results):
        return
    with primal_only(), enable_grad():
        points: list[Tensor] = []
        tangents: list[Tensor] = []
        again = _rerun(op, inputs, level, points, tangents)
        for old, new in zip(results, again, strict=True):
            if old is not None and not np.array_equal(old._array, new._array, equal_nan=old._array.dtype.kind in "fc"):
                raise errors.dual_random(op.name)
        live = [place for place, t in enumerate(again) if t is not None and t.requires_grad]
        graph = any(t.requires_grad for t in (*given, *tangents) if isinstance(t, Tensor))
        for place, tangent in zip(live, _pushed([again[p] for p in live], points, tangents, graph), strict=True):
            results[place]._tangent = level, tangent if graph else tangent.detach()


def of_write(op: Op, bound: dict[str, Any]) -> Tensor | None:
    """The tangent that a tensor will have when the op has written to it, from what the op gives beside it.

    Raises NotImplementedError when other tensors see its memory, whose tangents would not change.
    """
    values = list(bound.values())
    given = [t for value in values for t in (value if isinstance(value, list | tuple) else (value,))]
    if not any(tangent_of(t) is not None for t in given):
        return None
    if values[0]._view is not None or values[0]._version_counter is not None:
        raise errors.dual_written()
    watched, state.watched = state.watched, True
    observer, state.observer = state.observer, None
    try:
        arguments = [bound[p.name] for p in op.parameters if not p.keyword_only]
        result = op.call(*arguments, **{p.name: bound[p.name] for p in op.parameters if p.keyword_only})
    finally:
        state.watched, state.observer = watched, observer
    return tangent_of(result)


def _rerun(op: Op, inputs: Sequence[Any], level: Level, points: list[Tensor], tangents: list[Tensor]) -> list[Any]:
    """The results of an op from points in place of its dual inputs, which are noted with their tangents."""

    def point(value: Any) -> Any:
        if isinstance(value, list | tuple) and any(isinstance(t, Tensor) for t in value):
            return [point(t) for t in value]
        if not isinstance(value, Tensor):
            return value
        tangent = tangent_at(level, value)
        if tangent is None:
            return value if value.requires_grad else value.detach()
        points.append(ops._fw_primal(value) if value.requires_grad else value.detach()._as_leaf())
        tangents.append(tangent)
        return points[-1]

    arguments: list[Any] = []
    keywords: dict[str, Any] = {}
    for parameter, value in zip(op.parameters, inputs, strict=True):
        if parameter.keyword_only:
            keywords[parameter.name] = point(value)
        else:
            arguments.append(point(value))
    out = op.call(*arguments, **keywords)
    return [out] if isinstance(out, Tensor) else list(out)


def _pushed(outputs: list[Tensor], points: list[Tensor], tangents: list[Tensor], graph: bool) -> list[Tensor]:
    """Tangents of outputs."""
    if not outputs:
        return []
    weights = [zeros_like(t).detach()._as_leaf() for t in outputs]
    transposed = grad(outputs, points, weights, create_graph=True, allow_unused=True, materialize_grads=True)
    live = [place for place, t in enumerate(transposed) if t.requires_grad]
    if not live:
        return [w.detach() for w in weights]
    found = grad(
        [transposed[place] for place in live], weights, [tangents[place] for place in live], retain_graph=True,
        create_graph=graph, allow_unused=True, materialize_grads=True,
    )  # fmt: skip
    return list(found)


def function_tangents(cls: Any, node: Any, args: Sequence[Any], results: Sequence[Any], level: Level) -> None:
    """The same for a user's Function, whose `jvp(ctx, *tangents)` says what becomes of them.

    Raises NotImplementedError when it has none.
    """
    tangents = [tangent_at(level, t) for t in args]
    if all(t is None for t in tangents):
        return
    if "jvp" not in {name for base in cls.__mro__[:-1] for name in vars(base) if base.__name__ != "Function"}:
        raise errors.dual_function()
    with primal_only():
        found = cls.jvp(context(node, cls.jvp), *tangents)
    for result, tangent in zip(results, found if isinstance(found, tuple) else (found,), strict=True):
        if isinstance(result, Tensor) and tangent is not None:
            result._tangent = level, tangent
