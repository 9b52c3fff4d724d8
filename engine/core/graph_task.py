"""The scheduler: runs the nodes of the graph from roots to leaves, in PyTorch's order.

A node becomes ready when every consumer that is part of this run has sent its gradient. Ready nodes wait in a queue,
newest first. Gradients that meet at a node are added as they arrive. Everything here is iterative; graphs may be as
deep as memory allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from engine import errors
from engine.core.accumulate_grad import accumulate
from engine.core.complex import gradients
from engine.core.node import AccumulateGrad, Node
from engine.core.ready_queue import Ready
from engine.core.registry import GRAPH, NUMPY
from engine.core.saved_tensors import warn_forward_traceback
from engine.core.state import state
from engine.core.tensor import Tensor, constant
from engine.core.views import gradient_edge
from engine.kernels.summation import column_sums, total
from engine.limits import meter


class Capture:
    """Inputs of `autograd.grad`: what arrives at these (node, output number) pairs is returned, not accumulated."""

    def __init__(self) -> None:
        self.wanted: dict[Node, list[tuple[int, int]]] = {}
        self.values: dict[int, Any] = {}
        self.needed: set[Node] = set()
        self.executed: set[Node] = set()


def run(
    roots: Sequence[tuple[Node, int]],
    gradients: Sequence[Any],
    keep_graph: bool,
    create_graph: bool,
    inputs: Sequence[Any] | None = None,
    accumulate: bool = True,
) -> list[Any]:
    """One pass from `roots` with `gradients` (Tensors).

    With `inputs` and `accumulate=False` the gradients of those inputs are returned (None where nothing arrived);
    otherwise leaves' `.grad` are updated and the list is empty.
    """
    dependencies, counted = _count(roots)
    capture = None if inputs is None else _plan(roots, inputs, accumulate)
    running = len(dependencies) if capture is None else len(capture.executed) + (len(dependencies) >> 2)
    meter.charge(2 * running if create_graph else running >> 1)
    observer = state.observer
    values: list[Any] = list(gradients) if create_graph else [g._a for g in gradients]
    if observer is not None:
        reachable = counted if capture is None else {n: c for n, c in counted.items() if n in capture.executed}
        observer.backward_begin(roots, [g._a for g in gradients], keep_graph, create_graph, inputs, reachable)
    previous, outer = state.grad, state.running
    state.grad = create_graph
    state.running = dependencies if capture is None else capture.executed
    buffers: dict[Node, Any] = {}
    queue = Ready()
    try:
        for (node, number), value in zip(roots, values, strict=True):
            _add(buffers, node, number, value)
            dependencies[node] -= 1
            if not dependencies[node]:
                queue.push(node)
        del values
        _loop(queue, buffers, dependencies, counted, keep_graph, create_graph, capture)
    finally:
        state.grad, state.running = previous, outer
        if observer is not None:
            observer.backward_end()
    if capture is None or accumulate or inputs is None:
        return []
    return [capture.values.get(i) for i in range(len(inputs))]


def runs_whole_graph() -> bool:
    """Whether the pass in progress, if there is one, is for all leaves, not for given inputs."""
    return state.running is None or isinstance(state.running, dict)


def _count(roots: Sequence[tuple[Node, int]]) -> tuple[dict[Node, int], dict[Node, int]]:
    """How many gradients each reachable node will receive."""
    dependencies: dict[Node, int] = {}
    todo: list[Node] = []
    for node, _ in roots:
        if node in dependencies:
            dependencies[node] += 1
        else:
            dependencies[node] = 1
            todo.append(node)
    while todo:
        for edge in todo.pop().edges:
            if edge is not None:
                if edge in dependencies:
                    dependencies[edge] += 1
                else:
                    dependencies[edge] = 1
                    todo.append(edge)
    return dependencies, (dict(dependencies) if state.observer is not None else dependencies)


def _plan(roots: Sequence[tuple[Node, int]], inputs: Sequence[Any], accumulate: bool) -> Capture:
    """Which nodes lie on a path to an input: only those run."""
    capture = Capture()
    for index, tensor in enumerate(inputs):
        node, number = gradient_edge(tensor) if isinstance(tensor, Tensor) else tensor[:2]
        if node is None:
            raise errors.input_without_requires_grad()
        if accumulate:
            if isinstance(tensor, Tensor):
                tensor.retain_grad()
            capture.needed.add(node)
        else:
            capture.wanted.setdefault(node, []).append((number, index))
    capture.executed = set(capture.wanted) | capture.needed
    # Post-order without recursion: a node is needed when one of its edges leads to a node that will be executed.
    seen: set[Node] = set()
    for root, _ in roots:
        stack: list[tuple[Node, bool]] = [(root, False)]
        while stack:
            node, done = stack.pop()
            if done:
                if any(edge in capture.executed for edge in node.edges if edge is not None):
                    capture.needed.add(node)
                    capture.executed.add(node)
                continue
            if node in seen:
                continue
            seen.add(node)
            stack.append((node, True))
            stack.extend((edge, False) for edge in node.edges if edge is not None and edge not in seen)
    return capture


def _add(buffers: dict[Node, Any], node: Node, number: int, value: Any) -> None:
    """Add a gradient to what has already arrived at an output of a node."""
    if node.outputs is None:
        present = buffers.get(node)
        if value is None:
            if present is None:
                buffers[node] = None
        else:
            buffers[node] = value if present is None else present + value
        return
    slots = buffers.get(node)
    if slots is None:
        slots = buffers[node] = [None] * len(node.outputs)
    if value is not None:
        slots[number] = value if slots[number] is None else slots[number] + value


def _loop(
    queue: Ready,
    buffers: dict[Node, Any],
    dependencies: dict[Node, int],
    counted: dict[Node, int],
    keep_graph: bool,
    create_graph: bool,
    capture: Capture | None,
) -> None:
    """Run ready nodes until none is left. Nodes without hooks take the short way when nobody watches."""
    plain = capture is None and not create_graph and not state.anomaly and not state.complex
    observer = state.observer
    accumulator = AccumulateGrad
    keys, leaves, before = queue.keys, queue.leaves, queue.before
    nothing: tuple[Any, ...] = ()  # the one empty tuple there is
    newest: Node | None = None  # waits beside the queue, where it would come out next,
    received: Any = None  # and this is its gradient
    grads: Any
    d: Any
    total: Any
    while True:
        if leaves:
            queue.arrange(newest)
            grads = d = total = None  # so that `accumulate` finds no reference but those it counts
            while leaves:
                leaf = leaves.popleft()
                g = buffers.pop(leaf)
                variable = leaf.variable
                if not plain or leaf.hooks is not None or variable._hooks or variable._post_hooks:
                    if newest is not None:
                        queue.push(newest)
                        buffers[newest] = received
                        newest = received = None
                    _step(leaf, g, queue, buffers, dependencies, counted, keep_graph, create_graph, capture)
                else:
                    accumulate(leaf, g, False)
                    if observer is not None:
                        observer.node(leaf, (g,), (), (), queue.first(newest), False)
        if newest is not None:
            node, g, newest, received = newest, received, None, None
        elif keys:
            node = queue.pop()
            g = buffers.pop(node)
        else:
            break
        if not plain or node.hooks is not None:
            _step(node, g, queue, buffers, dependencies, counted, keep_graph, create_graph, capture)
            continue
        edges = node.edges
        grads = node.apply(g, edges)
        released = not keep_graph and node.saved is not nothing and node.release()
        sends: list[Any] = []
        index = -1
        for edge in edges:
            index += 1
            if edge is None:
                continue
            d = grads[index]
            several = edge.outputs
            if several is None:
                number, shape, dtype = 0, edge.shape, edge.dtype
            else:
                number = 0 if node.numbers is None else node.numbers[index]
                shape, dtype = several[number]
            if d is not None and (d.shape != shape or d.dtype is not dtype):
                d = _fit(node, index, d, shape, dtype, False)
                if observer is not None:
                    grads = [*grads[:index], d, *grads[index + 1 :]]
            total = d
            if edge in buffers or several is not None:
                _add(buffers, edge, number, d)
                total = buffers.pop(edge)
            left = dependencies[edge] - 1
            if left:
                dependencies[edge] = left
                buffers[edge] = total
            elif type(edge) is accumulator:
                buffers[edge] = total
                before.append(len(keys) if newest is None else len(keys) + 1)
                leaves.append(edge)
            elif newest is None and (not keys or -keys[0] < edge.seq):
                newest, received = edge, total
            elif newest is not None and newest.seq < edge.seq:
                queue.push(newest)
                buffers[newest] = received
                newest, received = edge, total
            else:
                queue.push(edge)
                buffers[edge] = total
            if observer is not None:
                whole = total if several is None else total[number]
                expected = counted[edge]
                sends.append((edge, number, d, expected - left, expected, whole))
        if observer is not None:
            whole = (g,) if node.outputs is None else tuple(g)
            observer.node(node, whole, grads, sends, queue.first(newest), released)


def _step(
    node: Node,
    g: Any,
    queue: Ready,
    buffers: dict[Node, Any],
    dependencies: dict[Node, int],
    counted: dict[Node, int],
    keep_graph: bool,
    create_graph: bool,
    capture: Capture | None,
) -> None:
    """Run one node with everything that may be attached to it: hooks, captures, an observer."""
    observer = state.observer
    edges = node.edges
    hooks = node.hooks
    is_leaf = isinstance(node, AccumulateGrad)
    if isinstance(node, AccumulateGrad) and node.variable._hooks:
        g = _run_tensor_hooks(node.variable._hooks, node.variable, g, create_graph)
    elif hooks is not None and (hooks.tensor or hooks.retains):
        g = _tensor_hooks(node, g, create_graph)
    if capture is not None:
        for number, index in capture.wanted.get(node, ()):
            capture.values[index] = g if node.outputs is None else g[number]
        if node not in capture.needed:
            return
        if not is_leaf:
            edges = tuple(e if e in capture.executed else None for e in edges)
    if hooks is not None and hooks.pre:
        g = _pre_hooks(node, g, create_graph)
    if is_leaf:
        accumulate(node, g, create_graph)  # type: ignore[arg-type]
        if hooks is not None and hooks.post:
            _post_hooks(node, (), g, create_graph)
        if observer is not None:
            observer.node(node, (_raw(g),), (), (), queue.first(), False)
        return
    grads = gradients(node, g, edges, create_graph)
    grads = _validate(node, grads, edges, create_graph)
    if hooks is not None and hooks.post:
        grads = _validate(node, _post_hooks(node, grads, g, create_graph), edges, create_graph)
    released = not keep_graph and node.release()
    if state.anomaly and state.anomaly_check_nan:
        _check_nan(node, grads)
    sends: list[Any] = []
    numbers = node.numbers
    for index, edge in enumerate(edges):
        if edge is None:
            if capture is not None:
                _skip(node.edges[index], dependencies)
            continue
        d = grads[index]
        number = 0 if numbers is None else numbers[index]
        _add(buffers, edge, number, d)
        left = dependencies[edge] - 1
        dependencies[edge] = left
        if not left:
            queue.push(edge)
        if observer is not None:
            total = buffers[edge] if edge.outputs is None else buffers[edge][number]
            sends.append((edge, number, _raw(d), counted[edge] - left, counted[edge], _raw(total)))
    if observer is not None:
        received = tuple(g) if node.outputs is not None else (g,)
        observer.node(node, tuple(map(_raw, received)), tuple(map(_raw, grads)), sends, queue.first(), released)


def _skip(edge: Node | None, dependencies: dict[Node, int]) -> None:
    """A gradient that nobody wants still counts as arrived."""
    if edge is not None:
        dependencies[edge] -= 1


def _raw(value: Any) -> Any:
    return value._a if isinstance(value, Tensor) else value


def _validate(node: Node, grads: Sequence[Any], edges: Sequence[Node | None], create_graph: bool) -> Sequence[Any]:
    """Give every gradient that is wanted the shape and dtype of the tensor it belongs to."""
    if len(grads) != len(edges):
        raise errors.wrong_gradient_count(node.name(), len(edges), len(grads))
    fixed = list(grads)
    numbers = node.numbers
    for index, edge in enumerate(edges):
        if edge is not None and fixed[index] is not None:
            shape, dtype = edge.output_meta(0 if numbers is None else numbers[index])
            fixed[index] = _fit(node, index, fixed[index], shape, dtype, create_graph)
    return fixed


def _fit(node: Node, index: int, d: Any, shape: tuple[int, ...], dtype: Any, create_graph: bool) -> Any:
    """A gradient in the shape and dtype of its tensor: what was broadcast is summed, anything else is refused."""
    a = d._a if create_graph else d
    if a.shape != shape:
        if _repeated(a.shape, shape) is None:
            raise errors.invalid_gradient(node.name(), index, a.shape, shape)
        d = _sum_to(d, shape, create_graph)
        a = d._a if create_graph else d
    if a.dtype is not dtype and a.dtype != dtype:
        d = _cast(d, dtype, create_graph)
    return d


@lru_cache(maxsize=1024)
def _repeated(target: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """The dimensions of `target` along which broadcasting repeats a tensor of `shape`; None when it does not fit."""
    extra = len(target) - len(shape)
    if extra < 0 or any(s not in (1, t) for s, t in zip(shape, target[extra:], strict=True)):
        return None
    return (*range(extra), *(i + extra for i, s in enumerate(shape) if s == 1 and target[i + extra] != 1))


_LARGE, _FEW = 1 << 12, 1 << 10
"""From so many elements on, sums of so few rows are left to BLAS, which adds them several times as fast. The gradient
of a bias is mostly such a sum, and what arrives there has gone through products of matrices: no bit is PyTorch's."""


