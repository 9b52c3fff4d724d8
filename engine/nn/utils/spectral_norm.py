"""Spectral norm by a forward pre-hook: the older form, whose parameter is `weight_orig`."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.codegen.publish import TORCH
from engine.core.grad_mode import no_grad
from engine.core.tensor import Parameter
from engine.nn import functional as F
from engine.nn.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from engine.nn.module import Module
from engine.nn.parameter import is_lazy

__all__ = ["remove_spectral_norm", "spectral_norm"]


class SpectralNorm:
    """The hook that computes the weight before each call, after a power iteration while training."""

    __module__ = "torch.nn.utils.spectral_norm"

    def __init__(self, name: str = "weight", n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        if n_power_iterations <= 0:
            raise errors.power_iterations(n_power_iterations)
        self.name = name
        self.dim = dim
        self.n_power_iterations = n_power_iterations
        self.eps = eps

    def _matrix(self, weight: Any) -> Any:
        if self.dim != 0:
            weight = weight.permute(self.dim, *(d for d in range(weight.dim()) if d != self.dim))
        return weight.reshape(weight.size(0), -1)

    def compute_weight(self, module: Any, do_power_iteration: bool) -> Any:
        weight, u, v = (getattr(module, self.name + part) for part in ("_orig", "_u", "_v"))
        matrix = self._matrix(weight)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v = F.normalize(TORCH["mv"](matrix.t(), u), dim=0, eps=self.eps, out=v)
                    u = F.normalize(TORCH["mv"](matrix, v), dim=0, eps=self.eps, out=u)
                u, v = u.clone(), v.clone()
        return weight / TORCH["dot"](u, TORCH["mv"](matrix, v))

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, do_power_iteration=module.training))

    def remove(self, module: Any) -> None:
        with no_grad():
            weight = self.compute_weight(module, do_power_iteration=False)
        for part in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + part)
        module.register_parameter(self.name, Parameter(weight.detach()))


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Keep the largest singular value of a weight at 1 (Miyato et al., 2018)."""
    if dim is None:
        dim = 1 if isinstance(module, ConvTranspose1d | ConvTranspose2d | ConvTranspose3d) else 0
    for hook in module._forward_pre_hooks.values():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            raise errors.hook_twice("spectral_norm", name)
    hook = SpectralNorm(name, n_power_iterations, dim, eps)
    weight = module._parameters[name]
    if weight is None:
        raise errors.spectral_norm_of_none(name)
    if is_lazy(weight):
        raise errors.norm_of_lazy("SpectralNorm", "spectral")
    with no_grad():
        h, w = hook._matrix(weight).size()
        u = F.normalize(weight.new_empty(h).normal_(0, 1), dim=0, eps=eps)
        v = F.normalize(weight.new_empty(w).normal_(0, 1), dim=0, eps=eps)
    delattr(module, name)
    module.register_parameter(name + "_orig", weight)
    setattr(module, name, weight.data)
    module.register_buffer(name + "_u", u)
    module.register_buffer(name + "_v", v)
    module._forward_pre_hooks.add(hook, own=True)
    return module


def remove_spectral_norm(module: Module, name: str = "weight") -> Module:
    """Make the weight an ordinary parameter again."""
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, SpectralNorm) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise errors.norm_not_found("spectral_norm", name, module)
