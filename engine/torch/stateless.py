"""Modules called with parameters from elsewhere: `functional_call`, and the states of several modules stacked."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.core.registry import ops
from engine.core.tensor import Tensor
from engine.nn.utils.stateless import call_with, merged


def functional_call(
    module: Any,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: Any = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Call a module with other values for some of its parameters and buffers."""
    return call_with(module, merged(parameter_and_buffer_dicts), args, kwargs, tie_weights, strict)


def stack_module_state(models: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Parameters and buffers of several models of one class, each stacked along a first dimension, as new leaves."""
    if len(models) == 0:
        raise errors.no_models()
    if not (all(m.training for m in models) or not any(m.training for m in models)):
        raise errors.models_mode()
    if any(type(m) is not type(models[0]) for m in models):
        raise errors.models_class()
    tables: list[dict[str, Any]] = []
    for kind in ("named_parameters", "named_buffers"):
        states = [dict(getattr(model, kind)()) for model in models]
        tables.append({name: _stacked([state[name] for state in states], name) for name in states[0]})
    return tables[0], tables[1]


def _stacked(tensors: list[Tensor], name: str) -> Tensor:
    wanted = {t.requires_grad for t in tensors}
    if len(wanted) > 1:
        raise errors.models_requires_grad(name)
    stacked: Tensor = ops.stack(tensors).detach()
    return stacked.requires_grad_() if wanted == {True} else stacked


def replace_all_batch_norm_modules_(root: Any) -> Any:
    """Make batch norms of a module forget their running statistics, which a transform cannot update."""
    for module in root.modules():
        if hasattr(module, "running_mean") and hasattr(module, "track_running_stats"):
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root
