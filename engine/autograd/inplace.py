"""In-place ops: write to the tensor's memory, count the write, and put the new node in the tensor's place.

Writing through a view changes the base: the base gets a CopySlices node, and the view reads its grad_fn anew.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from engine import costs, errors
from engine.codegen.call import UNDERIVABLE, drop_unused, in_single_of, refuse_bools
from engine.codegen.dtype_checks import by_kernel, mismatch, refuse_written, unfit
from engine.codegen.op import Op, promote_difference, refusal, watch
from engine.core.complex import gradients
from engine.core.node import LEAF_SEQUENCE, Node, NodeMeta, VersionCounter, versions_of
from engine.core.registry import OPS, WHEN_DECLARED, ops
from engine.core.state import Culprit, sequence, state
from engine.core.tensor import Tensor, constant, number, report_write, scalar, tensors_of, write
from engine.core.views import geometry, grad_accumulator, gradient_edge, move_retain, regenerate_grad_fn, replay
from engine.types import dtypes
from engine.types.bfloat16 import SHORT, in_single
from engine.types.coo import Coo
from engine.types.shapes import address, empty_laid_out, expandable, is_dense, reach, restride, root

new = object.__new__


def check_inplace(t: Tensor, live: bool) -> None:
    """Raise PyTorch's error when `t` has no new place in the graph; `live`: some input of the op requires grad."""
    if live and state.grad and t._batch is None:  # of an entry, its batch is asked
        view = t._view
        if view is not None:
            if view.creation_meta != "default":
                fn = t._grad_fn
                raise errors.view_modified(
                    view.creation_meta, None if fn is None else fn.name(), t._output_nr, indirect=False
                )
            if t.requires_grad and view.base._grad_fn is None:
                raise errors.leaf_view_inplace()
        if (
            t._grad_fn is None and t.requires_grad
        ):  # a view that nobody has asked for its node since its base got one, too
            raise errors.leaf_inplace()


def _refuse_repeats(t: Tensor) -> None:
    """Raise when elements that are to be written share memory."""
    a = t._array
    if type(a) is np.ndarray and repeats(a):
        raise errors.overlapping_write()


def repeats(a: Any) -> bool:
    """Whether an array shows an element several times because a dimension was expanded."""
    return bool(0 in a.strides and a.size and any(s == 0 and n > 1 for s, n in zip(a.strides, a.shape, strict=True)))


def _is_seen_by(t: Tensor, other: Tensor) -> bool:
    """Whether two tensors are the same elements in the same order: there is nothing to copy."""
    a, b = t._array, other._array
    if type(a) is not np.ndarray or type(b) is not np.ndarray or a.strides != b.strides or a.shape != b.shape:
        return False
    return bool(a.dtype == b.dtype and address(a) == address(b))


def _together(a: Any, result: Any, adds: bool) -> Any:
    """What an array whose elements share memory holds once some of them were written: what came last, or all that
    was added."""
    once = tuple([slice(0, 1) if step == 0 else slice(None) for step in a.strides])
    cells = a[once].copy()
    if adds:
        repeated = tuple([axis for axis, step in enumerate(a.strides) if step == 0])
        return np.broadcast_to(cells + (result - a).sum(repeated, keepdims=True, dtype=a.dtype), a.shape)
    steps = [0 if step == 0 else own for step, own in zip(a.strides, cells.strides, strict=True)]
    shared = restride(cells, a.shape, steps)
    np.copyto(shared, result, where=(result != a) & ((result == result) | (a == a)))
    return shared


def rebase(t: Tensor, node: Node) -> None:
    """Make `node` the grad_fn of the written tensor, through CopySlices when it is a view."""
    view = t._view
    if view is None:
        _set_history(t, node)
        return
    base = view.base
    copy_slices = CopySlices(base, t, node)
    _set_history(base, copy_slices)
    if t._grad_fn is None:
        t._grad_fn = node  # any value: `regenerate_grad_fn` replaces it, because the version moved on
    regenerate_grad_fn(t)


