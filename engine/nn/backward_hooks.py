"""Backward hooks of modules: two pass-through nodes around a module's forward that see its gradients go by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from engine import errors
from engine.autograd.function import Function
from engine.core.state import Position, state
from engine.core.tensor import Tensor

if TYPE_CHECKING:
    from engine.core.node import Node

Hooks = Sequence[Callable[..., Any]]
# A hook and where in the program it was registered.
Placed = Sequence[tuple[Callable[..., Any], Position | None]]


class BackwardHookFunction(Function):
    """Passes tensors and their gradients through unchanged; its node is where hooks are put."""

    __module__ = "torch.nn.modules._functions"

    @staticmethod
    def forward(ctx: Any, *args: Tensor) -> Any:
        ctx.mark_non_differentiable(*[arg for arg in args if not arg.requires_grad])
        return args

    @staticmethod
    def backward(ctx: Any, *args: Any) -> Any:
        return args


class BackwardHook:
    """One call of a module with full backward (pre-)hooks."""

    def __init__(self, module: object, hooks: Placed, pre_hooks: Placed) -> None:
        self.module = module
        self.hooks, self.pre_hooks = hooks, pre_hooks
        self.grad_outputs: tuple[Any, ...] | None = None
        self.inputs: list[int] | None = None  # positions of tensors among the arguments
        self.outputs: list[int] = []
        self.input_count = self.output_count = 0

    def enter(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """Send the arguments through a node that reports their gradients when they are known."""
        self.input_count = len(args)
        result, self.inputs = self._through(self._on_input, args)
        return result

    def leave(self, result: Any) -> Any:
        """Send the results through a node that notes their gradients when they arrive."""
        if not isinstance(result, Tensor | tuple):
            errors.warn_backward_hook_output(result)
        values = result if isinstance(result, tuple) else (result,)
        self.output_count = len(values)
        values, positions = self._through(self._on_output, values)
        self.outputs = positions or []
        return values if isinstance(result, tuple) else values[0]

    def _through(
        self, attach: Callable[[Node], None], values: tuple[Any, ...]
    ) -> tuple[tuple[Any, ...], list[int] | None]:
        positions = [i for i, value in enumerate(values) if isinstance(value, Tensor)]
        if not (state.grad and any(values[i].requires_grad for i in positions)):
            return values, None
        tensors = BackwardHookFunction.apply(*(values[i] for i in positions))
        attach(next(t.grad_fn for t in tensors if t.grad_fn is not None))
        passed = list(values)
        for position, tensor in zip(positions, tensors, strict=True):
            passed[position] = tensor
        kind = type(values)
        return kind(*passed) if hasattr(kind, "_fields") else tuple(passed), positions

    def _on_input(self, node: Node) -> None:
        def hook(grad_inputs: tuple[Any, ...], _: Any) -> Any:
            if self.grad_outputs is None:
                return None  # a gradient that did not come through the module's output
            assert self.inputs is not None
            grads = _spread(self.inputs, grad_inputs, self.input_count)
            for user_hook, place in self.hooks:
                replaced = user_hook(self.module, grads, self.grad_outputs)
                self._report(grads, replaced, place)
                if replaced is None:
                    continue
                if len(replaced) != len(grads):
                    raise errors.backward_hook_count(len(replaced), len(grads))
                grads = tuple(replaced)
            self.grad_outputs = None
            return tuple(grads[i] for i in self.inputs)

        node.ensure_hooks().post.add(hook, own=True)

    def _on_output(self, node: Node) -> None:
        def hook(_: Any, grad_outputs: tuple[Any, ...]) -> Any:
            grads = _spread(self.outputs, grad_outputs, self.output_count)
            for user_hook, place in self.pre_hooks:
                replaced = user_hook(self.module, grads)
                self._report(grads, replaced, place)
                if replaced is None:
                    continue
                if len(replaced) != len(grads):
                    raise errors.backward_pre_hook_count(len(replaced), len(grads))
                grads = tuple(replaced)
            self.grad_outputs = grads
            if self.inputs is None:
                self._without_inputs(grads)
            return tuple(grads[i] for i in self.outputs)

        node.ensure_hooks().post.add(hook, own=True)

    def _without_inputs(self, grads: tuple[Any, ...]) -> None:
        """No argument wants a gradient: the hooks run as soon as the outputs' gradients are there."""
        if self.hooks:
            errors.warn_full_backward_hook_without_inputs()
        nothing = (None,) * self.input_count
        for user_hook, place in self.hooks:
            replaced = user_hook(self.module, nothing, grads)
            self._report(nothing, replaced, place)
            if replaced is not None and not (isinstance(replaced, tuple) and all(g is None for g in replaced)):
                raise errors.backward_hook_returned_gradients()
        self.grad_outputs = None

    def _report(self, before: tuple[Any, ...], after: Any, place: Position | None) -> None:
        if state.observer is not None:
            values = before if after is None else after if isinstance(after, tuple) else (after,)
            state.observer.hook("module", self.module, _arrays(before), _arrays(values), place)


def _arrays(values: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(value._array if isinstance(value, Tensor) else None for value in values)


def _spread(positions: Sequence[int], grads: Sequence[Any], count: int) -> tuple[Any, ...]:
    spread: list[Any] = [None] * count
    for position, grad in zip(positions, grads, strict=True):
        spread[position] = grad
    return tuple(spread)


def attach_to_last_node(module: object, hooks: Hooks, args: Any, result: Any) -> None:
    """The deprecated `register_backward_hook`: hooks on whatever node made the output."""
    output = result
    while not isinstance(output, Tensor):
        if isinstance(output, dict):
            output = next(value for value in output.values() if isinstance(value, Tensor))
        else:
            output = output[0]
    node = output.grad_fn
    if node is None:
        return
    for hook in hooks:
        node.register_hook(_bound(hook, module))
    _warn_partial(args, result, node)


def _bound(hook: Callable[..., Any], module: object) -> Callable[..., Any]:
    def call(grad_inputs: Any, grad_outputs: Any) -> Any:
        return hook(module, grad_inputs, grad_outputs)

    return call


def _warn_partial(args: Any, result: Any, node: Node) -> None:
    """Say when the hook will not see the gradients of the module's own inputs and outputs."""
    results = (result,) if isinstance(result, Tensor) else result
    if not isinstance(results, tuple) or not all(isinstance(r, Tensor) for r in results):
        errors.warn_partial_backward_hook_output()
    elif not all(isinstance(a, Tensor) for a in args):
        errors.warn_partial_backward_hook_input()
    elif len({r.grad_fn for r in results if r.grad_fn is not None}) > 1:
        errors.warn_partial_backward_hook_nodes()
    elif {a.grad_fn for a in args if a.grad_fn is not None} != {fn for fn, _ in node.next_functions}:
        errors.warn_partial_backward_hook()
