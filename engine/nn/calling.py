"""Calling a module that has hooks, and hooks of all modules (`torch.nn.modules.module.register_module_…`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import errors, settings
from engine.core.hooks import HookDict, RemovableHandle
from engine.nn import backward_hooks

Hook = Callable[..., Any]

_forward_pre, _forward, _backward_pre, _backward = (settings.contents(HookDict()) for _ in range(4))
_registration = {what: settings.contents(HookDict()) for what in ("buffer", "module", "parameter")}
_with_kwargs: set[int] = settings.contents(set())
_always_called: set[int] = settings.contents(set())


def common() -> bool:
    """Whether there are hooks of all modules."""
    return bool(_forward_pre or _forward or _backward_pre or _backward)


def registered(what: str, module: Any, name: str, value: Any) -> Any:
    """What a module keeps under a name: a buffer, module or parameter, or what the hooks put in its place."""
    for hook in _registration[what].values():
        replaced = hook(module, name, value)
        if replaced is not None:
            value = replaced
    return value


def register_module_buffer_registration_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(module, name, buffer)` when any module is given a buffer; what it returns is kept instead."""
    return _registration["buffer"].add(hook)


def register_module_module_registration_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(module, name, submodule)` when any module is given a child; what it returns is kept instead."""
    return _registration["module"].add(hook)


def register_module_parameter_registration_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(module, name, parameter)` when any module is given a parameter; what it returns is kept instead."""
    return _registration["parameter"].add(hook)


def register_module_forward_pre_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(module, args)` before the `forward` of every module; what it returns replaces the arguments."""
    return _forward_pre.add(hook)


def register_module_forward_hook(
    hook: Hook, *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Call `hook(module, args, output)` after the `forward` of every module; what it returns replaces the output."""
    asked = ((_with_kwargs, with_kwargs), (_always_called, always_call))
    return _forward.add(hook, marks=[marked for marked, wanted in asked if wanted])


def register_module_full_backward_pre_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(module, grad_output)` before the backward of every module; it may return another grad_output."""
    return _backward_pre.add(hook)


def register_module_full_backward_hook(hook: Hook) -> RemovableHandle:
    """Call `hook(module, grad_input, grad_output)` once the gradients of any module's inputs are known."""
    return _backward.add(hook)


for _register in [value for name, value in globals().items() if name.startswith("register_")]:
    _register.__module__ = "torch.nn.modules.module"


def call_with_hooks(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`module.forward` between the hooks; those of all modules come before its own."""
    own_backward = module._backward_hooks  # the first attribute that a module lacks whose `__init__` was not called
    called: set[int] = set()
    result = wrap = None
    try:
        args, kwargs = _before_forward(module, args, kwargs)
        full = _backward.placed()
        if module._is_full_backward_hook is not False:
            full = full + own_backward.placed()
        before = _backward_pre.placed() + module._backward_pre_hooks.placed()
        if full or before:
            wrap = backward_hooks.BackwardHook(module, full, before)
            args = wrap.enter(args)
        result = module.forward(*args, **kwargs)
        for handle, hook in [*_forward.items(), *module._forward_hooks.items()]:
            called.add(handle)
            result = _after_forward(module, handle, hook, args, kwargs, result)
    except Exception:
        for hooks, always, whose in (
            (_forward, _always_called, "global module"),
            (module._forward_hooks, module._forward_hooks_always_called, "module"),
        ):
            for handle, hook in list(hooks.items()):
                if handle in always and handle not in called:
                    try:
                        result = _after_forward(module, handle, hook, args, kwargs, result)
                    except Exception as silenced:
                        errors.warn_always_called(whose, silenced)
        raise
    if wrap is not None:
        result = wrap.leave(result)
    if module._is_full_backward_hook is False:
        backward_hooks.attach_to_last_node(module, list(module._backward_hooks.values()), args, result)
    return result


def _before_forward(
    module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    for handle, hook in [*_forward_pre.items(), *module._forward_pre_hooks.items()]:
        if handle in module._forward_pre_hooks_with_kwargs:
            replaced = hook(module, args, kwargs)
            if replaced is not None:
                if not (isinstance(replaced, tuple) and len(replaced) == 2):
                    raise errors.pre_hook_with_kwargs(replaced)
                args, kwargs = replaced
        else:
            replaced = hook(module, args)
            if replaced is not None:
                args = replaced if isinstance(replaced, tuple) else (replaced,)
    return args, kwargs


def _after_forward(module: Any, handle: int, hook: Hook, args: Any, kwargs: Any, result: Any) -> Any:
    with_kwargs = handle in module._forward_hooks_with_kwargs or handle in _with_kwargs
    replaced = hook(module, args, kwargs, result) if with_kwargs else hook(module, args, result)
    return result if replaced is None else replaced