def sum_to_array(d: Any, shape: tuple[int, ...]) -> Any:
    """Sum a numpy gradient over what broadcasting added, to `shape`."""
    if d.shape == shape:
        return d
    axes = _repeated(d.shape, tuple(shape))
    if d.size >= _LARGE and axes == (0,) and len(d) <= _FEW and d.ndim == 2 and d.dtype.char == "f":
        summed = column_sums(d)
    else:
        summed = total(d, axes) if axes else d
    return summed if summed.shape == shape else np.reshape(summed, shape)


def _sum_to(d: Any, shape: tuple[int, ...], create_graph: bool) -> Any:
    if not create_graph:
        return sum_to_array(d, shape)
    return GRAPH["sum_to_size"](d, shape)


def _cast(d: Any, dtype: Any, create_graph: bool) -> Any:
    return (GRAPH if create_graph else NUMPY)["as_type"](d, dtype)


def _check_nan(node: Node, grads: Sequence[Any]) -> None:
    for index, d in enumerate(grads):
        a = _raw(d)
        if a is not None and a.dtype.kind in "fc" and np.isnan(a).any():
            warn_forward_traceback(node)
            raise errors.returned_nan(node.name(), index)


# --- hooks


def _as_tensor(value: Any) -> Any:
    if value is None or isinstance(value, Tensor):
        return value
    return constant(value)