def _set_history(t: Tensor, node: Node) -> None:
    old, number_ = t._grad_fn, t._output_nr
    t._grad_fn, t._output_nr, t._requires_grad = node, 0, True
    if t._retains:
        move_retain(t, old, number_)


class CopySlices(Node):
    """The gradient of a base that was written to through a view: the slice goes through the op that wrote it."""

    qualified_name = "torch::autograd::CopySlices"

    def __init__(self, base: Tensor, view: Tensor, fn: Node) -> None:
        self.sequence_nr = sequence.next()
        self.fn: Node | None = fn
        self.saved = (fn,)  # what it keeps is what the op that wrote keeps
        edge, nr = gradient_edge(base)
        self.next_edges = (edge, *fn.next_edges[1:])
        if nr or fn.input_nrs is not None:
            self.input_nrs = (nr, *(fn.input_nrs or (0,) * len(fn.next_edges))[1:])
        whole, part = base._array, view._array
        self.shape, self.dtype, self.strides = whole.shape, whole.dtype, whole.strides
        # Bytes of the base's memory before its first element, less those that a copy of the base has there.
        memory = root(whole)
        ahead = 0 if memory is whole else address(whole) - address(memory)
        self.before = ahead - reach(whole.shape, whole.strides)[0]
        self.part, self.part_dtype = geometry(part), part.dtype
        self.steps: tuple[Any, ...] = ()
        if view._view is not None:
            self.part, self.steps = view._view.seen or self.part, view._view.steps

    def release_variables(self) -> bool:
        """Let go of the op that wrote. What it saved stays, for a gradient of a gradient may run it by itself."""
        fn, self.fn, self.saved = self.fn, None, None
        return fn is not None and any([value is not None for value in fn.packed or fn.saved or ()])

    def _written_by(self) -> Node:
        """The op that wrote. RuntimeError once it has been let go, even if it saved nothing."""
        if self.fn is None:
            error = errors.backward_twice()
            state.culprit = Culprit(str(error), node=self)
            raise error
        return self.fn

    def _slice(self, result: Any) -> Any:
        """The view's place in an array laid out as the base. RuntimeError when the base has become too small."""
        shape, strides, offset = self.part
        item = self.part_dtype.itemsize
        start = offset * item - self.before
        try:
            return np.ndarray(shape, self.part_dtype, root(result), start, tuple([s * item for s in strides]))
        except ValueError:
            if not all(shape):
                return np.empty(shape, self.part_dtype)
            offset = start // item
            if offset < 0:
                raise errors.negative_offset(offset) from None
            needed = (offset + 1 + reach(shape, strides)[1]) * item
            raise errors.storage_too_small(shape, strides, offset, item, needed, root(result).nbytes) from None

    def _slice_graph(self, result: Tensor) -> Tensor:
        shape, strides, offset = self.part
        source = replay(result, self.steps, self.before)
        offset -= self.before // self.part_dtype.itemsize
        there = geometry(source._array)
        if self.steps and there == (shape, strides, offset):
            return source
        return ops.as_strided(source, shape, strides, offset, there[2])  # type: ignore[no-any-return]

    def _edges_of_fn(self, edges: tuple[Node | None, ...]) -> tuple[Node | None, ...]:
        return (edges[0], *edges[1:])

    def apply(self, g: Any, edges: tuple[Node | None, ...]) -> Sequence[Any]:
        fn = self._written_by()
        if g is None:
            return (None,) * len(edges)
        result = empty_laid_out(self.shape, self.strides, self.dtype)
        result[...] = g
        view = self._slice(result)
        grads = list(gradients(fn, view.copy()[()], self._edges_of_fn(edges), False))
        if edges[0] is not None:
            if repeats(view):
                raise errors.overlapping_write()
            view[...] = 0 if grads[0] is None else grads[0]
            grads[0] = result
        return grads

    def apply_graph(self, g: Any, edges: tuple[Node | None, ...]) -> Sequence[Any]:
        fn = self._written_by()
        if g is None:
            return (None,) * len(edges)
        result = constant(empty_laid_out(self.shape, self.strides, self.dtype))
        result.copy_(g)
        view = self._slice_graph(result)
        grads = list(gradients(fn, ops.clone(view), self._edges_of_fn(edges), True))
        if edges[0] is not None:
            view.zero_() if grads[0] is None else view.copy_(grads[0])
            grads[0] = result
        return grads


