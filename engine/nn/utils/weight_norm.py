"""Weight norm by a forward pre-hook: the older form, whose parameters are `weight_g` and `weight_v`."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.codegen.publish import TORCH
from engine.core.tensor import Parameter
from engine.nn.module import Module
from engine.nn.parameter import is_lazy

__all__ = ["remove_weight_norm", "weight_norm"]


class WeightNorm:
    """The hook that computes the weight before each call."""

    __module__ = "torch.nn.utils.weight_norm"

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Any) -> Any:
        g, v = getattr(module, self.name + "_g"), getattr(module, self.name + "_v")
        return TORCH["_weight_norm"](v, g, self.dim)

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))

    def remove(self, module: Any) -> None:
        weight = self.compute_weight(module)
        delattr(module, self.name)
        for part in ("_g", "_v"):
            del module._parameters[self.name + part]
        setattr(module, self.name, Parameter(weight.data))


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Learn length and direction of a weight apart (deprecated: `parametrizations.weight_norm`)."""
    errors.warn_weight_norm()
    for hook in module._forward_pre_hooks.values():
        if isinstance(hook, WeightNorm) and hook.name == name:
            raise errors.hook_twice("weight_norm", name)
    hook = WeightNorm(name, dim)
    weight = getattr(module, name)
    if is_lazy(weight):
        raise errors.norm_of_lazy("WeightNorm", "weight")
    del module._parameters[name]
    length = TORCH["norm_except_dim"](weight, 2, hook.dim)
    module.register_parameter(name + "_g", Parameter(length.data))
    module.register_parameter(name + "_v", Parameter(weight.data))
    setattr(module, name, hook.compute_weight(module))
    module._forward_pre_hooks.add(hook, own=True)
    return module


def remove_weight_norm(module: Module, name: str = "weight") -> Module:
    """Make the weight an ordinary parameter again."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, WeightNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise errors.norm_not_found("weight_norm", name, module)
