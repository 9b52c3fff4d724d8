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
from engine.core.grad_mode import enable_grad
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor, constant
from engine.limits import meter
from engine.types import dtypes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.codegen.op import Op


class Level:
    """One `with dual_level():`; tangents belong to it and are gone with it. The state carries it to the ops.

    `written`: tensors whose memory was written, themselves or through a view: what sees it has a part of their tangent.
    `duals`: what `make_dual` made of a tensor, on the same memory.
    """

    def __init__(self) -> None:
        self.written: dict[int, Tensor] = {}
        self.duals: dict[int, Tensor] = {}

    def wrote(self, op: Op, tensor: Tensor, tangent: Tensor | None) -> None:
        """An in-place op left a tangent, or none where neither the tensor nor what was written has one."""
        if op.copies and tangent is not None:
            with primal_only():
                tangent = ops.clone(tangent)  # the source keeps its own
        tensor._tangent = None if tangent is None else (self, tangent)
        base = tensor if tensor._view is None else tensor._view.base
        if tangent is None or (base is tensor and tensor._version_counter is None):
            return
        if base is not tensor:
            with primal_only():
                whole = tangent_at(self, self.duals.get(id(base), base))
                if whole is None:
                    whole = zeros_like(base).detach()
                    ops.as_strided(whole, *_place(tensor, base)).copy_(tangent)
                else:
                    whole = ops.as_strided_scatter(whole, tangent, *_place(tensor, base))
                base._tangent = self, whole
        self.written[id(base)] = base

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
    if not isinstance(value, Tensor):
        return None
    if value._view is not None and id(value._view.base) in level.written:
        base = value._view.base
        whole = tangent_at(level, base)
        with primal_only():
            return None if whole is None else ops.as_strided(whole.contiguous(), *_place(value, base), 0)
    if value._tangent is None:
        return None
    found, tangent = value._tangent
    return tangent if found is level else None


