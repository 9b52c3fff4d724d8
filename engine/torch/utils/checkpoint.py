"""`torch.utils.checkpoint`: forget the inside of a function, and run it again when backward needs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import errors
from engine.autograd.api import backward
from engine.autograd.function import Function
from engine.core.grad_mode import enable_grad, no_grad
from engine.core.graph_task import is_checkpoint_valid
from engine.core.saved_tensors import saved_tensors_hooks
from engine.core.state import state
from engine.core.tensor import Tensor
from engine.kernels import random

CheckpointError = errors.CheckpointError
__all__ = ["CheckpointError", "checkpoint", "checkpoint_sequential", "set_checkpoint_early_stop"]


class set_checkpoint_early_stop:  # noqa: N801 - PyTorch's name
    """Whether checkpoints made inside stop running a function again once all that was saved is there."""

    def __init__(self, enable: bool) -> None:
        self.enable = enable

    def __enter__(self) -> None:
        self.previous, state.early_stop = state.early_stop, self.enable

    def __exit__(self, *exception: object) -> None:
        state.early_stop = self.previous


class CheckpointFunction(Function):
    """The re-entrant form: one node, whose backward runs the function again and a backward pass inside it."""

    @staticmethod
    def forward(ctx: Any, run: Callable[..., Any], preserve: bool, *args: Any) -> Any:
        if not any(isinstance(a, Tensor) and a.requires_grad for a in args):
            errors.warn_checkpoint_no_grad()
        ctx.run, ctx.preserve, ctx.arguments = run, preserve, args
        ctx.rng = random.default_generator.state_bytes() if preserve else None
        ctx.save_for_backward(*(a for a in args if isinstance(a, Tensor)))
        with no_grad():
            return run(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        if not is_checkpoint_valid():
            raise errors.checkpoint_grad()
        saved = list(ctx.saved_tensors)
        detached = []
        for a in ctx.arguments:
            if isinstance(a, Tensor):
                t = saved.pop(0).detach()
                t.requires_grad = a.requires_grad
                detached.append(t)
            else:
                detached.append(a)
        current = random.default_generator.state_bytes()
        if ctx.rng is not None:
            random.default_generator.restore(ctx.rng)
        with enable_grad():
            outputs = ctx.run(*detached)
        random.default_generator.restore(current)
        if isinstance(outputs, Tensor):
            outputs = (outputs,)
        pairs = [(o, g) for o, g in zip(outputs, grads, strict=True) if isinstance(o, Tensor) and o.requires_grad]
        if not pairs:
            raise errors.checkpoint_no_output()
        backward([o for o, _ in pairs], [g for _, g in pairs])
        return (None, None, *(t._grad if isinstance(t, Tensor) else None for t in detached))


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Any = None,
    determinism_check: str = "default",
    debug: bool = False,
    preserve_rng_state: bool = True,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """`function(*args)` whose saved tensors are recomputed in the backward pass instead of kept."""
    if use_reentrant is None:
        errors.warn_checkpoint_reentrant()
        use_reentrant = True
    if use_reentrant:
        if kwargs:
            raise errors.checkpoint_keywords(list(kwargs))
        return CheckpointFunction.apply(function, preserve_rng_state, *args)
    early_stop = early_stop and state.early_stop
    rng = random.default_generator.state_bytes() if preserve_rng_state else None
    saved: list[dict[str, Any]] = []
    recomputed: list[Tensor] = []
    unpacked: set[int] = set()
    task: Any = None  # the backward pass that they were recomputed for

    def pack(t: Tensor) -> int:
        saved.append(_metadata(t))
        return len(saved) - 1

    def recompute() -> None:
        recomputed.clear()
        unpacked.clear()

        def keep(t: Tensor) -> Tensor:
            recomputed.append(t.detach())
            return t

        current = random.default_generator.state_bytes()
        if rng is not None:
            random.default_generator.restore(rng)
        with enable_grad(), saved_tensors_hooks(keep, lambda t: t):
            function(*args, **kwargs)
        random.default_generator.restore(current)

    def unpack(index: int) -> Any:
        nonlocal task
        if state.graph_task is None or task is not state.graph_task:
            task = state.graph_task
            recompute()
        if len(recomputed) < len(saved) or len(recomputed) > len(saved) and not early_stop:
            raise errors.checkpoint_count(len(saved), len(recomputed))
        pairs = enumerate(zip(saved, map(_metadata, recomputed), strict=False))
        differing = {i: (first, second) for i, (first, second) in pairs if first != second}
        if differing and determinism_check != "none":
            raise errors.checkpoint_metadata(differing)
        if index in unpacked:
            raise errors.checkpoint_unpacked()
        unpacked.add(index)
        return recomputed[index]

    with saved_tensors_hooks(pack, unpack):
        return function(*args, **kwargs)


def _metadata(t: Tensor) -> dict[str, Any]:
    return {"shape": t.shape, "dtype": t.dtype, "device": t.device}


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """A Sequential in checkpointed segments; the last one runs as usual."""
    modules = list(functions.children()) if hasattr(functions, "children") else list(functions)
    size = len(modules) // segments

    def run(start: int, end: int) -> Callable[[Any], Any]:
        def forward(value: Any) -> Any:
            for module in modules[start:end]:
                value = module(value)
            return value

        return forward

    end = 0
    for start in range(0, size * (segments - 1), size):
        end = start + size
        input = checkpoint(run(start, end), input, use_reentrant=use_reentrant, **kwargs)
    return run(end, len(modules))(input)
