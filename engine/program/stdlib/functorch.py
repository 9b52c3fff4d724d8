"""`functorch`, which is `torch.func` under its first name."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import engine.torch as torch
from engine.composites.deepcopy import deepcopy
from engine.nn.module import Module
from engine.program.bridge import torch_module
from engine.program.calls import call
from engine.program.operators import items
from engine.program.stdlib.copy import check
from engine.program.values import Builtin
from engine.torch.stateless import functional_call

_FUNC: Any = torch_module("torch.func")
_DEPRECATED = (
    "We've integrated functorch into PyTorch. As the final step of the integration, `functorch.{}` is deprecated as of"
    " PyTorch 2.0 and will be deleted in a future version of PyTorch >= 2.3. Please use `{}` instead; see the PyTorch"
    " 2.0 release notes and/or the `torch.func` migration guide for more details"
    " https://pytorch.org/docs/main/func.migrating.html"
)


def _deprecated(name: str, instead: str, function: Callable[..., Any]) -> Builtin:
    warning = _DEPRECATED.format(name, instead)

    def run(*args: Any, **kwargs: Any) -> Any:
        warnings.warn(warning, FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    return Builtin(name, run)


def _function(name: str) -> Builtin:
    now = _FUNC.find(name)
    instead = "torch.vmap" if name == "vmap" else f"torch.func.{name}"
    return _deprecated(name, instead, lambda *args, **kwargs: call(now, args, kwargs))


# --- modules as functions of their parameters


class FunctionalModuleWithBuffers(Module):
    """What `make_functional_with_buffers` makes: a module that is called with its parameters and buffers."""

    __module__ = "torch._functorch.make_functional"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.stateless_model = model
        self.param_names = tuple(name for name, _ in model.named_parameters())
        self.buffer_names = tuple(name for name, _ in model.named_buffers())

    def forward(self, params: Any, buffers: Any, *args: Any, **kwargs: Any) -> Any:
        state = dict(zip(self.param_names, items(params), strict=False))
        state.update(zip(self.buffer_names, items(buffers), strict=False))
        return functional_call(self.stateless_model, state, args, kwargs)


class FunctionalModule(Module):
    """What `make_functional` makes: a module that is called with its parameters."""

    __module__ = "torch._functorch.make_functional"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.stateless_model = model
        self.names_map = tuple(name for name, _ in model.named_parameters())

    def forward(self, params: Any, *args: Any, **kwargs: Any) -> Any:
        state = dict(zip(self.names_map, items(params), strict=False))
        return functional_call(self.stateless_model, state, args, kwargs)


def _copied(model: Any, untracked: Any) -> tuple[Any, tuple[Any, ...], tuple[Any, ...]]:
    """A copy of a module, the copy's parameters and its buffers."""
    check(model)
    model = deepcopy(model)
    parameters = tuple(model.parameters())
    if untracked:
        for parameter in parameters:
            parameter.requires_grad_(False)
    return model, parameters, tuple(model.buffers())


def _make_functional(model: Any, disable_autograd_tracking: Any = False) -> Any:
    if next(model.named_buffers(), None) is not None:
        raise RuntimeError(
            "make_functional(model): `model` has buffers. Please use make_functional_with_buffers(model) instead."
        )
    copied, parameters, _ = _copied(model, disable_autograd_tracking)
    return FunctionalModule(copied), parameters


def _make_functional_with_buffers(model: Any, disable_autograd_tracking: Any = False) -> Any:
    copied, parameters, buffers = _copied(model, disable_autograd_tracking)
    return FunctionalModuleWithBuffers(copied), parameters, buffers


def _combine_state_for_ensemble(models: Any) -> Any:
    models = list(items(models))
    if not models:
        raise RuntimeError("combine_state_for_ensemble: Expected at least one model, got 0.")
    if len({bool(model.training) for model in models}) > 1:
        raise RuntimeError("combine_state_for_ensemble: Expected all models to have the same training/eval mode.")
    if len({type(model) for model in models}) > 1:
        raise RuntimeError("combine_state_for_ensemble: Expected all models to be of the same class.")
    made = [_make_functional_with_buffers(model) for model in models]
    parameters, buffers = (
        tuple(torch.stack(same).detach() for same in zip(*(parts[kind] for parts in made), strict=True))
        for kind in (1, 2)
    )
    return made[0][0], parameters, buffers


MODULES: dict[str, dict[str, Any]] = {
    "functorch": {
        **{
            name: _function(name)
            for name in "functionalize grad grad_and_value hessian jacfwd jacrev jvp vjp vmap".split()
        },
        "make_functional": _deprecated("make_functional", "torch.func.functional_call", _make_functional),
        "make_functional_with_buffers": _deprecated(
            "make_functional_with_buffers", "torch.func.functional_call", _make_functional_with_buffers
        ),
        "combine_state_for_ensemble": _deprecated(
            "combine_state_for_ensemble", "torch.func.stack_module_state", _combine_state_for_ensemble
        ),
        "FunctionalModule": FunctionalModule,
        "FunctionalModuleWithBuffers": FunctionalModuleWithBuffers,
    }
}