def _inplace_form(op: Op) -> Callable[..., Any]:
    """The in-place form of an op: `mul_` of `mul`."""
    node_class = op.inplace_node_class

    def call(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return apply_inplace(op, node_class, self, args, kwargs)

    call.__name__ = call.__qualname__ = op.name.rstrip("_") + "_"
    call.__doc__ = f"In-place `{op.name}`."
    return call


def _register(op: Op) -> None:
    """Make `ops.mul_` of `mul`. Where a row says what an op does in place (`elu_`), `ops.elu_` is that row's."""
    if op.inplace and not op.outputs and not op.variadic:
        if op.name.endswith("_"):
            setattr(ops, op.identifier, _inplace_form(op))
        elif op.identifier + "_" not in OPS:
            setattr(ops, op.identifier + "_", _inplace_form(op))


WHEN_DECLARED.append(_register)


class _Operands:
    """The arguments of an in-place op, by parameter.

    `bound`: as they were given. `values`: as kernels take them. `flags`: whether a tensor requires grad. `others` are
    the tensors but the one that is written to, `views` those that are views.
    """

    __slots__ = ("bound", "flags", "others", "values", "views")

    def __init__(self, op: Op, target: Tensor, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
        self.bound = op.bind((target, *args), kwargs)
        self.flags: dict[str, bool] = {}
        self.values: dict[str, Any] = {}
        self.views: list[Tensor] = []
        self.others: list[Tensor] = []
        for p in op.parameters:
            value = self.bound[p.name]
            if p.kind == "scalar":
                value = self.bound[p.name] = scalar(value)
            elif p.kind == "tensors":
                self.others += value
                self.views += [t for t in value if t._view is not None]
                self.flags[p.name] = any(t.requires_grad for t in value)
                value = [t._array for t in value]
            elif isinstance(value, Tensor):
                if p.kind == "plain" and type(p.default) is float and value._array.size != 1:
                    raise errors.argument_type(op.name + "_", p.name, op.parameters.index(p) + 1, "Number", value)
                if p.name != "self":
                    self.others.append(value)
                self.flags[p.name] = value._requires_grad
                if value._view is not None:
                    self.views.append(value)
                    self.flags[p.name] = value.requires_grad
                value = value._array
            elif p.kind in ("grad", "tensor") and value is not None:
                if not op.numbers and p.name in op.promote:
                    raise errors.argument_type(op.name + "_", p.name, 1, "Tensor", value)
                value = number(value)
            self.values[p.name] = value

    def live(self, op: Op) -> bool:
        """Whether any of those that the op differentiates requires grad."""
        if op.copies and self.values["self"].dtype.kind not in dtypes.INEXACT:  # what is rounded away has no slope
            return False
        return any(self.flags.get(p.name, False) for p in op.inputs)


def apply_inplace(op: Op, node_class: Any, self: Tensor, args: Sequence[Any], kwargs: dict[str, Any]) -> Tensor:
    """Run an op on `self` and its arguments, and leave the result in `self`."""
    if op.fast_inplace and not state.unusual and _everyday(op, self, args, kwargs):
        return self
    given = _Operands(op, self, args, kwargs)
    bound, values, others = given.bound, given.values, given.others
    if state.sparse and not op.sparse and any(type(value) is Coo for value in values.values()):
        raise errors.sparse_unavailable(op.name + "_")
    if state.batching is not None:
        state.batching.check_write(op, self, bound.values())
    level, tangent = state.dual, None
    if level is not None:
        tangent = level.of_write(op, bound)
    live = given.live(op)
    if not op.overwrites_leaves:
        check_inplace(self, live or self._view is not None and self.requires_grad)
    for t in given.views:
        regenerate_grad_fn(t)
    repeated = _check_memory(op, self, others)
    original = values["self"]
    _check_operands(op, values, others)
    few = costs.unnoticed(op.cost)
    if original.size > few or any(t._array.size > few for t in others):
        costs.work(op.cost, original, *[t._array for t in others])
    result = _computed(op, values, original)
    if op.memory_last:
        if not repeated:
            _refuse_repeats(self)
        _refuse_overlap(self, others, op.overlap == "any")
    _check_result(op, result, original)
    node = None
    if live and state.grad and node_class is not None:
        node = _node(op, node_class, bound, values, given.flags)
        if state.inference_seen and any(t._inference for t in tensors_of(node.saved or ())):
            raise errors.inference_saved()
    write(self, _together(original, result, values.get("accumulate", False)) if repeated else result)
    if node is not None:
        _take_place(op, node, self)
    if state.watched:
        state.dual = None  # the tangent of the write is known
        watch(op, tuple(bound.values()), self, node)
        state.dual = level
        if self._batch is None:
            report_write(self)
    if level is not None:
        level.wrote(op, self, tangent)
    return self


def _check_memory(op: Op, self: Tensor, others: Sequence[Tensor]) -> bool:
    """Refuse to write to elements that share memory, or to memory that operands see; whether elements do, and may."""
    repeated = op.internal_overlap == "warn" and type(self._array) is np.ndarray and repeats(self._array)
    if repeated:
        errors.warn_expanded_write(op.name + "_")
    elif op.internal_overlap != "allow" and not op.memory_last and not (op.copies and _is_seen_by(self, others[0])):
        _refuse_repeats(self)
    if others and not op.memory_last and op.overlap != "none":
        _refuse_overlap(self, others, op.overlap == "any")
    return repeated


def _check_operands(op: Op, values: dict[str, Any], others: Sequence[Tensor]) -> None:
    """Refuse sizes and types, before anything is computed, in the order in which PyTorch looks at them."""
    if op.inplace_check is not None:
        op.inplace_check(values)
    original = values["self"]
    wider = False
    for t in others:
        shape = t._array.shape
        if shape != original.shape and not _expands(shape, original.shape):
            wider = costs.broadcasts(op)
    try:
        refuse_written(op, original.dtype)
    except NotImplementedError as error:
        if wider and by_kernel(error):
            _refuse_shapes(op, values, original.shape)
        sooner = _sooner(op, values, original) if by_kernel(error) else None
        if by_kernel(error) and sooner is None and len(op.promote) == 2:
            _promote(op, values)
            refuse_written(op, values[op.promote[0]].dtype)
        raise sooner or error from None
    if wider:
        _refuse_shapes(op, values, original.shape)
    for name in op.converts.split():
        if type(values[name]) is complex and original.dtype.kind != "c":
            raise unfit(op.identifier, original.dtype)


def _check_result(op: Op, result: Any, original: Any) -> None:
    """Refuse a result of another size than what it is to be written to, or of a type that cannot become that one."""
    if np.shape(result) != original.shape:
        if op.names_sizes:
            raise errors.inplace_sizes(original.shape, np.shape(result))
        raise errors.inplace_shape(original.shape, np.shape(result))
    if result.dtype is not original.dtype and not dtypes.can_cast(dtypes.of(result.dtype), dtypes.of(original.dtype)):
        wanted = dtypes.of(original.dtype)
        name = wanted.cpp_name if op.names_cpp_type else wanted.type_name
        raise errors.inplace_dtype(dtypes.of(result.dtype).type_name, name)


_EXACT = 1 << 24
"""Integers below this are float32 numbers."""


@cache
def _plan(op: Op) -> tuple[tuple[tuple[str, str, Any], ...], int, int, int]:
    """(name, kind, default) of each parameter, how many of them are positional, free elements, nanoseconds of one."""
    parameters = tuple([(p.name, p.kind, p.default) for p in op.parameters])
    positional = len([p for p in op.parameters if not p.keyword_only])
    return parameters, positional, costs.unnoticed(op.cost), op.cost


def _everyday(op: Op, self: Tensor, args: Sequence[Any], kwargs: dict[str, Any]) -> bool:
    """Write to a tensor where nothing has to be promoted, differentiated or refused; False, and nothing done,
    for any other call."""
    a, grad = self._array, state.grad
    dtype, view, memory = a.dtype, self._view, a
    whole = dtype == np.int64
    if state.sparse or not (op.fast_inplace == "integral" if whole else dtype.char in "fd"):
        return False
    if grad and (self._requires_grad or view is not None and view.base._requires_grad):
        return False
    if type(a) is np.ndarray:
        if 0 in a.strides:
            return False
        if a.base is not None:
            memory = a.base
    parameters, positional, few, ns = _plan(op)
    given = [self, *args]
    if len(given) > positional:
        return False
    used = 0
    for name, _, default in parameters[len(given) :]:
        if name in kwargs:
            default = kwargs[name]
            used += 1
        given.append(default)
    if used != len(kwargs):
        return False
    values = [a]
    for (_, kind, _), value in zip(parameters[1:], given[1:], strict=True):
        if type(value) is float and not whole or type(value) is int and -_EXACT < value < _EXACT:
            if kind == "grad" and not op.numbers:
                return False
        elif kind == "grad" and isinstance(value, Tensor):
            other = value._array
            if other.dtype is not dtype or value._view is not None and grad or grad and value._requires_grad:
                return False
            if type(other) is np.ndarray and (other if other.base is None else other.base) is memory and other is not a:
                return False
            if other.shape != a.shape and not _expands(other.shape, a.shape):
                return False
            value = other
        else:
            return False
        values.append(value)
    if a.size > few:
        costs.work(ns, a)
    options = {name: value for (name, _, _), value in zip(parameters[positional:], values[positional:], strict=True)}
    try:
        result = op.kernel(*values[:positional], **options)
    except (ValueError, TypeError, NotImplementedError):
        return False
    if result.shape != a.shape or result.dtype is not dtype:
        return False
    write(self, result)
    if state.watched:
        watch(op, tuple(given), self, None)
        report_write(self)
    return True


def _computed(op: Op, values: dict[str, Any], original: Any) -> Any:
    """The result of a write, of operands that are promoted for it."""
    _promote(op, values)
    try:
        if op.promote and values[op.promote[0]].dtype is not original.dtype:
            refuse_written(op, values[op.promote[0]].dtype)
        return _run(op, values)
    except (ValueError, TypeError) as error:
        operands = [values[p.name] for p in op.parameters if p.kind in ("grad", "tensor")]
        raise _sooner(op, values, original) or refusal(error, *operands) from None
    except NotImplementedError as error:
        raise (by_kernel(error) and _sooner(op, values, original)) or error from None


def _run(op: Op, values: dict[str, Any]) -> Any:
    """What the kernel makes of the operands."""

    def run(*tensors: Any) -> Any:
        given = values | dict(zip(names, tensors, strict=True)) if tensors else values
        return op.kernel(
            *[given[p.name] for p in op.parameters if not p.keyword_only],
            **{p.name: given[p.name] for p in op.parameters if p.keyword_only},
        )

    names: list[str] = []
    short = in_single_of(op)
    if not short or values["self"].dtype.char not in short:
        return run()
    names = [p.name for p in op.parameters if p.kind in ("grad", "tensor")]
    return in_single(run, *[values[name] for name in names])


_expands = lru_cache(maxsize=1024)(expandable)


def _refuse_shapes(op: Op, values: dict[str, Any], own: tuple[int, ...]) -> None:
    """Raise where the result would have another shape than what it is written to, before it is computed.

    What PyTorch says sooner than that comes first.
    """
    operands = [values[p.name] for p in op.parameters if p.kind in ("grad", "tensor")]
    if values.get("rounding_mode") not in (None, "floor", "trunc"):
        raise errors.rounding_mode(values["rounding_mode"])
    if op.inplace_broadcast is not None and not op.inplace_broadcast(values):
        return
    if len(op.promote) == 2 and not op.real and not op.bools:
        refuse_bools(*[values[name] for name in op.promote])
    wrong = mismatch(operands)
    if wrong is not None:
        raise wrong
    shape = np.broadcast_shapes(*map(np.shape, operands))
    if shape != own:
        raise errors.inplace_shape(own, shape)


def _sooner(op: Op, values: dict[str, Any], own: Any) -> Exception | None:
    """What is wrong with the operands of a write whose kernel refuses their type: PyTorch looks at shapes, and at
    what can be written to `own`, before it comes to kernels."""
    if len(op.promote) != 2 or any(op.by_name[name].kind == "scalar" for name in op.promote):
        return None
    operands = [values[name] for name in op.promote]
    wrong = mismatch(operands)
    if wrong is not None:
        return wrong
    shape = np.broadcast_shapes(*map(np.shape, operands))
    if shape != own.shape:
        return errors.inplace_shape(own.shape, shape)
    if op.returns_bool:
        return None
    _promote(op, values)
    result, wanted = dtypes.of(values[op.promote[0]].dtype), dtypes.of(own.dtype)
    return None if dtypes.can_cast(result, wanted) else errors.inplace_dtype(result.type_name, wanted.type_name)


def _refuse_overlap(self: Tensor, others: Sequence[Tensor], apart: bool) -> None:
    """Raise where PyTorch will not write to memory that an operand sees; `apart`: not even the same elements."""
    own = self._array
    if type(own) is not np.ndarray:  # a number that no other tensor sees
        if apart and any([other is self for other in others]):
            raise errors.partial_overlap()
        return
    memory = own if own.base is None else own.base
    for other in others:
        a = other._array
        if (a if a.base is None else a.base) is not memory:
            continue
        if (other is self or _overlaps(own, a)) if apart else partly_overlaps(own, a):
            raise errors.partial_overlap()


def partly_overlaps(a: Any, b: Any) -> bool:
    """Whether two tensors share memory without being the same elements; False when PyTorch would not look closer."""
    if a is b or a.nbytes == b.nbytes and address(a) == address(b) and a.strides == b.strides:
        return False
    return _overlaps(a, b)


def _overlaps(a: Any, b: Any) -> bool:
    """Whether two tensors share memory; False when PyTorch would not look closer."""
    if not (is_dense(a) and is_dense(b)):
        return False
    first, second = address(a), address(b)
    return bool(first < second + b.nbytes and second < first + a.nbytes)


def _needs_promotion(a: Any, b: Any) -> bool:
    """False for floats of one dtype, and for float32 and float64 with a Python float."""
    kind = getattr(a, "dtype", None)
    if kind is None or kind.kind not in dtypes.FLOATING:
        return True
    return kind.char in SHORT if type(b) is float else getattr(b, "dtype", None) is not kind


_OF_NUMBERS: dict[str, Callable[..., tuple[Any, ...]]] = {
    "factors": dtypes.promote_factors,
    "quotient": dtypes.promote_quotient,
}
"""How a number is promoted where its op wraps it."""


def _promote(op: Op, values: dict[str, Any]) -> None:
    names = [n for n in op.promote if values.get(n) is not None]
    if len(names) == 2 and not _needs_promotion(values[names[0]], values[names[1]]):
        return
    if len(names) > 1:
        function: Callable[..., tuple[Any, ...]] = dtypes.promote_all
        if len(names) == 2:
            function = dtypes.promote_float if op.real else dtypes.promote if op.bools else promote_difference
            if type(values[names[1]]) in (float, int):
                function = _OF_NUMBERS.get(op.wrapped_number, function)
        for name, value in zip(names, function(*(values[n] for n in names)), strict=True):
            values[name] = value
    else:
        for name in op.real:
            values[name] = dtypes.to_float(values[name])


@cache
def _refusing(op: Op) -> NodeMeta:
    """The node of an op that PyTorch cannot differentiate, as its in-place form has it, which has another name."""
    kind = op.inplace_node_class
    assert kind is not None

    def apply(node: Node, g: Any, edges: tuple[Node | None, ...]) -> Sequence[Any]:
        if not op.inplace_grad:
            raise errors.not_differentiable_in_place(op.name)
        raise errors.not_differentiable(op.name.rstrip("_") + "_")

    return NodeMeta(kind.__name__, (kind,), {"apply": apply, "apply_graph": apply, "__slots__": ()})


def _node(op: Op, node_class: Any, bound: dict[str, Any], values: dict[str, Any], flags: dict[str, bool]) -> Node:
    """The op's node, built as its generated call builds it, but keeping the overwritten value where it is needed."""
    refusing = op.node_name == UNDERIVABLE or not op.inplace_grad
    node: Node = _refusing(op)() if refusing else node_class()
    node.sequence_nr = LEAF_SEQUENCE if op.node_name == UNDERIVABLE else sequence.next()
    edges: list[Node | None] = []
    numbers: list[int] = []
    for p in op.inputs:
        for t in bound[p.name] if p.kind == "tensors" else (bound[p.name],):
            wanted = isinstance(t, Tensor) and t._requires_grad
            edges.append((t._grad_fn or grad_accumulator(t)) if wanted else None)
            numbers.append(t._output_nr if wanted else 0)
    node.next_edges = tuple(edges)
    if any(numbers):
        node.input_nrs = tuple(numbers)
    if op.node_name == UNDERIVABLE:
        drop_unused(node)
    saved: list[Any] = []
    for name in op.saved_tensors:
        value = bound[name]
        users = op.users[name]
        if not any([flags.get(user, False) for user in (users if len(users) == 1 else flags)]):
            value = None
        elif name == "self":
            value = _kept_copy(bound["self"])
        saved.append(tuple(value) if op.by_name[name].kind == "tensors" else value)
    node.saved = tuple(saved)
    if saved:
        node.versions = versions_of(node.saved)
    kept = [values[n] if op.by_name[n].kind == "scalar" else bound[n] for n in op.saved_values]
    for name in op.saved_attributes:
        owner, _, attribute = name.rpartition("__")
        kept.append(getattr(values[owner], attribute, ()))
    node.args = tuple(kept)
    node.shape, node.dtype = values["self"].shape, bound["self"]._array.dtype
    return node


def _kept_copy(t: Tensor) -> Tensor:
    """What was in a tensor that is about to be overwritten. PyTorch clones it, so a second derivative finds its way."""
    watched, state.watched = state.watched, False  # not a step of the program
    try:
        return ops.clone(t)  # type: ignore[no-any-return]
    finally:
        state.watched = watched


def _take_place(op: Op, node: Node, self: Tensor) -> None:
    """Make the node of a write the grad_fn of what was written, which it keeps where its formulas need the result."""
    if op.saved_outputs:
        if self._version_counter is None:
            self._version_counter = VersionCounter()
        assert node.saved is not None
        node.saved = (*node.saved, (self._array, self._version_counter, self._version_counter.n))
    rebase(self, node)
    if self._view is not None and op.saved_outputs and self._grad_fn is not None:
        node.view_fn = weakref.ref(self._grad_fn)


__all__ = ["CopySlices", "apply_inplace", "check_inplace", "rebase"]
