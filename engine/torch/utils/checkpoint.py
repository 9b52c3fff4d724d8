"""`torch.utils.checkpoint`: forget the inside of a function, and run it again when backward needs it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any
from weakref import WeakKeyDictionary, ref

import numpy as np

from engine import errors
from engine.autograd.api import backward
from engine.autograd.function import Function
from engine.core.grad_mode import enable_grad, no_grad
from engine.core.graph_task import is_checkpoint_valid
from engine.core.saved_tensors import saved_tensors_hooks
from engine.core.state import sequence, state, unobserved
from engine.core.tensor import Tensor
from engine.kernels import random

CheckpointError = errors.CheckpointError
__all__ = [
    "CheckpointError", "checkpoint", "checkpoint_sequential", "noop_context_fn", "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
]  # fmt: skip


class set_checkpoint_debug_enabled:
    """Whether checkpoints made inside are debugged, whatever they are told; None leaves it to them.

    PyTorch adds to the errors of such checkpoints what ops ran.
    """

    def __init__(self, enabled: bool | None) -> None:
        self.enabled = enabled

    def __enter__(self) -> None:
        self.previous, state.checkpoint_debug = state.checkpoint_debug, self.enabled

    def __exit__(self, *exception: object) -> None:
        state.checkpoint_debug = self.previous


class set_checkpoint_early_stop:
    """Whether checkpoints made inside stop running a function again once all that was saved is there."""

    def __init__(self, enable: bool) -> None:
        self.enable = enable

    def __enter__(self) -> None:
        self.previous, state.early_stop = state.early_stop, self.enable

    def __exit__(self, *exception: object) -> None:
        state.early_stop = self.previous


def noop_context_fn() -> tuple[AbstractContextManager[None], AbstractContextManager[None]]:
    """Contexts of a checkpoint that do nothing."""
    return nullcontext(), nullcontext()


@contextmanager
def _generator_as_it_was(rng: Any) -> Iterator[None]:
    """Inside, random numbers are drawn as from the state `rng` on, and afterwards as before; None changes nothing."""
    if rng is None:
        yield
        return
    current = random.default_generator.state_bytes()
    random.default_generator.restore(rng)
    try:
        yield
    finally:
        random.default_generator.restore(current)


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
        with _generator_as_it_was(ctx.rng), enable_grad():
            outputs = ctx.run(*detached)
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
    context_fn: Callable[[], tuple[Any, Any]] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    preserve_rng_state: bool = True,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """`function(*args)` whose saved tensors are recomputed in the backward pass instead of kept.

    `context_fn` gives two contexts, in which the function runs first and is run again.
    """
    if use_reentrant is None:
        errors.warn_checkpoint_reentrant()
        use_reentrant = True
    if use_reentrant:
        if kwargs:
            raise errors.checkpoint_keywords(list(kwargs))
        if context_fn is not noop_context_fn or debug is not False:
            raise errors.checkpoint_reentrant_context()
        return CheckpointFunction.apply(function, preserve_rng_state, *args)
    debugged = debug if state.checkpoint_debug is None else state.checkpoint_debug
    if debugged and context_fn is not noop_context_fn:
        raise errors.checkpoint_debug_context()
    if determinism_check not in _CHECKS:
        raise errors.checkpoint_determinism(list(_CHECKS), determinism_check)
    forward_context, recompute_context = context_fn()
    if not state.grad:
        return function(*args, **kwargs)
    if state.transforms:  # of which those that would need what is saved allow no hooks
        with saved_tensors_hooks(_unpacked, _unpacked), forward_context:
            return function(*args, **kwargs)
    rng = random.default_generator.state_bytes() if preserve_rng_state else None
    region = state.autocast

    def run_again(*saved: Any) -> None:
        outer, state.autocast = state.autocast, None if region is None else region.anew()
        try:
            with _generator_as_it_was(rng), enable_grad(), recompute_context:
                function(*saved, **kwargs)
        finally:
            state.autocast = outer

    stop = early_stop if state.early_stop is None else state.early_stop
    frame = _CheckpointFrame(run_again, _SavedInputs.of(args), stop, _CHECKS[determinism_check])
    returned = False
    with saved_tensors_hooks(frame.pack, frame.unpack), forward_context:
        out = function(*args, **kwargs)
        returned = True
    if not returned:
        raise errors.checkpoint_suppressed()
    frame.forward_completed = True
    return out


def _unpacked(tensor: Tensor) -> Tensor:
    return tensor


class _SavedInputs(Function):
    """A node of no graph, which saves the arguments of a checkpoint as nodes save tensors: hooks outside pack them, and
    what has been written to meanwhile raises."""

    @staticmethod
    def forward(start: Tensor, *tensors: Tensor) -> Any:
        return start.new_empty(0)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.save_for_backward(*inputs[1:])

    @classmethod
    def of(cls, args: tuple[Any, ...]) -> Callable[[], tuple[Any, ...]]:
        """A function that gives the arguments back."""
        tensors = [a for a in args if isinstance(a, Tensor)]
        with unobserved():
            node = cls.apply(Tensor._from_array(np.empty(0, np.float32), True), *tensors).grad_fn
        sequence.restart(node.sequence_nr)  # as in PyTorch, nodes of the graph do not count this one

        def given() -> tuple[Any, ...]:
            saved = iter(node.saved_tensors)
            return tuple([next(saved) if isinstance(a, Tensor) else a for a in args])

        return given


class _StopRecomputationError(Exception):
    """All that is needed was computed again."""


class _Holder:
    """What a node saves in a checkpoint: the place where each backward pass finds the tensor computed again."""

    __slots__ = ("__weakref__", "recomputed")

    def __init__(self) -> None:
        self.recomputed: WeakKeyDictionary[Any, Tensor | None] = WeakKeyDictionary()


class _CheckpointFrame:
    """One checkpointed call: what its forward saved, in order, and how often each backward pass saved anew.

    `holders` are weak: what only a graph inside the function saved, which is gone, need not be computed again.
    """

    def __init__(
        self,
        run_again: Callable[..., None],
        inputs: Callable[[], tuple[Any, ...]],
        early_stop: bool,
        metadata: Callable[[Tensor], Any],
    ) -> None:
        self.run_again, self.inputs, self.early_stop, self.metadata = run_again, inputs, early_stop, metadata
        self.holders: list[ref[_Holder]] = []
        self.saved: list[Any] = []
        self.counts: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
        self.forward_completed = self.ignore_mismatch = False

    def pack(self, t: Tensor) -> _Holder:
        holder = _Holder()
        self.holders.append(ref(holder))
        with no_grad():
            self.saved.append(self.metadata(t))
        return holder

    def unpack(self, holder: _Holder) -> Tensor:
        task = _Holder() if state.graph_task is None else state.graph_task
        if task not in self.counts:
            self._recompute(task)
        found = holder.recomputed[task]
        if found is None:
            raise errors.checkpoint_unpacked()
        holder.recomputed[task] = None
        return found

    def _recompute(self, task: Any) -> None:
        inputs = self.inputs()
        self.counts[task] = 0
        frame = ref(self)  # the graph made meanwhile keeps the hook

        def keep(t: Tensor) -> Tensor:
            owner = frame()
            assert owner is not None
            return owner._keep(t, task)

        try:
            with saved_tensors_hooks(keep, _unchanged):
                self.run_again(*inputs)
        except _StopRecomputationError:
            pass
        if not self.ignore_mismatch:
            self._check(task)

    def _keep(self, t: Tensor, task: Any) -> Tensor:
        if t.requires_grad:
            t = t.detach()
        place = self.counts[task]
        self.counts[task] += 1
        if place >= len(self.holders):
            if self.forward_completed:
                raise errors.checkpoint_more()
            self.ignore_mismatch = True  # a gradient inside the function
            return t
        holder = self.holders[place]()
        if holder is not None:
            holder.recomputed[task] = t
        if self.early_stop and self.counts[task] == len(self.holders):
            raise _StopRecomputationError
        return t

    def _check(self, task: Any) -> None:
        """Raise when the second run did not save what the first did."""
        if self.counts[task] != len(self.holders):
            raise errors.checkpoint_count(len(self.holders), self.counts[task])
        differing = {}
        for place, (reference, first) in enumerate(zip(self.holders, self.saved, strict=True)):
            holder = reference()
            if holder is not None:
                again = self.metadata(holder.recomputed[task])  # type: ignore[arg-type]  # nobody has read it yet
                if again != first:
                    differing[place] = first, again
        if differing:
            raise errors.checkpoint_metadata(differing)


def _unchanged(t: Tensor) -> Tensor:
    return t


def _metadata(t: Tensor) -> dict[str, Any]:
    return {"shape": t.shape, "dtype": t.dtype, "device": t.device}


_CHECKS: dict[str, Callable[[Tensor], Any]] = {"default": _metadata, "none": lambda _: None}


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, **kwargs: Any
) -> Any:
    """A Sequential in checkpointed segments; the last one runs as usual."""
    if use_reentrant is None:
        errors.warn_checkpoint_sequential_reentrant()
        use_reentrant = True
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise errors.checkpoint_keywords(list(kwargs))
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
        input = checkpoint(run(start, end), input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return run(end, len(modules))(input)
