"""`torch.jit`. Nothing is compiled: functions and modules run as they are written, and keep their names."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.nn.module import Module

__all__ = [
    "annotate", "export", "freeze", "ignore", "is_scripting", "is_tracing", "optimize_for_inference", "script",
    "script_if_tracing", "trace", "unused",
]  # fmt: skip


def script(obj: Any, optimize: Any = None, _frames_up: int = 0, _rcb: Any = None, example_inputs: Any = None) -> Any:
    """The function, module or class itself."""
    errors.warn_jit("script")
    if obj is None or isinstance(obj, int | float | complex | str | bytes):
        raise errors.script_of(obj)
    return obj


def trace(
    func: Any,
    example_inputs: Any = None,
    optimize: Any = None,
    check_trace: bool = True,
    check_inputs: Any = None,
    check_tolerance: float = 1e-5,
    strict: bool = True,
    _force_outplace: bool = False,
    _module_class: Any = None,
    _compilation_unit: Any = None,
    example_kwarg_inputs: Any = None,
    _store_inputs: bool = True,
) -> Any:
    """The function or module itself, which looks at its conditions each time anew."""
    errors.warn_jit("trace")
    if example_inputs is None and not isinstance(example_kwarg_inputs, dict):
        raise errors.trace_inputs()
    if isinstance(func, Module):
        errors.warn_jit("trace_method")
    return func


def ignore(drop: Any = False, **kwargs: Any) -> Any:
    """The function itself."""
    return drop if callable(drop) else lambda fn: fn


def unused(fn: Any) -> Any:
    """The function itself."""
    return fn


def export(fn: Any) -> Any:
    """The function itself."""
    return fn


def script_if_tracing(fn: Any) -> Any:
    """The function itself."""
    return fn


_overload = _overload_method = unused
_script_if_tracing = script_if_tracing


def freeze(mod: Any, preserved_attrs: Any = None, optimize_numerics: bool = True) -> Any:
    """The module itself. Raises RuntimeError while it trains."""
    errors.warn_jit("freeze")
    if mod.training:
        raise errors.freeze_training()
    return mod


def optimize_for_inference(mod: Any, other_methods: Any = None) -> Any:
    """The module itself, ready for evaluation."""
    errors.warn_jit("optimize_for_inference")
    return mod.eval()


def annotate(the_type: Any, the_value: Any) -> Any:
    """The value."""
    return the_value


def is_scripting() -> bool:
    """Always False."""
    return False


def is_tracing() -> bool:
    """Always False."""
    return False


def __getattr__(name: str) -> Any:
    raise errors.module_attribute("torch.jit", name)
