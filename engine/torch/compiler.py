"""`torch.compile` and `torch.compiler`. Nothing is compiled: functions and modules run as they are written."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.nn.compiled import OptimizedModule
from engine.nn.module import Module

__all__ = [
    "allow_in_graph", "assume_constant_result", "compile", "cudagraph_mark_step_begin", "disable",
    "get_default_backend", "is_compiling", "is_dynamo_compiling", "is_exporting", "list_backends", "reset",
]  # fmt: skip

_BACKENDS = ["cudagraphs", "inductor", "openxla", "tvm"]
_UNLISTED = "aot_eager aot_ts eager eager_debug eager_noexcept openxla_eval pre_dispatch_eager ts".split()


def compile(
    model: Any = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: Any = None,
    mode: str | None = None,
    options: Any = None,
    name: str | None = None,
    disable: bool = False,
    recompile_limit: int | None = None,
    isolate_recompiles: bool = False,
    shapes_spec: Any = None,
) -> Any:
    """A function itself; of a module one that holds it, as in PyTorch.

    Raises RuntimeError or AssertionError, as PyTorch does, for what it cannot compile.
    """
    if model is None:
        return lambda wrapped: compile(wrapped, backend=backend, mode=mode, options=options, disable=disable)
    if disable:
        return model
    if mode is not None and options is not None:
        raise errors.compile_options()
    if isinstance(backend, str) and backend not in _BACKENDS and backend not in _UNLISTED:
        raise errors.compile_backend(backend)
    if not callable(model):
        raise errors.compile_of(model)
    return _held(model)


def _held(model: Any) -> Any:
    return OptimizedModule(model) if isinstance(model, Module) and type(model) is not OptimizedModule else model


def disable(fn: Any = None, recursive: bool = True, *, reason: str | None = None) -> Any:
    """A function itself; of a module one that holds it, as in PyTorch."""
    return _held if fn is None else _held(fn)


def allow_in_graph(fn: Any) -> Any:
    """The function itself."""
    return fn


def assume_constant_result(fn: Any) -> Any:
    """The function itself."""
    return fn


def is_compiling() -> bool:
    """Always False."""
    return False


def is_dynamo_compiling() -> bool:
    """Always False."""
    return False


def is_exporting() -> bool:
    """Always False."""
    return False


def list_backends(exclude_tags: Any = ("debug", "experimental")) -> list[str]:
    """Those that PyTorch lists."""
    return list(_BACKENDS)


def get_default_backend() -> str:
    """Always `inductor`."""
    return "inductor"


def reset() -> None:
    """Does nothing: nothing was compiled."""


def cudagraph_mark_step_begin() -> None:
    """Does nothing."""
