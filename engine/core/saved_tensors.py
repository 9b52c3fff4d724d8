"""Saved tensors from the user's side: pack/unpack hooks, `_raw_saved_*`, anomaly mode's tracebacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import errors
from engine.core.node import Node
from engine.core.state import Culprit, state
from engine.core.tensor import Tensor, constant, output_tensor
from engine.core.views import grad_accumulator


class SavedVariable:
    """A saved tensor in the form that a user's pack hook gave it, and its place in the graph."""

    __slots__ = ("grad_accumulator", "grad_fn", "output_nr", "requires_grad", "unpack_hook", "value")

    def __init__(self, tensor: Tensor, hooks: tuple[Callable[..., Any], Callable[..., Any]]) -> None:
        pack_hook, self.unpack_hook = hooks
        self.requires_grad = tensor.requires_grad
        self.grad_fn, self.output_nr = tensor._grad_fn, tensor._output_nr
        self.grad_accumulator = grad_accumulator(tensor) if self.requires_grad and self.grad_fn is None else None
        version = 0 if tensor._version_counter is None else tensor._version_counter.n
        previous, state.grad = state.grad, False
        others, state.pack_hooks = state.pack_hooks, ()
        try:
            self.value = pack_hook(tensor)
        finally:
            state.grad, state.pack_hooks = previous, others
        if tensor._version_counter is not None and tensor._version_counter.n != version:
            raise errors.pack_modified_input()

    def unpack(self) -> Tensor:
        """What the unpack hook makes of it, in the place of what was saved."""
        found = self.unpack_hook(self.value)
        if not isinstance(found, Tensor):
            raise errors.unpack_returned_non_tensor(found)
        t = constant(found._array)  # without its version: what hooks return is not checked for later writes
        t._requires_grad, t._grad_accumulator = self.requires_grad, self.grad_accumulator
        t._grad_fn, t._output_nr = self.grad_fn, self.output_nr
        return t


def pack(node: Node) -> None:
    """Replace a new node's saved tensors by what the innermost pack hook makes of them."""
    if not node.saved or node.op is None:
        return
    hooks = state.pack_hooks[-1]
    packed = list(node.saved)
    names, outputs = node.op.saved_tensors + node.op.saved_outputs, node.op.saved_outputs
    # Inputs are packed in alphabetical order, then results: programs see the order of the calls.
    for index in sorted(range(len(packed)), key=lambda i: (names[i] in outputs, names[i])):
        value = packed[index]
        if type(value) is tuple and names[index] in outputs:
            array, counter, _ = value
            value = output_tensor(array, node, node.op.output_number(names[index]), counter)
        packed[index] = SavedVariable(value, hooks) if isinstance(value, Tensor) else value
    node.packed = tuple(packed)
    node.saved = None


def push_hooks(pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
    """Use these hooks from now on. RuntimeError where hooks are disabled."""
    if state.hooks_disabled is not None:
        raise RuntimeError(state.hooks_disabled)
    state.pack_hooks = (*state.pack_hooks, (pack_hook, unpack_hook))


class saved_tensors_hooks:  # noqa: N801 - PyTorch's name
    """`with saved_tensors_hooks(pack, unpack):` tensors saved inside go through `pack`, and back through `unpack`."""

    __module__ = "torch.autograd.graph"

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> None:
        push_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *exception: object) -> None:
        state.pack_hooks = state.pack_hooks[:-1]


class save_on_cpu(saved_tensors_hooks):  # noqa: N801
    """Everything is on the CPU already; kept so that programs run."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda t: t.clone(), lambda t: t)


class SavedTensor:
    """`node._raw_saved_self`: where hooks for one saved tensor are registered."""

    __module__ = "torch._C._autograd"

    def __init__(self, node: Node, name: str) -> None:
        self._node, self._name = node, name

    def register_hooks(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        """Pack this saved tensor now; unpack it when backward needs it."""
        node, op = self._node, self._node.op
        assert op is not None
        values = list(node.packed) if node.packed is not None else list(node.saved or recover(node))
        index = (op.saved_tensors + op.saved_outputs).index(self._name)
        if isinstance(values[index], SavedVariable):
            raise errors.saved_hooks_twice()
        value = values[index]
        if type(value) is tuple:
            array, counter, _ = value
            value = output_tensor(array, node, op.output_number(self._name), counter)
        values[index] = SavedVariable(value, (pack_hook, unpack_hook))
        node.packed = tuple(values)
        node.saved = None


def forward_traceback() -> list[str]:
    """Where in the program the running op stands, in the form anomaly mode keeps it."""
    position = state.position
    line = 0 if position is None else position[0]
    return [f'  File "<program>", line {line}, in <module>\n']


def warn_forward_traceback(node: Node) -> None:
    """Anomaly mode's warning: the op whose gradient was NaN, and where it was called."""
    trace = "".join((node._metadata or {}).get("traceback_", []))
    if trace:
        errors.warn_anomaly(node.name(), trace)
    else:
        errors.warn_anomaly_without_trace(node.name())


class disable_saved_tensors_hooks:  # noqa: N801
    """`with disable_saved_tensors_hooks(message):` hooks registered inside raise RuntimeError with the message."""

    __module__ = "torch.autograd.graph"

    def __init__(self, error_message: str) -> None:
        self.error_message = error_message

    def __enter__(self) -> None:
        if state.pack_hooks:
            raise RuntimeError(self.error_message)
        self._before = state.hooks_disabled
        state.hooks_disabled = self.error_message

    def __exit__(self, *exception: object) -> None:
        state.hooks_disabled = self._before


class allow_mutation_on_saved_tensors:  # noqa: N801
    """`with allow_mutation_on_saved_tensors():` what is saved inside may be overwritten, also before backward.

    A saved tensor is copied when it is saved. Backward must run inside too: AssertionError otherwise.
    """

    __module__ = "torch.autograd.graph"

    def __init__(self) -> None:
        self._open = False

    def _pack(self, tensor: Tensor) -> Tensor:
        return constant(tensor._array.copy())

    def _unpack(self, tensor: Tensor) -> Tensor:
        if not self._open:
            raise errors.mutation_context_left()
        return tensor

    def __enter__(self) -> allow_mutation_on_saved_tensors:
        if state.mutation_allowed:
            raise errors.mutation_context_nested()
        push_hooks(self._pack, self._unpack)
        self._open = state.mutation_allowed = True
        return self

    def __exit__(self, *exception: object) -> None:
        state.pack_hooks = state.pack_hooks[:-1]
        self._open = state.mutation_allowed = False


def recover(node: Node) -> tuple[Any, ...]:
    """Saved values that are not simply there: unpack them, or say that they were freed."""
    if node.packed is None:
        error = errors.backward_twice()
        state.culprit = Culprit(str(error), node=node)
        raise error
    return tuple(value.unpack() if type(value) is SavedVariable else value for value in node.packed)
