"""Saved tensors from the user's side: pack/unpack hooks, `_raw_saved_*`, anomaly mode's tracebacks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import WeakSet, WeakValueDictionary

from engine import errors
from engine.core.node import Node, VersionCounter
from engine.core.state import Culprit, state
from engine.core.tensor import Tensor, constant, output_tensor
from engine.core.views import grad_accumulator

if TYPE_CHECKING:
    from engine.codegen.op import Op


class SavedVariable:
    """A saved tensor in the form that a user's pack hook gave it, and its place in the graph.

    `is_output`: it is a result of the node that saves it, which it does not keep alive.
    """

    __slots__ = ("grad_accumulator", "grad_fn", "is_output", "output_nr", "requires_grad", "unpack_hook", "value")

    def __init__(self, tensor: Tensor, hooks: tuple[Callable[..., Any], Callable[..., Any]], saver: Node) -> None:
        pack_hook, self.unpack_hook = hooks
        self.requires_grad = tensor.requires_grad
        self.grad_fn, self.output_nr = tensor._grad_fn, tensor._output_nr
        self.is_output = self.grad_fn is saver
        self.grad_accumulator = grad_accumulator(tensor) if self.requires_grad and self.grad_fn is None else None
        version = 0 if tensor._version_counter is None else tensor._version_counter.n
        previous, state.grad = state.grad, False
        others, state.pack_hooks = state.pack_hooks, ()
        try:
            self.value = pack_hook(tensor)
        finally:
            state.grad, state.pack_hooks = previous, others
        if self.is_output:
            self.grad_fn = None
        if tensor._version_counter is not None and tensor._version_counter.n != version:
            raise errors.pack_modified_input()

    def unpack(self, saver: Node) -> Tensor:
        """Call the unpack hook for the value that takes the place of the saved one."""
        found = self.unpack_hook(self.value)
        if not isinstance(found, Tensor):
            raise errors.unpack_returned_non_tensor(found)
        if not self.requires_grad and self.grad_fn is None and not found.requires_grad:
            return found
        t = constant(found._array)  # without its version: what hooks return is not checked for later writes
        t._requires_grad, t._grad_accumulator = self.requires_grad, self.grad_accumulator
        t._grad_fn, t._output_nr = saver if self.is_output else self.grad_fn, self.output_nr
        return t


def pack(node: Node, computed: Callable[[], None]) -> None:
    """Replace a new node's saved tensors by what the innermost pack hook makes of them.

    `computed` is called before an error leaves a hook that was given a result: its op has run.
    """
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
        try:
            packed[index] = SavedVariable(value, hooks, node) if isinstance(value, Tensor) else value
        except BaseException:
            if names[index] in outputs:
                computed()
            raise
    node.packed = tuple(packed)
    node.saved = None


def push_hooks(pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
    """Use these hooks from now on. RuntimeError where hooks are disabled."""
    if state.hooks_disabled is not None:
        raise RuntimeError(state.hooks_disabled)
    if not (callable(pack_hook) and callable(unpack_hook)):
        raise errors.saved_tensor_hooks_type(pack_hook, unpack_hook)
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
    """Everything is on the CPU already: tensors are saved as they are, and nobody checks for writes to them."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda t: t.detach(), lambda t: t)