def _checked(result: Any, before: Tensor, hook: Any, create_graph: bool) -> Any:
    """What a hook returned in place of a gradient, or TypeError/RuntimeError when it cannot stand in for it."""
    if not isinstance(result, Tensor):
        raise errors.hook_returned_non_tensor(result)
    if before is not None:
        name = getattr(hook, "__name__", "<unknown>")
        if result._a.shape != before._a.shape:
            raise errors.hook_changed_size(name)
        if result._a.dtype != before._a.dtype:
            raise errors.hook_changed_type(name, before.dtype, result.dtype)
    return result


def _run_tensor_hooks(hooks: Any, target: Any, value: Any, create_graph: bool) -> Any:
    observer = state.observer
    tensor = _as_tensor(value)
    for number, hook in list(hooks.items()):
        result = hook(tensor)
        before = tensor
        if result is not None:
            tensor = _checked(result, before, hook, create_graph)
        if observer is not None:
            observer.hook("tensor", target, (_raw(before),), (_raw(tensor),), hooks.place(number))
    return tensor if create_graph else _raw(tensor)


def _tensor_hooks(node: Node, g: Any, create_graph: bool) -> Any:
    """Hooks of the tensors this node made, then `retain_grad`."""
    assert node.hooks is not None
    many = node.outputs is not None
    slots = list(g) if many else [g]
    for number, hooks in node.hooks.tensor.items():
        slots[number] = _run_tensor_hooks(hooks, (node, number), slots[number], create_graph)
    for number, tensor in node.hooks.retains.items():
        value = slots[number]
        if value is None:
            continue
        before = tensor._grad
        if create_graph:
            tensor._grad = GRAPH["clone"](value) if before is None else before + value
        else:
            kept = _as_tensor(np.array(value, copy=True)[()] if type(value) is np.ndarray else value)
            tensor._grad = kept if before is None else _as_tensor(before._a + value)
        if state.observer is not None:
            state.observer.grad_changed(tensor, before, tensor._grad, "retain_grad")
    return slots if many else slots[0]


