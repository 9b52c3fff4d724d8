"""Grad modes: `no_grad`, `enable_grad`, `set_grad_enabled`, `inference_mode`, anomaly detection.

Each is a context manager and a decorator; `set_grad_enabled(flag)` also works as a statement.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from engine import errors
from engine.core.state import state


class _Mode:
    """A context manager that can decorate functions (called anew on every call) and generators."""

    _label = ""

    def _clone(self) -> _Mode:
        return type(self)()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def generator(*args: Any, **kwargs: Any) -> Iterator[Any]:
                return self._resumed(function(*args, **kwargs))

            return generator
        if inspect.isclass(function):
            errors.warn_decorated_class()
        own_generator = getattr(getattr(function, "code", None), "generator", False)

        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with self._clone():
                made = function(*args, **kwargs)
            if own_generator:
                made.running = self._resumed(made.running)
            return made

        return wrapped

    def _resumed(self, running: Any) -> Iterator[Any]:
        """The generator, with the mode switched on while it runs and off while it waits."""
        resume, value = running.send, None
        while True:
            try:
                with self._clone():
                    result = resume(value)
            except StopIteration as stop:
                return stop.value  # type: ignore[no-any-return]
            try:
                resume, value = running.send, (yield result)
            except GeneratorExit:
                with self._clone():
                    running.close()
                raise
            except BaseException as thrown:
                resume, value = running.throw, thrown

    def __enter__(self) -> Any:
        self._previous = state.grad_modes
        self._scoped = state.observer is not None and bool(self._label) and state.observer.scopes
        if self._scoped and state.observer is not None:
            state.observer.scope_enter("no_grad", self._label)
        self._switch()
        return None

    def _switch(self) -> None:
        raise NotImplementedError

    def __exit__(self, *exception: object) -> None:
        state.grad_modes = self._previous
        if self._scoped and state.observer is not None:
            state.observer.scope_exit()


class _BareDecorator(type):
    """`@torch.no_grad` without parentheses decorates as `@torch.no_grad()` does."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        function = _decorated(cls, *args, **kwargs)
        return super().__call__() if function is None else super().__call__()(function)


def _decorated(cls: type, orig_func: Any = None) -> Any:
    return orig_func


_decorated.__qualname__ = "_NoParamDecoratorContextManager.__new__"  # whose arguments these are in PyTorch


_BareDecorator.__module__ = "builtins"
_BareDecorator.__name__ = _BareDecorator.__qualname__ = "type"  # which is what it is in PyTorch


class no_grad(_Mode, metaclass=_BareDecorator):  # noqa: N801 - PyTorch's name
    """Ops inside record nothing."""

    _label = "no_grad"

    def _switch(self) -> None:
        state.enable_grad(False)


class enable_grad(_Mode, metaclass=_BareDecorator):  # noqa: N801
    """Ops inside record again, within `no_grad`."""

    def _switch(self) -> None:
        state.enable_grad(True)


class set_grad_enabled(_Mode):  # noqa: N801
    """Switches at once; as a context manager it switches back."""

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise errors.argument_type("set_grad_enabled", "enabled", 1, "bool", mode)
        self._before = state.grad_modes
        self.mode = mode
        state.enable_grad(mode)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        state.grad_modes = self._before
        return super().__call__(function)

    def __repr__(self) -> str:
        return f"{type(self).__module__}.{type(self).__name__}(mode={self.mode})"

    def _clone(self) -> _Mode:
        return set_grad_enabled(self.mode)

    def __enter__(self) -> None:
        state.enable_grad(self.mode)

    def __exit__(self, *exception: object) -> None:
        state.grad_modes = self._before


class inference_mode(_Mode):  # noqa: N801
    """As no_grad, and its tensors can never take part in autograd; `inference_mode(False)` enables gradients."""

    _label = "inference_mode"

    def __new__(cls, mode: Any = True) -> Any:
        if callable(mode) and not isinstance(mode, bool):
            return cls()(mode)
        return super().__new__(cls)

    def __init__(self, mode: Any = True) -> None:
        self.mode = bool(mode)

    def _clone(self) -> _Mode:
        return inference_mode(self.mode)

    def _switch(self) -> None:
        state.grad_modes = not self.mode, self.mode, False


@contextmanager
def of_new_thread() -> Iterator[None]:
    """Inside, what PyTorch keeps for each thread is as a new thread has it."""
    modes, autocast, hooks = state.grad_modes, state.autocast, state.pack_hooks
    state.grad_modes, state.autocast, state.pack_hooks = (True, False, False), None, ()
    try:
        yield
    finally:
        state.grad_modes, state.autocast, state.pack_hooks = modes, autocast, hooks


def is_grad_enabled() -> bool:
    return state.grad or state.grad_in_inference


def is_inference_mode_enabled() -> bool:
    return state.inference


def is_anomaly_enabled() -> bool:
    return state.anomaly


def is_anomaly_check_nan_enabled() -> bool:
    return state.anomaly_check_nan


def set_anomaly_enabled(enabled: bool, check_nan: bool = True) -> None:
    """Turn anomaly mode on or off until told otherwise."""
    state.set_anomaly(bool(enabled), bool(check_nan))


class set_detect_anomaly:  # noqa: N801
    """`torch.autograd.set_detect_anomaly(True)`: name the op that made a NaN gradient."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        for position, name, value in ((1, "enabled", mode), (2, "check_nan", check_nan)):
            if not isinstance(value, bool):
                raise errors.argument_type("set_anomaly_enabled", name, position, "bool", value)
        self._previous = (state.anomaly, state.anomaly_check_nan)
        state.set_anomaly(mode, check_nan)

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exception: object) -> None:
        state.set_anomaly(*self._previous)


class detect_anomaly(set_detect_anomaly):  # noqa: N801
    """`with torch.autograd.detect_anomaly():`"""

    def __init__(self, check_nan: bool = True) -> None:
        errors.warn_anomaly_enabled()
        self._check = check_nan
        self._previous = (state.anomaly, state.anomaly_check_nan)

    def __enter__(self) -> None:
        self._previous = (state.anomaly, state.anomaly_check_nan)
        state.set_anomaly(True, self._check)


for _mode in (no_grad, enable_grad, set_grad_enabled, inference_mode):
    _mode.__module__ = "torch.autograd.grad_mode"
for _class in (detect_anomaly, set_detect_anomaly):
    _class.__module__ = "torch.autograd.anomaly_mode"