def _place(view: Tensor, base: Tensor) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Size, stride and offset, in elements, of a view in its base."""
    seen, whole = np.asarray(view._array), np.asarray(base._array)
    size = whole.itemsize
    offset = (seen.__array_interface__["data"][0] - whole.__array_interface__["data"][0]) // size
    return seen.shape, tuple(stride // size for stride in seen.strides), offset


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
    if op.node_class is None or not any(t is not None and t._array.dtype.kind in dtypes.INEXACT for t in results):
        return
    if op.view and not op.storage_view and _viewed(op, inputs, results, level):
        return
    recording = state.grad
    with primal_only(), enable_grad():
        points: list[Tensor] = []
        tangents: list[Tensor] = []
        again = _rerun(op, inputs, level, points, tangents)
        for old, new in zip(results, again, strict=True):
            nan = old is not None and old._array.dtype.kind in dtypes.INEXACT
            if old is not None and not np.array_equal(old._array, new._array, equal_nan=nan):
                raise errors.dual_random(op.name)
        live = [place for place, t in enumerate(again) if t is not None and t.requires_grad]
        graph = recording and any(t.requires_grad for t in (*given, *tangents) if isinstance(t, Tensor))
        try:
            found = _pushed([again[p] for p in live], points, tangents, graph)
        except (NotImplementedError, RuntimeError) as error:
            if type(error) is NotImplementedError or str(error).startswith("derivative for aten::"):
                raise errors.dual_unsupported(op.identifier) from None
            raise
        for place, tangent in zip(live, found, strict=True):
            results[place]._tangent = level, tangent if graph else tangent.detach()


def _viewed(op: Op, inputs: Sequence[Any], results: list[Tensor], level: Level) -> bool:
    """Give views the views of the tangent, unless it lies so in memory that there are none."""
    options = {p.name: value for p, value in zip(op.parameters, inputs, strict=True) if p.keyword_only}
    given = [value for p, value in zip(op.parameters, inputs, strict=True) if not p.keyword_only]
    with primal_only():
        try:
            out = op.call(tangent_at(level, given[0]), *given[1:], **options)
        except RuntimeError:
            return False
    for result, tangent in zip(results, [out] if isinstance(out, Tensor) else out, strict=True):
        result._tangent = level, tangent
    return True


def of_write(op: Op, bound: dict[str, Any]) -> Tensor | None:
    """The tangent that a tensor will have when the op has written to it, from what the op gives beside it."""
    values = list(bound.values())
    given = [t for value in values for t in (value if isinstance(value, list | tuple) else (value,))]
    if not any(tangent_of(t) is not None for t in given):
        return None
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


def _weight_like(t: Tensor) -> Tensor:
    """A leaf to differentiate vᵀJ at, which is linear in it: of ones, as some formulas have no slope at zeros."""
    a = t._array
    meter.allocate(a.size, a.itemsize)
    return constant(np.ones_like(a, subok=False) if a.ndim else a.dtype.type(1))._as_leaf()


def _pushed(outputs: list[Tensor], points: list[Tensor], tangents: list[Tensor], graph: bool) -> list[Tensor]:
    """Tangents of outputs."""
    if not outputs:
        return []
    weights = [_weight_like(t) for t in outputs]
    transposed = grad(outputs, points, weights, create_graph=True, allow_unused=True, materialize_grads=True)
    live = [place for place, t in enumerate(transposed) if t.requires_grad]
    if not live:
        return [zeros_like(t).detach() for t in outputs]
    found = grad(
        [transposed[place] for place in live], weights, [tangents[place] for place in live], retain_graph=True,
        create_graph=graph, allow_unused=True, materialize_grads=True,
    )  # fmt: skip
    return list(found)


def function_tangents(cls: Any, node: Any, args: Sequence[Any], results: Sequence[Any], level: Level) -> None:
    """The same for a user's Function, whose `jvp(ctx, *tangents)` says what becomes of them.

    Raises NotImplementedError when it has none, RuntimeError when its tangents do not fit what forward did: another
    number of them, one for a result without gradient, no view for a view, no write for a write.
    """
    tangents = [tangent_at(level, t) for t in args]
    if all(t is None for t in tangents):
        return
    versions = {id(t): t._version for t in tangents if t is not None}
    with primal_only():
        found = node.push(args, tangents)
    given = [(value, tangent) for value, tangent in zip(args, tangents, strict=True) if isinstance(value, Tensor)]
    for place, (result, tangent) in enumerate(zip(results, found, strict=True)):
        if tangent is not None:
            if not _differentiable(node, result):
                raise errors.jvp_not_differentiable(place)
            _check_tangent(node, result, tangent, given, versions)
            result._tangent = level, tangent


def _differentiable(node: Any, result: Any) -> bool:
    """Whether a result of forward can have a tangent."""
    return (
        isinstance(result, Tensor)
        and result._array.dtype.kind in dtypes.INEXACT
        and not any(result is t for t in getattr(node, "_non_differentiable_tensors", ()))
    )


def _check_tangent(
    node: Any, result: Tensor, tangent: Tensor, given: Sequence[tuple[Tensor, Any]], versions: dict[int, int]
) -> None:
    """Refuse a tangent that is not to the tangents of the inputs what the result is to the inputs; `given` pairs them,
    `versions` says what the tangents' were before `jvp` ran."""
    if result._array.shape != tangent._array.shape:
        raise errors.forward_gradient_size(result._array.shape, tangent._array.shape)
    if any(result is t for t in node._dirty):
        own = next((own for value, own in given if value is result), None)
        if tangent is not own or versions.get(id(tangent)) == tangent._version:
            raise errors.jvp_not_in_place()
        return
    if result._view is None:
        return
    root = result._view.base
    for value, own in given:
        if own is None or root is not value and (value._view is None or root is not value._view.base):
            continue
        if tangent._view is None:
            raise errors.jvp_not_a_view()
        if tangent._view.base is not (own if own._view is None else own._view.base):
            raise errors.jvp_other_view(
                "the given grad input" if own._view is None else "the same base as the given grad input"
            )
