"""`torch.autograd`: `backward`, `grad`, and the checks PyTorch makes before a backward pass starts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

import numpy as np

from engine import errors
from engine.core.graph_task import execute, queue_callback
from engine.core.node import Node
from engine.core.registry import ops
from engine.core.state import state
from engine.core.tensor import Tensor, constant
from engine.core.views import gradient_edge
from engine.limits import meter
from engine.types import dtypes
from engine.types.shapes import empty_laid_out

new = object.__new__


class GradientEdge(tuple[Any, ...]):
    """`(node, output_nr, ownership_token)`: a place in the graph that may be a root or an input."""

    __slots__ = ()
    __module__ = "torch.autograd.graph"
    _fields = ("node", "output_nr", "ownership_token")

    def __new__(cls, node: Node, output_nr: int, ownership_token: None = None) -> GradientEdge:
        return super().__new__(cls, (node, output_nr, None))

    @property
    def node(self) -> Node:
        return self[0]  # type: ignore[no-any-return]

    @property
    def output_nr(self) -> int:
        return self[1]  # type: ignore[no-any-return]

    @property
    def ownership_token(self) -> None:
        """Keeps the node of a Function in C++ alive; there are none here."""
        return None

    def __repr__(self) -> str:
        return f"GradientEdge(node={self[0]!r}, output_nr={self[1]}, ownership_token=None)"


_PLACES = (Tensor, GradientEdge)


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Gradients of `tensors`, weighted by `grad_tensors`, for the leaves of their graphs (or `inputs`), into `.grad`.

    Raises RuntimeError with PyTorch's texts: a non-scalar without its gradient, a tensor outside any graph, shapes that
    do not match, saved tensors that were freed or written to.
    """
    if state.transforms:
        raise errors.backward_in_transform()
    if grad_variables is not None:
        errors.warn_grad_variables()
        if grad_tensors is not None:
            raise errors.grad_tensors_and_variables()
        grad_tensors = grad_variables
    roots = _sequence(tensors)
    chosen = None if inputs is None else _inputs(inputs, "backward")
    gradients = _make_gradients(roots, _gradient_list(grad_tensors, len(roots)), create_graph)
    retain = create_graph if retain_graph is None else retain_graph
    _engine(roots, gradients, retain, create_graph, chosen, accumulate=True)


def _backward_of_tensor(
    self: Tensor, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False, inputs: Any = None
) -> None:
    """Gradients of this tensor for every leaf of its graph, added to their `.grad`."""
    if inputs is None and create_graph is False and not state.transforms:
        node, value = self._grad_fn, self._array
        if node is not None and self._view is None and value.dtype.kind in dtypes.FLOATING:
            # The everyday calls, on a scalar loss or with a gradient that fits, need none of the checks.
            if gradient is None and not value.shape:
                gradient = constant(np.ones((), value.dtype) if state.hooked else value.dtype.type(1))
            if (
                type(gradient) is Tensor
                and gradient._array.shape == value.shape
                and gradient._array.dtype is value.dtype
            ):
                retain = retain_graph is not None and bool(index(retain_graph))
                if state.observer is not None:
                    state.observer.roots((self,))
                execute(((node, self._output_nr),), (gradient,), retain, False)
                return
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)


_backward_of_tensor.__name__, _backward_of_tensor.__qualname__ = "backward", "Tensor.backward"
Tensor.backward = _backward_of_tensor  # type: ignore[method-assign]


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...] | dict[Any, Any]:
    """The gradients of `outputs` with respect to `inputs`, returned instead of accumulated; one per input, under the
    same keys where those are in a dict.

    An input that the outputs do not depend on raises RuntimeError, or gives None with `allow_unused=True`, or zeros
    with `materialize_grads=True`. With `is_grads_batched` the first dimension of `grad_outputs` is a batch.
    """
    if materialize_grads and allow_unused is False:
        raise errors.materialize_without_unused()
    unused = bool(allow_unused) or materialize_grads
    if not only_inputs:
        errors.warn_only_inputs()
    roots = _sequence(outputs)
    wanted = _inputs(inputs, "grad")
    if state.batching is not None and not state.transforms[-1].differentiates:
        for position, root in enumerate(roots):
            if isinstance(root, Tensor) and root._batch is not None:
                raise errors.root_without_graph(position)
    found = gradients(
        roots, wanted, grad_outputs, retain_graph, create_graph, unused, is_grads_batched, materialize_grads
    )
    return dict(zip(inputs, found, strict=True)) if type(inputs) is dict else found


