"""`functorch`, which is `torch.func` under its first name."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from engine.codegen.publish import TORCH
from engine.nn.module import Module
from engine.torch import func
from engine.torch.stateless import functional_call

_DEPRECATED = (
    "We've integrated functorch into PyTorch. As the final step of the integration, `functorch.{}` is deprecated as of"
    " PyTorch 2.0 and will be deleted in a future version of PyTorch >= 2.3. Please use `{}` instead; see the PyTorch"
    " 2.0 release notes and/or the `torch.func` migration guide for more details"
    " https://pytorch.org/docs/main/func.migrating.html"
)


def _deprecated(instead: str, name: str = "") -> Callable[[Callable[..., Any]], Any]:
    """The function with a warning that says what is to be used instead."""

    def decorate(function: Callable[..., Any]) -> Any:
        warning = _DEPRECATED.format(name or function.__name__, instead)

        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            warnings.warn(warning, FutureWarning, stacklevel=2)
            return function(*args, **kwargs)

        return run

    return decorate


functionalize, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp, vmap = (
    _deprecated("torch.vmap" if name == "vmap" else f"torch.func.{name}", name)(getattr(func, name))
    for name in "functionalize grad grad_and_value hessian jacfwd jacrev jvp vjp vmap".split()
)


class FunctionalModuleWithBuffers(Module):
    """What `make_functional_with_buffers` makes: a module that is called with its parameters and buffers."""

    __module__ = "torch._functorch.make_functional"

    def __init__(self, model: Module) -> None:
        super().__init__()
        self.stateless_model = model
        self.param_names = tuple(name for name, _ in model.named_parameters())
        self.buffer_names = tuple(name for name, _ in model.named_buffers())

    def forward(self, params: Iterable[Any], buffers: Iterable[Any], *args: Any, **kwargs: Any) -> Any:
        state = dict(zip(self.param_names, params, strict=False))
        state.update(zip(self.buffer_names, buffers, strict=False))
        return functional_call(self.stateless_model, state, args, kwargs)


class FunctionalModule(Module):
    """What `make_functional` makes: a module that is called with its parameters."""

    __module__ = "torch._functorch.make_functional"

    def __init__(self, model: Module) -> None:
        super().__init__()
        self.stateless_model = model
        self.names_map = tuple(name for name, _ in model.named_parameters())

    def forward(self, params: Iterable[Any], *args: Any, **kwargs: Any) -> Any:
        state = dict(zip(self.names_map, params, strict=False))
        return functional_call(self.stateless_model, state, args, kwargs)


def _copied(model: Module, untracked: bool) -> tuple[Module, tuple[Any, ...], tuple[Any, ...]]:
    """A copy of a module, the copy's parameters and its buffers."""
    model = deepcopy(model)
    parameters = tuple(model.parameters())
    if untracked:
        for parameter in parameters:
            parameter.requires_grad_(False)
    return model, parameters, tuple(model.buffers())


@_deprecated("torch.func.functional_call")
def make_functional(model: Module, disable_autograd_tracking: bool = False) -> tuple[Module, tuple[Any, ...]]:
    """The module as a function of its parameters, and they."""
    if next(model.named_buffers(), None) is not None:
        raise RuntimeError(
            "make_functional(model): `model` has buffers. Please use make_functional_with_buffers(model) instead."
        )
    copied, parameters, _ = _copied(model, disable_autograd_tracking)
    return FunctionalModule(copied), parameters


def _with_buffers(model: Module, untracked: bool = False) -> tuple[Module, tuple[Any, ...], tuple[Any, ...]]:
    copied, parameters, buffers = _copied(model, untracked)
    return FunctionalModuleWithBuffers(copied), parameters, buffers


@_deprecated("torch.func.functional_call")
def make_functional_with_buffers(model: Module, disable_autograd_tracking: bool = False) -> Any:
    """The same of a module that has buffers, which are given, too."""
    return _with_buffers(model, disable_autograd_tracking)


@_deprecated("torch.func.stack_module_state")
def combine_state_for_ensemble(models: Iterable[Module]) -> Any:
    """The first of several modules as a function, and the stacked parameters and buffers of all."""
    models = list(models)
    if not models:
        raise RuntimeError("combine_state_for_ensemble: Expected at least one model, got 0.")
    if len({bool(model.training) for model in models}) > 1:
        raise RuntimeError("combine_state_for_ensemble: Expected all models to have the same training/eval mode.")
    if len({type(model) for model in models}) > 1:
        raise RuntimeError("combine_state_for_ensemble: Expected all models to be of the same class.")
    made = [_with_buffers(model) for model in models]
    parameters, buffers = (
        tuple([TORCH["stack"](same).detach() for same in zip(*(parts[kind] for parts in made), strict=True)])
        for kind in (1, 2)
    )
    return made[0][0], parameters, buffers
