"""The backward pass: runs the nodes of the graph from roots to leaves, in PyTorch's order.

What stands in torch/csrc/autograd has its name here:

    Engine::execute, is_checkpoint_valid          execute, is_checkpoint_valid
    GraphTask, its exec_info_, captured_grads_    GraphTask, exec_info, captured_grads
    compute_dependencies, init_to_execute         GraphTask.compute_dependencies, .init_to_execute
    Engine::thread_main                           GraphTask.thread_main, with the next three in line for plain nodes
    Engine::evaluate_function, call_function      GraphTask.evaluate_function, .call_function
    validate_outputs, call_*_hooks                validate_outputs.py, call_hooks.py
    InputBuffer::add, not_ready_                  add_to_buffer, input_buffers
    ReadyQueue, AccumulateGrad::apply             ready_queue.py, accumulate_grad.py

A node becomes ready when every consumer in this pass has sent its gradient. Nothing here recurses over the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from heapq import heappop
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import errors
from engine.core.accumulate_grad import accumulate
from engine.core.call_hooks import call_post_hooks, call_pre_hooks, call_tensor_pre_hooks, raw
from engine.core.complex import gradients
from engine.core.node import AccumulateGrad, Node
from engine.core.ready_queue import ReadyQueue
from engine.core.saved_tensors import warn_forward_traceback
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.core.validate_outputs import maybe_reduce, validate_outputs
from engine.core.views import gradient_edge
from engine.kernels.rounding import SINGLE
from engine.limits import meter
from engine.types import dtypes
from engine.types.bfloat16 import BFLOAT16
from engine.types.coo import Coo

if TYPE_CHECKING:
    from engine.core.observer import Observer


def execute(
    root_edges: Sequence[tuple[Node, int]],
    grad_tensors: Sequence[Tensor],
    keep_graph: bool,
    create_graph: bool,
    inputs: Sequence[Any] | None = None,
    accumulate_grad: bool = True,
) -> list[Any]:
    """One pass from `root_edges` with `grad_tensors`.

    With `inputs` and `accumulate_grad=False` the gradients of those inputs are returned (None where nothing arrived);
    otherwise leaves' `.grad` are updated and the list is empty.
    """
    task = GraphTask(keep_graph, create_graph)
    task.compute_dependencies(root_edges)
    if inputs is not None:
        task.init_to_execute(root_edges, inputs, accumulate_grad)
    dependencies, exec_info = task.dependencies, task.exec_info
    nodes = len(dependencies) if exec_info is None else len(exec_info) + (len(dependencies) >> 2)
    meter.charge(2 * nodes if create_graph else nodes >> 1)
    observer = state.observer
    if observer is not None:
        arriving = task.arriving
        reachable = arriving if exec_info is None else {n: c for n, c in arriving.items() if n in exec_info}
        arrays = [g._array for g in grad_tensors]
        observer.backward_begin(root_edges, arrays, keep_graph, create_graph, inputs, reachable)
    grad_mode, outer, hooks = state.grad, state.graph_task, state.pack_hooks
    state.grad, state.graph_task = create_graph, task
    try:
        input_buffers, ready_queue = task.input_buffers, task.ready_queue
        for index, (node, input_nr) in enumerate(root_edges):
            g = grad_tensors[index]
            add_to_buffer(input_buffers, node, input_nr, g if create_graph else g._array)
            left = dependencies[node] - 1
            dependencies[node] = left
            if not left:
                ready_queue.push(node)
        task.thread_main()
        for callback in task.callbacks:
            callback()
    finally:
        state.grad, state.graph_task = grad_mode, outer
        if state.pack_hooks is not hooks:
            state.pack_hooks = hooks
        if observer is not None:
            observer.backward_end()
    return [] if exec_info is None or accumulate_grad else task.captured_grads


def queue_callback(callback: Callable[[], Any]) -> None:
    """Run `callback` when the pass that runs is over. RuntimeError outside of one."""
    if state.graph_task is None:
        raise errors.callback_outside_backward()
    state.graph_task.callbacks.append(callback)


def is_checkpoint_valid() -> bool:
    """Whether the pass in progress, if there is one, is for all leaves, not for given inputs."""
    return state.graph_task is None or state.graph_task.exec_info is None


def nodes_in_graph() -> Container[Node] | None:
    """The nodes that the pass in progress runs: an object of its own for every pass, None where there is none."""
    task: GraphTask | None = state.graph_task
    if task is None:
        return None
    return task.dependencies if task.exec_info is None else task.exec_info


def will_run(node: Node | None) -> bool:
    """Whether the pass in progress runs a node. RuntimeError for a leaf whose gradient it gives back."""
    running, task = nodes_in_graph(), state.graph_task
    if running is None or node is None or node not in running:
        return False
    if task is not None and node is task.only_root and task.exec_info is None:
        return False  # PyTorch does not count it among the nodes of its graph
    info = running[node] if isinstance(running, dict) else None
    if isinstance(node, AccumulateGrad) and isinstance(info, ExecInfo) and info.captures:
        raise errors.captured_leaf()
    return True


def add_to_buffer(input_buffers: dict[Node, Any], node: Node, input_nr: int, value: Any) -> None:
    """Add a gradient to what has already arrived at an output of a node."""
    if node.outputs is None:
        present = input_buffers.get(node)
        if value is None:
            if present is None:
                input_buffers[node] = None
        else:
            input_buffers[node] = value if present is None else _sum(present, value)
        return
    buffer = input_buffers.get(node)
    if buffer is None:
        buffer = input_buffers[node] = [None] * len(node.outputs)
    if value is not None:
        buffer[input_nr] = value if buffer[input_nr] is None else _sum(buffer[input_nr], value)


def _sum(present: Any, value: Any) -> Any:
    return value + present if type(present) is Coo else present + value  # a sparse operand comes first


class ExecInfo:
    """The reason that a node runs in a pass for given inputs.

    `needed`: it leads to an input. `captures`: (input_nr, index in `captured_grads`) of what is given back of it.
    """

    __slots__ = ("captures", "needed")

    def __init__(self) -> None:
        self.needed = False
        self.captures: list[tuple[int, int]] = []


class GraphTask:
    """One backward pass.

    dependencies: how many gradients each reachable node still waits for; `arriving` how many in all, for observers.
    input_buffers: what has arrived at nodes that have not run: a gradient, or a list with one for each output.
    exec_info: the nodes that run, and why, when the pass is for given inputs; None when all run.
    only_root: the root, if there is exactly one.
    captured_grads: what arrived at those inputs, if it is given back instead of accumulated.
    callbacks: what runs when the pass is over; they may add others.
    """

    __slots__ = (
        "__weakref__", "arriving", "callbacks", "captured_grads", "create_graph", "dependencies", "exec_info",
        "input_buffers", "keep_graph", "only_root", "ready_queue",
    )  # fmt: skip

    def __init__(self, keep_graph: bool, create_graph: bool) -> None:
        self.keep_graph, self.create_graph = keep_graph, create_graph
        self.input_buffers: dict[Node, Any] = {}
        self.exec_info: dict[Node, ExecInfo] | None = None
        self.callbacks: list[Callable[[], Any]] = []
        self.ready_queue = ReadyQueue()

    def compute_dependencies(self, root_edges: Sequence[tuple[Node, int]]) -> None:
        """Count the gradients that each reachable node will receive."""
        dependencies: dict[Node, int] = {}
        todo: list[Node] = []
        for node, _ in root_edges:
            if node in dependencies:
                dependencies[node] += 1
            else:
                dependencies[node] = 1
                todo.append(node)
        while todo:
            for edge in todo.pop().next_edges:
                if edge is not None:
                    if edge in dependencies:
                        dependencies[edge] += 1
                    else:
                        dependencies[edge] = 1
                        todo.append(edge)
        self.dependencies = dependencies
        self.only_root = root_edges[0][0] if len(root_edges) == 1 else None
        observer = state.observer
        self.arriving = dict(dependencies) if observer is not None and observer.edges else dependencies

    def init_to_execute(
        self, root_edges: Sequence[tuple[Node, int]], inputs: Sequence[Any], accumulate_grad: bool
    ) -> None:
        """Mark the nodes on a path to an input: only those run."""
        exec_info = self.exec_info = {}
        self.captured_grads: list[Any] = [None] * len(inputs)
        for index, tensor in enumerate(inputs):
            node, number = gradient_edge(tensor) if isinstance(tensor, Tensor) else tensor[:2]
            if node is None:
                raise errors.input_without_requires_grad()
            info = exec_info.setdefault(node, ExecInfo())
            if accumulate_grad:
                if isinstance(tensor, Tensor):
                    tensor.retain_grad()
                info.needed = True
            else:
                info.captures.append((number, index))
        # Post-order without recursion: a node is needed when one of its edges leads to a node that will be executed.
        on_path = ExecInfo()
        seen: set[Node] = set()
        for root, _ in root_edges:
            stack: list[tuple[Node, bool]] = [(root, False)]
            while stack:
                node, done = stack.pop()
                if done:
                    if any(edge in exec_info for edge in node.next_edges if edge is not None):
                        exec_info.setdefault(node, on_path).needed = True
                    continue
                if node in seen:
                    continue
                seen.add(node)
                stack.append((node, True))
                stack.extend((edge, False) for edge in node.next_edges if edge is not None and edge not in seen)

    def thread_main(self) -> None:
        """Run ready nodes until none is left:

            while queue:
                node = queue.pop()
                g = buffers.pop(node)
                if isinstance(node, AccumulateGrad):
                    accumulate(node, g)
                for edge, d in zip(node.next_edges, node.apply(g)):
                    add_to_buffer(buffers, edge, d)
                    dependencies[edge] -= 1
                    if not dependencies[edge]:
                        queue.push(edge)

        What follows is this loop specialised for nodes without hooks. Leaves wait in a queue of their own, and the node
        that would come next beside the queue (`newest`), which most nodes therefore never enter.
        """
        queue, buffers, dependencies = self.ready_queue, self.input_buffers, self.dependencies
        keep_graph, arriving = self.keep_graph, self.arriving
        evaluate_function = self.evaluator()
        plain = self.is_plain()
        observer = state.observer
        shown = observer if observer is not None and observer.edges else None
        accumulator, float32 = AccumulateGrad, np.float32
        keys, nodes, leaves, before = queue.keys, queue.nodes, queue.leaves, queue.before
        nothing: tuple[Any, ...] = ()  # the one empty tuple there is
        newest: Node | None = None
        received: Any = None  # the gradient of `newest`
        grads: Any
        d: Any
        present: Any
        total: Any
        sends: list[Any] = []
        while True:
            if leaves:
                queue.arrange(newest)
                grads = d = present = total = None  # so that `accumulate` finds no reference but those it counts
                while leaves:
                    leaf = leaves.popleft()
                    g = buffers.pop(leaf)
                    variable = leaf.variable
                    if not plain or leaf.hooks is not None or variable._hooks or variable._post_hooks:
                        if newest is not None:
                            queue.wait(newest)
                            buffers[newest] = received
                            newest = received = None
                        evaluate_function(leaf, g)
                    else:
                        accumulate(leaf, g, False)
                        if observer is not None:
                            waiting = nothing if shown is None else queue.first(newest)
                            observer.node(leaf, (g,), nothing, nothing, waiting, False)
            if newest is not None:
                node, g, newest, received = newest, received, None, None
            elif keys:
                node = nodes.pop(heappop(keys))
                g = buffers.pop(node)
            else:
                break
            if not plain or node.hooks is not None or node.dtype is BFLOAT16:
                evaluate_function(node, g)
                continue
            edges = node.next_edges
            grads = node.apply(g, edges)
            released = not keep_graph and node.saved is not nothing and node.release_variables()
            if shown is not None:
                sends = []
            index = -1
            for edge in edges:
                index += 1
                if edge is None:
                    continue
                d = grads[index]
                several = edge.outputs
                if several is None:
                    number = 0
                    shape, dtype = edge.shape, edge.dtype
                else:
                    number = 0 if node.input_nrs is None else node.input_nrs[index]
                    shape, dtype = several[number]
                if type(d) is float32:  # whose dtype numpy makes up when it is asked
                    differs = dtype is not SINGLE or shape != nothing
                else:
                    differs = d is not None and (d.shape != shape or d.dtype is not dtype)
                if differs:
                    d = maybe_reduce(node, index, d, shape, dtype, False)
                    if shown is not None:
                        grads = [*grads[:index], d, *grads[index + 1 :]]
                left = dependencies[edge] - 1
                if several is not None:
                    total = buffers.pop(edge, None)
                    if total is None:
                        total = [None] * len(several)
                    if d is not None:
                        present = total[number]
                        total[number] = d if present is None else _sum(present, d)
                elif edge in buffers:
                    present = buffers[edge] if left else buffers.pop(edge)
                    total = d if present is None else present if d is None else _sum(present, d)
                else:
                    total = d
                if left:
                    dependencies[edge] = left
                    buffers[edge] = total
                elif type(edge) is accumulator:
                    buffers[edge] = total
                    before.append(len(keys) if newest is None else len(keys) + 1)
                    leaves.append(edge)
                elif newest is None and (not keys or -keys[0] < edge.sequence_nr):
                    newest, received = edge, total
                elif newest is not None and newest.sequence_nr < edge.sequence_nr:
                    queue.wait(newest)
                    buffers[newest] = received
                    newest, received = edge, total
                else:
                    queue.wait(edge)
                    buffers[edge] = total
                if shown is not None:
                    whole = total if several is None else total[number]
                    expected = arriving[edge]
                    sends.append((edge, number, d, expected - left, expected, whole))
            if observer is not None:
                self.tell(observer, node, g, grads, sends, newest, released)
                if shown is not None and not observer.edges:  # it has seen enough
                    shown, sends = None, []

    def is_plain(self) -> bool:
        """Whether all nodes run, on arrays that need no care."""
        careful = self.create_graph or state.anomaly or state.complex
        return self.exec_info is None and not careful

    def tell(
        self, observer: Observer, node: Node, g: Any, grads: Sequence[Any], sends: list[Any], newest: Node | None,
        released: bool,
    ) -> None:  # fmt: skip
        """Tell an observer of a node that ran: what it got and gave, if it wants to know."""
        if not observer.edges:
            observer.node(node, (), (), (), (), released)
            return
        received = (g,) if node.outputs is None else tuple(g)
        observer.node(node, received, grads, sends, self.ready_queue.first(newest), released)

    def evaluator(self) -> Callable[[Node, Any], None]:
        """The function that runs nodes which the loop does not run itself."""
        return self.evaluate_traced if state.anomaly else self.evaluate_function

    def evaluate_traced(self, node: Node, g: Any) -> None:
        """Run one node in anomaly mode: where its op was called is told before an error leaves it."""
        outer, state.evaluating = state.evaluating, node
        try:
            self.evaluate_function(node, g)
        except Exception:
            if state.anomaly:
                warn_forward_traceback(node)
            raise
        finally:
            state.evaluating = outer

    def evaluate_function(self, node: Node, g: Any) -> None:
        """Run one node with everything that may be attached to it: hooks, captures, an observer."""
        exec_info, create_graph = self.exec_info, self.create_graph
        observer = state.observer
        edges = node.next_edges
        hooks = node.hooks
        if isinstance(node, AccumulateGrad):
            hooked = bool(node.variable._hooks)
        else:
            hooked = hooks is not None and bool(hooks.tensor_pre or hooks.retains_grad)
        if hooked:
            g = call_tensor_pre_hooks(node, g, create_graph)
        if exec_info is not None:
            info = exec_info.get(node)
            if info is None:
                return
            for input_nr, index in info.captures:
                self.captured_grads[index] = g if node.outputs is None else g[input_nr]
            if not info.needed:
                return
            edges = tuple([edge if edge in exec_info else None for edge in edges])
        if hooks is not None and hooks.pre:
            g = call_pre_hooks(node, g, create_graph)
        if isinstance(node, AccumulateGrad):  # from here: a further frame that holds `g` would cost a copy of it
            grads: Sequence[Any] = ()
            accumulate(node, g, create_graph)
            if hooks is not None and hooks.post:
                call_post_hooks(node, (), g, create_graph)
        else:
            grads = self.call_function(node, g, edges)
        released = not self.keep_graph and node.release_variables()
        if state.anomaly and state.anomaly_check_nan:
            _check_nan(node, grads)
        dependencies, buffers, queue = self.dependencies, self.input_buffers, self.ready_queue
        sends: list[Any] = []
        numbers = node.input_nrs
        for index, edge in enumerate(edges):
            if edge is None:
                continue
            d = grads[index]
            number = 0 if numbers is None else numbers[index]
            add_to_buffer(buffers, edge, number, d)
            left = dependencies[edge] - 1
            dependencies[edge] = left
            if not left:
                queue.push(edge)
            if observer is not None:
                total = buffers[edge] if edge.outputs is None else buffers[edge][number]
                expected = self.arriving[edge]
                sends.append((edge, number, raw(d), expected - left, expected, raw(total)))
        if observer is not None:
            received = tuple(g) if node.outputs is not None else (g,)
            waiting = queue.first() if observer.edges else ()
            observer.node(node, tuple(map(raw, received)), tuple(map(raw, grads)), sends, waiting, released)

    def call_function(self, node: Node, g: Any, edges: tuple[Node | None, ...]) -> Sequence[Any]:
        """The gradients that a node gives, after its post hooks."""
        create_graph = self.create_graph
        grads = validate_outputs(node, gradients(node, g, edges, create_graph), edges, create_graph)
        if node.hooks is not None and node.hooks.post:
            grads = validate_outputs(node, call_post_hooks(node, grads, g, create_graph), edges, create_graph)
        return grads


def _check_nan(node: Node, grads: Sequence[Any]) -> None:
    for index, d in enumerate(grads):
        a = raw(d)
        if a is not None and a.dtype.kind in dtypes.INEXACT and np.isnan(a).any():
            raise errors.returned_nan(node.name(), index)