class SavedTensor:
    """`node._raw_saved_self`: where hooks for one saved tensor are registered."""

    __module__ = "torch._C._autograd"

    _node: Node
    _index: int

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise errors.saved_tensor_made()

    @classmethod
    def _of(cls, node: Node, index: int) -> SavedTensor:
        """One of the tensors that a node saved, by its place among them."""
        saved = object.__new__(cls)
        saved._node, saved._index = node, index
        return saved

    def register_hooks(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        """Pack this saved tensor now; unpack it when backward needs it."""
        if not (callable(pack_hook) and callable(unpack_hook)):
            raise errors.register_hooks_type(self, pack_hook, unpack_hook)
        node, op, index = self._node, self._node.op, self._index
        kept = node.packed if node.packed is not None else node.saved
        if kept is None:
            raise errors.saved_hooks_after_release()
        values = list(kept)
        value = values[index]
        if value is None:
            raise errors.saved_hooks_of_nothing()
        if isinstance(value, SavedVariable):
            raise errors.saved_hooks_twice()
        if type(value) is tuple:  # a result: a Function says itself which one
            array, number, counter = value[:3] if op is None else (value[0], _output_number(op, index), value[1])
            value = output_tensor(array, node, number, counter)
        values[index] = SavedVariable(value, (pack_hook, unpack_hook), node)
        if op is None:
            node.saved = tuple(values)
        else:
            node.packed, node.saved = tuple(values), None


def _output_number(op: Op, index: int) -> int:
    number = op.output_number((op.saved_tensors + op.saved_outputs)[index])
    assert number is not None
    return number


def trace_forward(node: Node) -> None:
    """Anomaly mode: note where the op of a new node was called, and the node in whose gradient it was."""
    node.metadata["traceback_"] = state.stack()
    if state.evaluating is not None:
        node.metadata["parent_"] = state.evaluating


def warn_forward_traceback(node: Node) -> None:
    """Anomaly mode's warnings: the op whose gradient failed, and where it was called; of what a gradient computed also
    the op that it is the gradient of."""
    name, metadata, seen = node.name(), node._metadata or {}, {node}
    warn = errors.warn_anomaly
    while True:
        trace = "".join(metadata.get("traceback_", []))
        if trace:
            warn(name, trace)
        else:
            errors.warn_anomaly_without_trace(name)
        parent = metadata.get("parent_")
        if not isinstance(parent, Node) or parent in seen:  # a program may have written there
            return
        seen.add(parent)
        name, metadata, warn = parent.name(), parent._metadata or {}, errors.warn_anomaly_parent


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


class _Saved:
    """Snapshot of a tensor when it was saved; lives as long as the nodes that saved it."""

    __slots__ = ("__weakref__", "counter", "tensor", "version")

    def __init__(self, tensor: Tensor, counter: VersionCounter) -> None:
        self.counter, self.version = counter, counter.n
        self.tensor = constant(tensor._array.copy())

    @property
    def written(self) -> bool:
        return self.counter.n != self.version


class _AllowMutationOnSavedContext:
    """The context of `allow_mutation_on_saved_tensors()`: tensors that were saved, and those overwritten since.

    PyTorch copies a tensor when it is written (`cloned`), and keeps it until then (`original`).
    """

    __module__ = "torch.autograd.graph"

    def __init__(self) -> None:
        self._saved: WeakSet[_Saved] = WeakSet()
        self._by_tensor: WeakValueDictionary[tuple[int, int, int], _Saved] = WeakValueDictionary()

    @property
    def cloned(self) -> dict[int, Tensor]:
        return {id(saved): saved.tensor for saved in self._saved if saved.written}

    @property
    def original(self) -> dict[int, Tensor]:
        return {id(saved): saved.tensor for saved in self._saved if not saved.written}

    @property
    def tid_to_weakhandle(self) -> dict[tuple[int, int, int], int]:
        return {key: id(saved) for key, saved in self._by_tensor.items()}

    def clear(self) -> None:
        """Forget everything that was saved."""
        self._saved.clear()
        self._by_tensor.clear()

    def _pack(self, tensor: Tensor) -> _Saved:
        counter = tensor._version_counter
        if counter is None:
            counter = tensor._version_counter = VersionCounter()
        key = id(tensor), id(counter), counter.n
        saved = self._by_tensor.get(key)
        if saved is None:
            saved = self._by_tensor[key] = _Saved(tensor, counter)
            self._saved.add(saved)
        return saved

    def _unpack(self, saved: _Saved) -> Tensor:
        if saved not in self._saved:
            raise errors.mutation_context_left()
        return saved.tensor


class allow_mutation_on_saved_tensors:  # noqa: N801
    """`with allow_mutation_on_saved_tensors():` what is saved inside may be overwritten, also before backward.

    Backward must run inside too: AssertionError otherwise.
    """

    __module__ = "torch.autograd.graph"

    def __init__(self) -> None:
        self._context = _AllowMutationOnSavedContext()

    def __enter__(self) -> _AllowMutationOnSavedContext:
        if state.mutation_allowed:
            raise errors.mutation_context_nested()
        push_hooks(self._context._pack, self._context._unpack)
        state.mutation_allowed = True
        return self._context

    def __exit__(self, *exception: object) -> None:
        state.pack_hooks = state.pack_hooks[:-1]
        state.mutation_allowed = False
        self._context.clear()


def recover(node: Node) -> tuple[Any, ...]:
    """Saved values that are not simply there: unpack them, or say that they were freed."""
    if node.packed is None:
        error = errors.backward_twice()
        state.culprit = Culprit(str(error), node=node)
        raise error
    return tuple(value.unpack(node) if type(value) is SavedVariable else value for value in node.packed)