def gradients(
    roots: Sequence[Any],
    wanted: Sequence[Any],
    grad_outputs: Any,
    retain_graph: bool | None,
    create_graph: bool,
    unused: bool,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """The gradients that `grad` returns. `unused`: inputs may be unused."""
    if is_grads_batched:
        return _batched(roots, wanted, grad_outputs, retain_graph, create_graph, unused, materialize_grads)
    if state.batching is not None:
        if is_grads_batched and state.batching.innermost((roots,)) is not None:
            raise errors.vmap_batched_gradients()
        found = _of_entries(
            roots, wanted, grad_outputs, retain_graph, create_graph, unused, is_grads_batched, materialize_grads
        )
        if found is not None:
            return found
    starts = _make_gradients(roots, _gradient_list(grad_outputs, len(roots)), create_graph)
    retain = create_graph if retain_graph is None else retain_graph
    carry = state.dual is not None and not create_graph  # a recorded pass carries tangents on
    values = _engine(roots, starts, retain, create_graph or carry, wanted, accumulate=False)
    results: list[Any] = []
    made = {id(start._array): start for start in starts if start is not None}  # what is passed on is no copy
    for position, value in enumerate(values):
        if value is None and not unused:
            raise errors.unused_input(position)
        if value is None and materialize_grads:
            if not isinstance(wanted[position], Tensor):
                raise errors.materialize_edge()
            value = zeros_like(wanted[position])
            value._requires_grad = create_graph
        if value is not None and not isinstance(value, Tensor):
            known = made.get(id(value))
            if known is None:
                made[id(value)] = known = _tensor(value)
            value = known
        results.append(value)
    return tuple(map(_without_graph, results)) if carry else tuple(results)


def _of_entries(roots: Sequence[Any], wanted: Sequence[Any], grad_outputs: Any, *how: Any) -> tuple[Any, ...] | None:
    """The gradients of every entry of a `vmap`; None where nothing that is given is one."""
    weights = _gradient_list(grad_outputs, len(roots))
    level = state.batching.innermost((roots, wanted, weights))
    return None if level is None else level.gradients(gradients, roots, wanted, weights, *how)


def zeros_like(t: Tensor) -> Tensor:
    """A leaf of zeros, laid out as `t`."""
    a = t._array
    meter.allocate(a.size, a.itemsize)
    return Tensor._from_array(np.zeros_like(a, subok=False) if a.ndim else a.dtype.type(0))


def _without_graph(gradient: Tensor | None) -> Tensor | None:
    """A gradient with its tangent, outside the graph."""
    if gradient is None:
        return None
    detached = gradient.detach()
    detached._tangent = gradient._tangent
    return detached


def _batched(
    roots: Sequence[Any],
    inputs: Sequence[Any],
    grad_outputs: Any,
    retain: bool | None,
    create_graph: bool,
    unused: bool,
    materialize: bool,
) -> tuple[Any, ...]:
    """One pass per entry of the batch, stacked: the same numbers as a vectorised pass."""
    batches = _gradient_list(grad_outputs, len(roots))
    for position, (root, batch) in enumerate(zip(roots, batches, strict=False)):
        if batch is None and isinstance(root, Tensor) and root._requires_grad:
            kind = root._array.dtype
            if root._array.size != 1:
                raise errors.implicit_gradient_non_scalar()
            if kind.kind not in dtypes.FLOATING:
                raise errors.implicit_gradient_dtype(dtypes.of(kind))
            if not root._array.ndim:
                raise errors.batched_without_dimension()
            raise errors.root_gradient_shape(position, root._array.shape[1:], root._array.shape)
        if batch is None:
            raise errors.vmap_not_tensor("vjp", 0, 0, None)
        if not isinstance(root, Tensor):
            continue
        if not batch._array.ndim:
            raise errors.index_of_scalar()
        if batch._array.shape[1:] != root._array.shape:
            raise errors.batched_gradient_shape(position, batch._array.shape[2:], root._array.shape)
    sizes = {b._array.shape[0] for b in batches if b is not None}
    if len(sizes) != 1:
        raise errors.batched_gradient_sizes()
    size = sizes.pop()
    rows = []
    for row in range(size):
        last = row == size - 1
        entry = [None if b is None else b[row] for b in batches]
        keep = True if not last else retain
        rows.append(grad(roots, inputs, entry, keep, create_graph, allow_unused=unused, materialize_grads=materialize))
    return tuple(None if column[0] is None else ops.stack(list(column)) for column in zip(*rows, strict=True))


def _tensor(value: Any) -> Any:
    if value is None or isinstance(value, Tensor):
        return value
    return constant(_copied(value) if type(value) is np.ndarray else value)


def _copied(array: Any) -> Any:
    """A copy of its own with the same strides; what was expanded stays expanded."""
    if array.flags.forc or not array.size:
        return np.array(array, copy=True)
    if 0 not in array.strides:
        copy = empty_laid_out(array.shape, array.strides, array.dtype)
        copy[...] = array
        return copy
    once = np.array(array[tuple([slice(None) if stride else slice(1) for stride in array.strides])], copy=True)
    strides = [new if old else 0 for new, old in zip(once.strides, array.strides, strict=True)]
    return np.ndarray(array.shape, array.dtype, once, 0, strides)


def _inputs(value: Any, function: str) -> tuple[Any, ...]:
    """Normalize `inputs`: one place in the graph, several, or the values of a dict. Raises where there is none."""
    if isinstance(value, Mapping):
        if type(value) is not dict:
            raise errors.inputs_mapping(function, value)
        value = value.values()
    wanted = _sequence(value)
    if not wanted:
        raise errors.empty_inputs(function)
    return wanted


def _sequence(value: Any) -> tuple[Any, ...]:
    return (value,) if isinstance(value, _PLACES) else tuple(value)


def _gradient_list(gradients: Any, count: int) -> tuple[Any, ...]:
    if gradients is None:
        return (None,) * count
    if isinstance(gradients, Tensor):
        return (gradients,)
    return tuple(gradients)


def _make_gradients(roots: Sequence[Any], gradients: Sequence[Any], recorded: bool) -> list[Any]:
    """A gradient for each root: the given one, checked, or the implicit 1 of a scalar."""
    made: list[Any] = []
    for position, (root, gradient) in enumerate(zip(roots, gradients, strict=False)):
        shape, dtype, requires_grad = _root_meta(root)
        if isinstance(gradient, Tensor):
            if gradient._array.shape != shape:
                raise errors.gradient_shape(position, gradient._array.shape, shape)
            if (gradient._array.dtype.kind == "c") != (dtype.kind == "c"):
                raise errors.gradient_complex(position, gradient.dtype, dtypes.of(dtype))
            made.append(gradient)
        elif gradient is None:
            if not requires_grad:
                made.append(None)
                continue
            if shape and math.prod(shape) != 1:
                raise errors.implicit_gradient_non_scalar()
            if dtype.kind not in dtypes.FLOATING:
                raise errors.implicit_gradient_dtype(dtypes.of(dtype))
            memory = shape or state.hooked and not recorded  # to which hooks may write
            made.append(constant(np.ones(shape, dtype) if memory else dtype.type(1)))
        else:
            raise errors.gradient_type(gradient)
    if len(roots) > len(gradients):
        raise errors.gradient_count(len(roots), len(gradients))
    return made


def _root_meta(root: Any) -> tuple[tuple[int, ...], Any, bool]:
    if not isinstance(root, _PLACES):
        raise errors.root_type()
    if isinstance(root, GradientEdge):
        return (*root.node.input_metadata(root.output_nr), True)
    return root._array.shape, root._array.dtype, root.requires_grad


def _engine(
    roots: Sequence[Any],
    gradients: Sequence[Any],
    retain: bool,
    create_graph: bool,
    inputs: Sequence[Any] | None,
    accumulate: bool,
) -> list[Any]:
    edges: list[tuple[Node, int]] = []
    values: list[Tensor] = []
    for position, (root, gradient) in enumerate(zip(roots, gradients, strict=True)):
        node, number = root[:2] if isinstance(root, GradientEdge) else gradient_edge(root)
        if node is None:
            raise errors.root_without_graph(position)
        if gradient is None:
            raise errors.root_without_gradient(position)
        edges.append((node, number))
        dtype = node.input_metadata(number)[1]
        if gradient._array.dtype != dtype:
            gradient = _cast(gradient, dtype, create_graph)
        values.append(gradient)
    for t in inputs or ():
        if not isinstance(t, _PLACES):
            raise errors.input_type(t)
        if isinstance(t, Tensor) and not t.requires_grad:
            raise errors.retain_grad_without_requires_grad() if accumulate else errors.input_without_requires_grad()
    if not edges:
        return [None] * len(inputs or ())
    if accumulate and create_graph:
        errors.warn_create_graph()
    if state.observer is not None:
        state.observer.roots(roots)
    return execute(edges, values, bool(index(retain)), bool(index(create_graph)), inputs, accumulate)


def _cast(gradient: Tensor, dtype: Any, create_graph: bool) -> Tensor:
    if create_graph and gradient._requires_grad:
        return ops.to_dtype(gradient, dtype)  # type: ignore[no-any-return]
    return constant(gradient._array.astype(dtype))


class VariableMeta(type):
    __module__ = "torch.autograd.variable"

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor)


class ImperativeEngine:
    """`Variable._execution_engine`, where data-parallel wrappers ask for the end of a pass."""

    __module__ = "torch._C._EngineBase"
    queue_callback = staticmethod(queue_callback)


class Variable(metaclass=VariableMeta):
    """The tensor class of old: `Variable(data, requires_grad=False)` gives a plain Tensor."""

    __module__ = "torch.autograd.variable"
    _execution_engine = ImperativeEngine()

    def __new__(cls, data: Any = None, requires_grad: bool = False, volatile: bool | None = None) -> Any:
        if volatile is not None:
            errors.warn_volatile()
        if data is None:
            return Tensor._from_array(np.empty(0, np.float32), requires_grad)
        if not isinstance(data, Tensor):
            raise errors.variable_data(data)
        t = data.detach()
        if requires_grad:
            if t._array.dtype.kind not in dtypes.INEXACT:
                raise errors.integer_requires_grad()
            t._requires_grad = True
        t._cut = data._cut or ((data, "detach") if data._requires_grad else None)
        return t
