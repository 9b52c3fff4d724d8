"""Steps with `differentiable=True`: written with ops, so that gradients flow through them."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.surface import TORCH
from engine.tensor import Tensor, constant

Group = dict[str, Any]


def sgd_step(parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
    """One step of SGD; the first momentum buffer is a constant, as in PyTorch."""
    if group["maximize"]:
        grad = -grad
    if group["weight_decay"] != 0:
        grad = grad.add(parameter, alpha=group["weight_decay"])
    momentum = group["momentum"]
    if momentum != 0:
        buffer: Any = state.get("momentum_buffer")
        if buffer is None:
            buffer = state["momentum_buffer"] = grad.detach().clone()
        else:
            buffer.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
        grad = grad.add(buffer, alpha=momentum) if group["nesterov"] else buffer
    lr = group["lr"]
    if isinstance(lr, Tensor) and lr.requires_grad:
        parameter.addcmul_(grad, lr, value=-1)
    else:
        parameter.add_(grad, alpha=-lr)


def adam_step(parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
    """One step of Adam or AdamW."""
    if not state:
        state["step"] = constant(np.float32(0))
        names = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq") if group["amsgrad"] else ("exp_avg", "exp_avg_sq")
        for name in names:
            state[name] = constant(np.zeros_like(parameter._a))
    if group["maximize"]:
        grad = -grad
    step, mean, square = state["step"], state["exp_avg"], state["exp_avg_sq"]
    step += 1
    lr, (beta1, beta2), decay = group["lr"], group["betas"], group["weight_decay"]
    if decay != 0:
        if group["decoupled_weight_decay"]:
            parameter.mul_(1 - lr * decay)
        else:
            grad = grad.add(parameter, alpha=decay)
    mean.lerp_(grad, 1 - beta1)
    square.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
    size = (lr / (1 - beta1**step)).neg()
    root = (1 - beta2**step).sqrt()
    if group["amsgrad"]:
        largest = state["max_exp_avg_sq"]
        largest.copy_(TORCH["maximum"](largest.clone(), square))
        square = largest
    scale = (square.sqrt() / (root * size)).add_(group["eps"] / size)
    parameter.addcdiv_(mean.clone(), scale)