def _pre_hooks(node: Node, g: Any, create_graph: bool) -> Any:
    assert node.hooks is not None
    many = node.outputs is not None
    grads = tuple(map(_as_tensor, g)) if many else (_as_tensor(g),)
    hooks = node.hooks.pre
    for number, hook in list(hooks.items()):
        before = grads
        grads = _replace(hook(grads), grads, hook, create_graph)
        if state.observer is not None:
            seen, left = tuple(map(_raw, before)), tuple(map(_raw, grads))
            state.observer.hook("node_pre", node, seen, left, hooks.place(number))
    values = grads if create_graph else tuple(map(_raw, grads))
    return list(values) if many else values[0]


def _post_hooks(node: Node, grads: Sequence[Any], g: Any, create_graph: bool) -> Sequence[Any]:
    assert node.hooks is not None
    outputs = tuple(map(_as_tensor, grads))
    inputs = tuple(map(_as_tensor, g)) if node.outputs is not None else (_as_tensor(g),)
    hooks = node.hooks.post
    for number, hook in list(hooks.items()):
        before = outputs
        outputs = _replace(hook(outputs, inputs), outputs, hook, create_graph)
        if state.observer is not None and not hooks.is_own(number):
            seen, left = tuple(map(_raw, before)), tuple(map(_raw, outputs))
            state.observer.hook("node", node, seen, left, hooks.place(number))
    return outputs if create_graph else tuple(map(_raw, outputs))


def _replace(result: Any, before: tuple[Any, ...], hook: Any, create_graph: bool) -> tuple[Any, ...]:
    """The tuple a node hook returned, checked against what it replaces; None keeps it."""
    if result is None:
        return before
    if not isinstance(result, tuple):
        raise errors.hook_returned_non_tuple(result)
    values = result
    if len(values) != len(before):
        raise errors.hook_wrong_count(getattr(hook, "__name__", "<unknown>"), len(values), len(before))
    return tuple(
        old if value is None and old is None else None if value is None else _checked(value, old, hook, create_graph)
        for value, old in zip(values, before, strict=True)
    )
