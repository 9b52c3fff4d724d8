"""Relatives of Adam: Adamax, NAdam, RAdam."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.core.tensor import constant
from engine.optim.differentiable import adamax_step, nadam_step, radam_step
from engine.optim.optimizer import (
    Group,
    Optimizer,
    add_square,
    begin,
    check_betas,
    check_lr,
    check_positive,
    chosen,
    next_step,
    number,
    penalised,
    towards,
    zeros_like,
)


class Adamax(Optimizer):
    """Adam with the largest gradient so far (decaying) in place of the root mean square."""

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_lr(lr)
        check_positive("epsilon value", eps)
        check_betas(betas)
        check_positive("weight_decay value", weight_decay)
        names = "lr betas eps weight_decay foreach maximize differentiable capturable"
        super().__init__(params, chosen(locals(), names))

    _recorded = staticmethod(adamax_step)

    def _update(self, parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> None:
        if not state:
            begin(state, parameter, "exp_avg", "exp_inf")
        step = next_step(state)
        grad = penalised(parameter, grad, group)
        beta1, beta2 = group["betas"]
        mean = state["exp_avg"]._array = towards(np.asarray(state["exp_avg"]._array), grad, 1 - beta1)
        largest = np.maximum(state["exp_inf"]._array * beta2, np.abs(grad) + group["eps"])
        state["exp_inf"]._array = largest
        parameter -= mean * (number(group["lr"]) / (1 - beta1**step)) / largest


class NAdam(Optimizer):
    """Adam with Nesterov's momentum (Dozat, 2016)."""

    _captured = "params, mu_products and"

    def __init__(
        self,
        params: Any,
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        check_positive("epsilon value", eps)
        check_betas(betas)
        check_positive("weight_decay value", weight_decay)
        check_positive("momentum_decay value", momentum_decay)
        names = (
            "lr betas eps weight_decay momentum_decay decoupled_weight_decay maximize foreach capturable differentiable"
        )
        super().__init__(params, chosen(locals(), names))

    _recorded = staticmethod(nadam_step)

    def _update(self, parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> int:
        if not state:
            state["step"] = constant(np.float32(0))
            state["mu_product"] = constant(np.float32(1))
            state["exp_avg"] = zeros_like(parameter)
            state["exp_avg_sq"] = zeros_like(parameter)
        step = next_step(state)
        lr, (beta1, beta2) = number(group["lr"]), group["betas"]
        grad, writes = _decayed(parameter, grad, group, lr)
        drift = group["momentum_decay"]
        now = beta1 * (1.0 - 0.5 * 0.96 ** (step * drift))
        following = beta1 * (1.0 - 0.5 * 0.96 ** ((step + 1) * drift))
        product = state["mu_product"]._array = np.float32(state["mu_product"]._array * np.float32(now))
        mean, square = _moments(state, grad, beta1, beta2)
        root = np.sqrt(square / (1 - beta2**step)) + group["eps"]
        parameter -= grad * (lr * (1.0 - now) / (1.0 - float(product))) / root
        parameter -= mean * (lr * following / (1.0 - float(product) * following)) / root
        return writes + 2


class RAdam(Optimizer):
    """Adam whose adaptive step is switched on when its variance is known well enough (Liu et al., 2020)."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        check_positive("epsilon value", eps)
        check_betas(betas)
        check_positive("weight_decay value", weight_decay)
        names = "lr betas eps weight_decay maximize foreach capturable decoupled_weight_decay differentiable"
        super().__init__(params, chosen(locals(), names))

    _recorded = staticmethod(radam_step)

    def _update(self, parameter: Any, grad: Any, group: Group, state: dict[str, Any]) -> int:
        if not state:
            begin(state, parameter, "exp_avg", "exp_avg_sq")
        step = next_step(state)
        lr, (beta1, beta2) = number(group["lr"]), group["betas"]
        grad, writes = _decayed(parameter, grad, group, lr)
        mean, square = _moments(state, grad, beta1, beta2)
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * step * beta2**step / (1 - beta2**step)
        change = mean / (1 - beta1**step) * lr
        if length > 5.0:
            adaptive = (1 - beta2**step) ** 0.5 / (np.sqrt(square) + group["eps"])
            rectified = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
            change = change * adaptive * rectified**0.5
        parameter -= change
        return writes + 1


def _moments(state: dict[str, Any], grad: Any, beta1: float, beta2: float) -> tuple[Any, Any]:
    """The running means of the gradient and of its square, brought up to date."""
    mean = state["exp_avg"]._array = towards(np.asarray(state["exp_avg"]._array), grad, 1 - beta1)
    square = state["exp_avg_sq"]._array = add_square(state["exp_avg_sq"]._array * beta2, grad, 1 - beta2)
    return mean, square


def _decayed(parameter: Any, grad: Any, group: Group, lr: float) -> tuple[Any, int]:
    """The gradient with weight decay in it, or the parameter shrunk by it; and how often it was written to."""
    if not group["decoupled_weight_decay"] or group["weight_decay"] == 0:
        return penalised(parameter, grad, group), 0
    parameter *= 1 - lr * group["weight_decay"]
    return (-grad if group["maximize"] else grad), 1
